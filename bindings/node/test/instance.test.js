import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Instance } from '../src/instance.js';
import { loadModule } from '../src/load-module-node.js';
import { replicaSet } from './fixtures.js';

const module = loadModule();
const PAGE = 64 * 1024;
const text = (/** @type {{bytes: Uint8Array}} */ answer) => new TextDecoder().decode(answer.bytes);
const small = JSON.stringify({ topology: replicaSet, readPreference: { mode: 'secondary' } });

/** @param {number} n */
function big(n) {
  const servers = Array.from({ length: n }, (_, i) => ({ address: `member-${i}.example:27017`, type: 'RSSecondary', roundTripTimeMS: 5 }));
  return JSON.stringify({ topology: { type: 'ReplicaSetNoPrimary', servers }, readPreference: { mode: 'nearest' } });
}

test('buffers only grow, and are refused above their limits', () => {
  const i = new Instance(module);
  for (const which of [0, 1]) {
    const first = i.rawBuffer(which, 0);
    assert.notEqual(first, 0);
    assert.equal(i.rawBuffer(which, 100), first);
    const second = i.rawBuffer(which, 10 * PAGE);
    assert.notEqual(second, 0);
    assert.equal(i.rawBuffer(which, 1), second);
    assert.equal(i.rawBuffer(which, 0xffffffff), 0);
    assert.equal(i.rawBuffer(which, 1), second);
  }
  assert.equal(i.rawBuffer(2, 1), 0);
  assert.equal(i.rawBuffer(0xffffffff, 1), 0);
  assert.notEqual(i.rawBuffer(0, 64 + 16 * 2 ** 20), 0);
  assert.equal(i.rawBuffer(0, 64 + 16 * 2 ** 20 + 1), 0);
});

test('addresses outside of the buffers are null', () => {
  const i = new Instance(module);
  const input = i.rawBuffer(0, PAGE);
  const out = i.rawBuffer(1, PAGE);
  const end = i.memory().length;
  i.memory().set(new TextEncoder().encode('build_info{}'), input);
  const good = i.rawCall(input, 10, input + 10, 2, out, PAGE);
  assert.ok(good > 0);
  const code = (/** @type {number} */ n) => {
    assert.ok(n < 0);
    return JSON.parse(new TextDecoder().decode(i.memory().slice(out, out - n))).error.code;
  };
  for (const bad of [0, 1, input - 1, out, input + PAGE - 1, end - 1, end, 0x7fffffff, 0x80000000, 0xffffffff]) {
    assert.equal(code(i.rawCall(bad, 10, input + 10, 2, out, PAGE)), 'argument', `method at ${bad}`);
    assert.equal(code(i.rawCall(input, 10, bad, 2, out, PAGE)), 'argument', `input at ${bad}`);
  }
  for (const bad of [1, out - 1, input, out + 1, end - 1, end, 0x80000000, 0xffffffff]) {
    assert.ok(i.rawCall(input, 10, input + 10, 2, bad, PAGE) < 0, `out at ${bad}`);
  }
  assert.ok(i.rawCall(input, 10, input + 10, 2, out, PAGE + 1) < 0);
  assert.equal(i.rawCall(input, 10, input + 10, 2, out, PAGE), good);
});

test('memory is looked at anew after it grew', () => {
  const i = new Instance(module);
  const before = i.memory();
  const answer = text(i.call('select', small));
  assert.ok(text(i.call('select', big(60_000))).includes('"member-59999.example:27017"'));
  assert.notEqual(i.memory(), before);
  assert.ok(i.memory().length > before.length || before.length === 0);
  assert.equal(text(i.call('select', small)), answer);
});

test('an answer larger than its buffer is asked for again', () => {
  const i = new Instance(module);
  const { isError, bytes } = i.call('select', big(3000));
  assert.equal(isError, false);
  assert.ok(bytes.length > PAGE);
  assert.equal(JSON.parse(text({ bytes })).candidates.length, 3000);
});

test('memory stays flat', () => {
  const i = new Instance(module);
  for (let n = 0; n < 2000; n++) i.call('select', small);
  const size = i.memory().length;
  for (let n = 0; n < 20_000; n++) i.call('select', small);
  assert.equal(i.memory().length, size);
});

test('a broken instance throws', () => {
  const i = new Instance(module);
  i.memory().fill(0xff);
  assert.throws(() => {
    for (let n = 0; n < 100; n++) i.call('select', small);
  });
});
