// How often the engine is called, and how much memory it takes meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';

// The package keeps its instance to itself: this counts the calls of its exports.
/** @type {Record<string, number>} */
let calls = {};
/** @type {WebAssembly.Memory} */
let memory;
const { Instance } = WebAssembly;
WebAssembly.Instance = /** @type {any} */ (
  class {
    /** @param {[WebAssembly.Module, WebAssembly.Imports?]} args */
    constructor(...args) {
      /** @type {Record<string, any>} */
      this.exports = {};
      for (const [name, value] of Object.entries(new Instance(...args).exports)) {
        if (value instanceof WebAssembly.Memory) memory = this.exports[name] = value;
        else {
          this.exports[name] = (/** @type {any[]} */ ...given) => {
            calls[name] = (calls[name] ?? 0) + 1;
            return /** @type {Function} */ (value)(...given);
          };
        }
      }
    }
  }
);
const { ReadPreference, Topology } = await import('readpref');
const { replicaSet } = await import('./fixtures.js');

/** @param {() => unknown} act */
function callsOf(act) {
  calls = {};
  act();
  return calls;
}

test('a selection is one call', () => {
  const topology = new Topology(replicaSet, {});
  const preference = new ReadPreference('secondary');
  topology.selectSync(preference);
  topology.selectSync('secondary');
  topology.selectSync({ mode: 'secondary' });
  assert.deepEqual(callsOf(() => topology.selectSync(preference)), { rp_select: 1 });
  assert.deepEqual(callsOf(() => topology.selectSync('secondary', { operation: 'read' })), { rp_select: 1 });
  assert.deepEqual(callsOf(() => topology.selectSync({ mode: 'secondary' })), { rp_select: 1 });
  assert.deepEqual(callsOf(() => topology.selectSync(preference, { deprioritized: ['c.example'] })), { rp_select_ex: 1 });
  assert.deepEqual(callsOf(() => topology.checkout(preference).release()), { rp_select: 1, rp_release: 1 });
  assert.deepEqual(callsOf(() => topology.batch(preference, 100)), { rp_select_batch: 1 });
  assert.deepEqual(callsOf(() => topology.generation), { rp_generation: 1 });
});

test('an equal preference is opened once', () => {
  const first = new Topology(replicaSet, {});
  const second = new Topology(replicaSet, {});
  const ask = (/** @type {InstanceType<typeof Topology>} */ topology) => topology.selectSync(new ReadPreference('secondary', { tags: [{ dc: 'ny' }] }));
  ask(first);
  ask(second);
  // One call makes the preference, which is known then.
  assert.deepEqual(callsOf(() => ask(first)), { rp_call: 1, rp_select: 1 });
});

test('memory stays flat over a million calls', () => {
  const topology = new Topology(replicaSet, {});
  const preference = new ReadPreference('secondary');
  const once = () => topology.checkout(preference).release();
  for (let n = 0; n < 1000; n++) once();
  const size = memory.buffer.byteLength;
  for (let n = 0; n < 1_000_000; n++) once();
  for (let n = 0; n < 20_000; n++) topology.selectSync(preference, { deprioritized: ['c.example'] });
  assert.equal(memory.buffer.byteLength, size);
});

test('memory may grow in any call', () => {
  const small = new Topology(replicaSet, { seed: 1 });
  const options = { deprioritized: ['c.example'] };
  const { id, address } = small.selectSync('secondary', options);
  const size = memory.buffer.byteLength;
  const servers = Array.from({ length: 20_000 }, (_, i) => ({ address: `member-${i}.example`, type: /** @type {const} */ ('RSSecondary') }));
  const large = new Topology({ type: 'ReplicaSetNoPrimary', servers }, { seed: 1 });
  assert.equal(large.batch('secondary', 2 ** 18).length, 2 ** 18);
  assert.ok(memory.buffer.byteLength > size);
  assert.deepEqual(small.selectSync('secondary', options), { id, address });
  assert.equal(small.address(id), address);
  assert.match(large.address(large.selectSync('secondary', { deprioritized: ['member-0.example'] }).id), /^member-\d+\.example:27017$/);
  large.close();
});
