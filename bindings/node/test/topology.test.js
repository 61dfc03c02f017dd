// Topologies that are open in the engine: docs/json.md, "Handles". The picks with
// seed 42 are computed there by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Checkout, Explanation, ReadPrefError, ReadPreference, Topology, select } from 'readpref';
import { dispose } from '../src/dispose.js';

/** @type {import('readpref').TopologyDescription} */
const description = {
  type: 'ReplicaSetWithPrimary',
  setName: 'rs0',
  servers: [
    { address: 'a.example:27017', type: 'RSPrimary', roundTripTimeMS: 2 },
    { address: 'B.example', type: 'RSSecondary', roundTripTimeMS: 3.5 },
    { address: 'c.example:27017', type: 'RSSecondary', roundTripTimeMS: 4 },
  ],
};
/** @type {import('readpref').TopologyDescription} */
const afterwards = {
  type: 'ReplicaSetNoPrimary',
  setName: 'rs0',
  servers: [
    { address: 'd.example:27017', type: 'RSSecondary', roundTripTimeMS: 3 },
    { address: 'c.example:27017', type: 'RSSecondary', roundTripTimeMS: 4 },
  ],
};
const a = { id: 0, address: 'a.example:27017' };
const b = { id: 1, address: 'b.example:27017' };
const c = { id: 2, address: 'c.example:27017' };
const secondary = new ReadPreference('secondary');

/** The counts by address, of a topology's servers that have any. @param {Topology} topology */
function counts(topology) {
  const counted = topology.describe().topology.servers.filter((s) => s.operationCount !== undefined);
  return Object.fromEntries(counted.map((s) => [s.address, s.operationCount]));
}

test('the session of docs/json.md', () => {
  const topology = new Topology(description, { seed: 42 });
  assert.deepEqual(topology.checkout(secondary).server, c);
  assert.deepEqual(topology.checkout(secondary).server, b);
  assert.deepEqual(topology.selectSync(secondary, { operation: 'write' }), a);
  assert.deepEqual(topology.selectSync(secondary, { deprioritized: ['b.example'] }), c);
  assert.throws(() => topology.selectSync(secondary, { customSelector: { keepOnly: [] } }), {
    code: 'noServer',
    message: 'no suitable server for a read with read preference secondary: the custom selector kept none',
  });
  assert.throws(() => topology.selectSync({ mode: 'secondary', maxStalenessSeconds: 45 }), { code: 'maxStalenessTooSmall', minimumSeconds: 90 });
  assert.deepEqual(topology.batch(secondary, 3, { checkout: true }), [b, c, b]);
  assert.equal(topology.release(b), 2);
  assert.equal(topology.release(0), 0);
  assert.equal(topology.address(1), 'b.example:27017');
  assert.throws(() => topology.address(3), { code: 'argument', path: 'id', message: 'id: no server of this topology has this id' });
  assert.equal(topology.update(afterwards), 2);
  assert.throws(() => topology.update({ servers: [/** @type {any} */ ({ address: 'd.example' })] }), { code: 'missingKey', path: 'topology.servers[0].type' });
  assert.equal(topology.generation, 2);
  // Five outputs were drawn: the state is the seed and five times 9e3779b97f4a7c15, modulo 2^64.
  const { seed, ...state } = topology.describe();
  assert.equal(seed, String((42n + 5n * 0x9e3779b97f4a7c15n) % 2n ** 64n));
  assert.deepEqual(state, {
    topology: { ...afterwards, servers: [afterwards.servers?.[0], { ...afterwards.servers?.[1], operationCount: 2 }] },
    localThresholdMS: 15,
    heartbeatFrequencyMS: 10000,
    wireVersions: { min: 8, max: 29 },
    pick: 'leastBusyOfTwo',
  });
  const explanation = topology.explain(secondary, { deprioritized: ['c.example'] });
  assert.ok(explanation instanceof Explanation);
  assert.deepEqual(explanation.servers.map((s) => s.stage), ['selected', 'deprioritized']); // prettier-ignore
  topology.close();
});

test('a server is the same frozen object each time', () => {
  const topology = new Topology(description);
  const server = topology.selectSync('primary');
  assert.ok(Object.isFrozen(server));
  assert.equal(topology.selectSync(), server);
  assert.equal(topology.checkout().server, server);
  assert.equal(topology.batch('primary', 2)[1], server);
  topology.update(afterwards);
  topology.update(description);
  assert.equal(topology.selectSync(), server);
});

test('a checkout is released once, by release or by the end of a block', () => {
  const topology = new Topology(description);
  const first = topology.checkout('primary');
  const second = topology.checkout('primary');
  assert.ok(first instanceof Checkout);
  assert.deepEqual([first.id, first.address, first.isReleased], [0, 'a.example:27017', false]);
  assert.deepEqual(counts(topology), { 'a.example:27017': 2 });
  first.release();
  assert.equal(first.isReleased, true);
  first.release();
  first[dispose]();
  assert.deepEqual(counts(topology), { 'a.example:27017': 1 });
  second[dispose]();
  assert.deepEqual(counts(topology), {});
  const third = topology.checkout('primary');
  topology.close();
  third.release();
});

test('a preference in any form serves as an object does', () => {
  const topology = new Topology(description);
  for (const nearC of [{ mode: 'secondary', tags: [{}] }, secondary, 'secondary', new ReadPreference('secondary')]) {
    assert.deepEqual(topology.selectSync(/** @type {any} */ (nearC), { deprioritized: ['b.example'] }), c);
  }
  for (const none of [undefined, null, 'primary', {}, { mode: null }]) assert.deepEqual(topology.selectSync(/** @type {any} */ (none)), a);
});

test('more preferences than stay open', () => {
  const topology = new Topology(description);
  const many = Array.from({ length: 3000 }, (_, i) => new ReadPreference('nearest', { tags: [{ n: String(i) }, {}], maxStalenessSeconds: -1 }));
  for (let round = 0; round < 2; round++) {
    for (const preference of many) assert.deepEqual(topology.selectSync(preference, { customSelector: { keepOnly: ['c.example'] } }), c);
  }
  for (let i = 0; i < 3000; i++) topology.selectSync({ mode: 'nearest', tags: [{ i: String(i) }, {}] });
});

test('settings hold for the life of a topology', () => {
  const narrow = new Topology(description, { localThresholdMS: 1, pick: 'roundRobin', seed: 1n });
  assert.deepEqual(narrow.batch(secondary, 3), [c, b, c]); // both are within 1 ms; the turn begins at 1
  narrow.update({ ...description, servers: [{ address: 'b.example', type: 'RSSecondary', roundTripTimeMS: 2.9 }, ...(description.servers ?? []).slice(2)] });
  assert.deepEqual(narrow.batch(secondary, 2), [b, b]);
  assert.equal(narrow.describe().localThresholdMS, 1);
  assert.equal(new Topology(description, { seed: 2n ** 64n - 1n }).describe().seed, '18446744073709551615');
  assert.notEqual(new Topology(description).describe().seed, new Topology(description).describe().seed);
  const fromHellos = Topology.fromHellos([{ address: 'a.example', hello: { ok: 1, msg: 'isdbgrid' } }], { heartbeatFrequencyMS: 500 });
  assert.equal(fromHellos.describe().heartbeatFrequencyMS, 500);
});

test('a topology goes on from what describe gave', () => {
  const first = new Topology(description, { seed: 42 });
  first.batch(secondary, 5, { checkout: true });
  const second = Topology.open(JSON.parse(JSON.stringify(first.describe())));
  assert.deepEqual(second.describe(), first.describe());
  // Ids are given anew, in the order of the description; here that is the same.
  assert.deepEqual(second.batch(secondary, 20, { checkout: true }), first.batch(secondary, 20, { checkout: true }));
  assert.deepEqual(Topology.open({ topology: new Topology(description), seed: 3 }).describe().seed, '3');
});

test('one-shot functions see the last description that was given', () => {
  const topology = new Topology(description);
  topology.selectSync();
  topology.update(afterwards);
  assert.equal(topology.type, 'ReplicaSetNoPrimary');
  assert.deepEqual(select(topology, 'secondary').suitable, ['d.example:27017', 'c.example:27017']);
});

test('what is wrong is told at once where there are options, else when it is used', () => {
  const bad = { servers: [/** @type {any} */ ({ address: 'a.example' })] };
  const error = { code: 'missingKey', path: 'topology.servers[0].type' };
  const late = new Topology(bad);
  assert.throws(() => late.selectSync(), error);
  assert.throws(() => late.describe(), error);
  assert.throws(() => new Topology(bad, {}), error);
  assert.throws(() => Topology.open({ topology: bad }), error);
  assert.throws(() => new Topology(description, { pick: /** @type {any} */ ('first') }), { code: 'unknownValue', path: 'pick' });
  assert.throws(() => new Topology(description, /** @type {any} */ ({ heartbeat: 1 })), { code: 'unknownKey', path: 'heartbeat' });
  assert.throws(() => new Topology(description, { seed: -1 }), { code: 'outOfRange', path: 'seed' });
  assert.throws(() => Topology.open(/** @type {any} */ ({})), { code: 'missingKey', path: 'topology' });
  for (const none of [null, 5, 'x', [], undefined]) assert.throws(() => Topology.open(/** @type {any} */ (none)), { name: 'ReadPrefError', code: 'argument' });
});

test('options that are none', () => {
  const topology = new Topology(description);
  /** @type {[string, any, string, string][]} */
  const bad = [
    ['a mode', 'nearest', 'argument', ''],
    ['a list', [], 'argument', ''],
    ['an operation', { operation: 'delete' }, 'unknownValue', 'operation'],
    ['a misspelt key', { deprioritised: [] }, 'unknownKey', 'deprioritised'],
    ['a checkout', { checkout: true }, 'unknownKey', 'checkout'],
    ['another topology', { topology: 1 }, 'unknownKey', 'topology'],
    ['a string of servers', { deprioritized: 'a' }, 'wrongType', 'deprioritized'],
    ['a selector without keepOnly', { customSelector: {} }, 'missingKey', 'customSelector.keepOnly'],
    ['a function', { customSelector: () => true }, 'invalidJSON', 'customSelector'],
    ['a lone surrogate', { deprioritized: ['\ud800'] }, 'invalidUTF8', 'deprioritized[0]'],
    ['NaN', { deprioritized: [NaN] }, 'invalidJSON', 'deprioritized[0]'],
    ['a long document', { deprioritized: ['x'.repeat(2 ** 24)] }, 'documentTooLarge', ''],
    ['a longer one in bytes', { deprioritized: ['é'.repeat(2 ** 23)] }, 'documentTooLarge', ''],
  ];
  for (const [what, options, code, path] of bad) {
    for (const method of /** @type {const} */ (['selectSync', 'checkout', 'explain'])) {
      assert.throws(() => topology[method]('nearest', options), { name: 'ReadPrefError', code, path }, `${method} with ${what}`);
    }
    assert.throws(() => topology.batch('nearest', 2, what === 'a checkout' ? { checkout: 1 } : options), { name: 'ReadPrefError' }, `batch with ${what}`);
  }
  for (const count of [0, -1, 1.5, 2 ** 20 + 1, NaN, '3', undefined, null, 2n ** 70n]) {
    assert.throws(() => topology.batch('nearest', /** @type {any} */ (count)), { name: 'ReadPrefError', path: 'count' }, String(count));
  }
  for (const id of [-1, 3, 1.5, 2 ** 31, 2 ** 32, NaN, '0', undefined, null, {}, 2n ** 70n]) {
    assert.throws(() => topology.address(/** @type {any} */ (id)), { name: 'ReadPrefError', path: 'id' }, String(id));
    assert.throws(() => topology.release(/** @type {any} */ (id)), { name: 'ReadPrefError', path: 'id' }, String(id));
  }
  assert.equal(topology.batch('nearest', 2 ** 20).length, 2 ** 20);
  assert.deepEqual(topology.batch('primary', 2n), [a, a]);
  assert.deepEqual(topology.selectSync('primary'), a);
  assert.deepEqual(counts(topology), {});
});

test('every use of a closed topology is an error', () => {
  const opened = new Topology(description, { seed: 1 });
  opened.selectSync();
  const unopened = new Topology(description);
  for (const topology of [opened, unopened]) {
    assert.equal(topology.isClosed, false);
    topology[dispose]();
    topology.close();
    assert.equal(topology.isClosed, true);
    const uses = [
      () => topology.selectSync(),
      () => topology.checkout(),
      () => topology.batch('nearest', 2),
      () => topology.explain(),
      () => topology.describe(),
      () => topology.generation,
      () => topology.address(0),
      () => topology.release(0),
      () => topology.update(description),
      () => select(topology),
    ];
    for (const use of uses) {
      assert.throws(use, (/** @type {any} */ e) => e instanceof ReadPrefError && e.code === 'handle' && e.message === 'topology: this topology is closed', String(use));
    }
    assert.equal(topology.setName, 'rs0');
  }
});

test('topologies that are forgotten are closed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // An instance has room for 65,536 handles.
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 20_000; i++) new Topology({ servers: [] }, {});
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});
