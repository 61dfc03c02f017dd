import assert from 'node:assert/strict';
import { test } from 'node:test';

// The package keeps its instance to itself: this sees it made.
/** @type {WebAssembly.Instance[]} */
const made = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  /** @param {[WebAssembly.Module, WebAssembly.Imports?]} args */
  constructor(...args) {
    super(...args);
    made.push(this);
  }
};
const { ReadPrefError, ReadPreference, Topology, callRaw, select } = await import('readpref');
const { replicaSet } = await import('./fixtures.js');

test('nothing is instantiated before it is needed, and then once', () => {
  assert.equal(made.length, 0);
  for (let i = 0; i < 3; i++) callRaw('build_info');
  assert.equal(made.length, 1);
});

test('an instance that trapped is replaced', () => {
  const topology = new Topology(replicaSet);
  const preference = new ReadPreference('secondary');
  const expected = select(topology, preference, { seed: 1 });
  for (let round = 1; round <= 3; round++) {
    const memory = /** @type {WebAssembly.Memory} */ (made[round - 1].exports.memory);
    new Uint8Array(memory.buffer).fill(0xff);
    assert.throws(
      () => select(topology, preference, { seed: 1 }),
      (e) => e instanceof ReadPrefError && e.code === 'internal' && e.status === -6 && e.cause instanceof Error,
    );
    assert.deepEqual(select(topology, preference, { seed: 1 }), expected);
    assert.equal(made.length, round + 1);
  }
});

test('topologies of an instance that trapped say so, others do not mind', () => {
  const lost = new Topology(replicaSet, { seed: 1 });
  const preference = new ReadPreference('secondary');
  const checkout = lost.checkout(preference);
  const unopened = new Topology(replicaSet);
  const memory = /** @type {WebAssembly.Memory} */ (made.at(-1)?.exports.memory);
  new Uint8Array(memory.buffer).fill(0xff);
  /** @type {unknown} */
  let cause;
  assert.throws(
    () => lost.selectSync(preference),
    (e) => {
      cause = e;
      return e instanceof ReadPrefError && e.code === 'internal';
    },
  );
  /** @type {(() => unknown)[]} */
  const uses = [
    () => lost.selectSync(preference),
    () => lost.checkout('nearest'),
    () => lost.batch('nearest', 2),
    () => lost.describe(),
    () => lost.update(replicaSet),
    () => lost.generation,
    () => lost.address(0),
  ];
  for (const use of uses) {
    assert.throws(use, (/** @type {any} */ e) => e.code === 'handle' && e.path === 'topology' && /replaced: open the topology again/.test(e.message) && e.cause === cause);
  }
  checkout.release();
  // The preference is opened again; what was never opened opens in the new instance.
  assert.equal(unopened.selectSync(preference).address, 'b.example:27017');
  assert.equal(new Topology(replicaSet, { seed: 1 }).selectSync(preference).address, 'b.example:27017');
  lost.close();
  lost.close();
  assert.throws(() => lost.selectSync(preference), { message: 'topology: this topology is closed' });
});

test('who waits for a topology that is lost is told', async () => {
  const discovered = new Topology({ seeds: ['a.example'] });
  const told = new Topology({ seeds: ['a.example'] });
  const iterator = told.events();
  for (let i = 0; i < 4; i++) await iterator.next(); // the opening, and startMonitor
  const next = iterator.next();
  const waiting = discovered.select('nearest');
  const other = new Topology(replicaSet, {});
  const memory = /** @type {WebAssembly.Memory} */ (made.at(-1)?.exports.memory);
  new Uint8Array(memory.buffer).fill(0xff);
  assert.throws(() => other.selectSync(), { code: 'internal' });
  await Promise.all([waiting, next].map((promise) => assert.rejects(promise, { code: 'handle', message: /was replaced/ })));
  assert.deepEqual(await iterator.next(), { value: undefined, done: true });
  discovered.close();
  told.close();
});

test('a full stack leaves nothing broken behind', () => {
  const expected = callRaw('methods').bytes;
  let failures = 0;
  let wrong = 0;
  const dive = () => {
    try {
      dive();
    } catch {
      // The stack was full: try again from here, a little less deep.
    }
    let bytes;
    try {
      bytes = callRaw('methods').bytes;
    } catch (error) {
      failures++;
      throw error;
    }
    if (bytes.length !== expected.length) wrong++;
  };
  dive();
  assert.ok(failures > 0);
  assert.equal(wrong, 0);
  assert.deepEqual(callRaw('methods').bytes, expected);
});
