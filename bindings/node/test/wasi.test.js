import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModuleExit, createWasi } from '../src/wasi.js';
import { loadModule } from '../src/load-module-node.js';

const [EBADF, EFAULT, EINVAL] = [8, 21, 28];

function shim() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  /** @type {string[]} */
  const lines = [];
  const wasi = createWasi((line) => lines.push(line));
  wasi.attach(memory);
  const imports = /** @type {Record<string, (...args: any[]) => number>} */ (wasi.imports.wasi_snapshot_preview1);
  const view = new DataView(memory.buffer);
  /** @type {(fd: number, ...parts: Uint8Array[]) => number} */
  const write = (fd, ...parts) => {
    let at = 1024;
    parts.forEach((part, i) => {
      new Uint8Array(memory.buffer).set(part, at);
      view.setUint32(i * 8, at, true);
      view.setUint32(i * 8 + 4, part.length, true);
      at += part.length;
    });
    return imports.fd_write(fd, 0, parts.length, 512);
  };
  return { imports, view, lines, write, memory };
}
const bytes = (/** @type {string} */ s) => new TextEncoder().encode(s);

test('the shim has what the module imports, and no more', () => {
  const wanted = WebAssembly.Module.imports(loadModule());
  assert.deepEqual(new Set(wanted.map((i) => i.module)), new Set(['wasi_snapshot_preview1']));
  assert.deepEqual(wanted.map((i) => i.name).sort(), Object.keys(shim().imports).sort());
});

test('lines come whole', () => {
  const { lines, write, view } = shim();
  const euro = bytes('€\n');
  assert.equal(write(2, bytes('pan'), bytes('ic: x\ngoro')), 0);
  assert.equal(view.getUint32(512, true), 13);
  assert.deepEqual(lines, ['panic: x']);
  write(2, bytes('utine '), euro.subarray(0, 1));
  write(2, euro.subarray(1));
  assert.deepEqual(lines, ['panic: x', 'goroutine €']);
  write(1, bytes('a\n\n'));
  assert.deepEqual(lines.slice(2), ['a', '']);
});

test('other files do not exist', () => {
  const { write, lines } = shim();
  for (const fd of [0, 3, -1, 1000]) assert.equal(write(fd, bytes('x\n')), EBADF);
  assert.deepEqual(lines, []);
});

test('addresses outside of memory are faults', () => {
  const { imports, view, memory } = shim();
  const end = memory.buffer.byteLength;
  assert.equal(imports.clock_time_get(0, 0n, end - 7), EFAULT);
  assert.equal(imports.random_get(end - 1, 2), EFAULT);
  assert.equal(imports.random_get(0, -1), EFAULT);
  assert.equal(imports.environ_sizes_get(end, 0), EFAULT);
  assert.equal(imports.args_sizes_get(0, -4), EFAULT);
  view.setUint32(0, end - 1, true);
  view.setUint32(4, 2, true);
  assert.equal(imports.fd_write(2, 0, 1, 512), EFAULT);
  assert.equal(imports.poll_oneoff(0, end - 31, 1, 512), EFAULT);
});

test('there are no arguments and no environment', () => {
  const { imports, view } = shim();
  for (const name of ['args', 'environ']) {
    view.setUint32(0, 7, true);
    view.setUint32(4, 7, true);
    assert.equal(imports[`${name}_sizes_get`](0, 4), 0);
    assert.deepEqual([view.getUint32(0, true), view.getUint32(4, true)], [0, 0]);
    assert.equal(imports[`${name}_get`](0, 0), 0);
  }
});

test('clocks tell nanoseconds', () => {
  const { imports, view } = shim();
  const before = BigInt(Date.now()) * 1_000_000n;
  assert.equal(imports.clock_time_get(0, 0n, 0), 0);
  assert.ok(view.getBigUint64(0, true) >= before);
  assert.equal(imports.clock_time_get(1, 0n, 8), 0);
  assert.ok(view.getBigUint64(8, true) > 0n);
  assert.equal(imports.clock_time_get(2, 0n, 0), EINVAL);
});

test('entropy of any length', () => {
  const { imports, memory } = shim();
  memory.grow(3);
  assert.equal(imports.random_get(100, 200_000), 0);
  const all = new Uint8Array(memory.buffer);
  assert.ok(all.subarray(0, 100).every((b) => b === 0));
  assert.ok(all.subarray(200_100).every((b) => b === 0));
  for (const at of [100, 100 + 65536, 100 + 131072, 200_100 - 32]) assert.ok(all.subarray(at, at + 32).some((b) => b !== 0));
  assert.equal(imports.random_get(0, 0), 0);
});

test('every sleep has elapsed', () => {
  const { imports, view } = shim();
  view.setBigUint64(0, 77n, true); // a clock
  view.setBigUint64(48, 88n, true);
  view.setUint8(56, 1); // a file to read
  assert.equal(imports.poll_oneoff(0, 256, 2, 512), 0);
  assert.equal(view.getUint32(512, true), 2);
  assert.deepEqual([view.getBigUint64(256, true), view.getUint16(264, true), view.getUint8(266)], [77n, 0, 0]);
  assert.deepEqual([view.getBigUint64(288, true), view.getUint16(296, true), view.getUint8(298)], [88n, EBADF, 1]);
  assert.equal(imports.poll_oneoff(0, 256, 0, 512), EINVAL);
  assert.equal(imports.sched_yield(), 0);
});

test('the module can end itself', () => {
  assert.throws(() => shim().imports.proc_exit(2), (e) => e instanceof ModuleExit && /code 2/.test(e.message));
});
