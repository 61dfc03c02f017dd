import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Explanation, ReadPrefError, ReadPreference, Selection, Topology, explain, explainShards, select, selectShards } from 'readpref';
import { replicaSet, savedReplies, servers } from './fixtures.js';

const topology = new Topology(replicaSet);
const secondary = new ReadPreference('secondary');
const [a, b, c] = servers.map((s) => s.address);

test('select shows every stage', () => {
  const s = select(topology, secondary);
  assert.ok(s instanceof Selection);
  assert.deepEqual(s.server, { index: 1, address: b, type: 'RSSecondary' });
  assert.deepEqual(s.candidates, [b, c]);
  assert.deepEqual(s.fresh, [b, c]);
  assert.deepEqual(s.suitable, [b, c]);
  assert.deepEqual(s.inLatencyWindow, [b]);
  assert.equal(s.reason, undefined);
  assert.deepEqual(s.warnings, []);
  assert.deepEqual(JSON.parse(JSON.stringify(s)), {
    server: { index: 1, address: b, type: 'RSSecondary' },
    candidates: [b, c],
    fresh: [b, c],
    suitable: [b, c],
    inLatencyWindow: [b],
  });
});

test('plain documents serve as well as objects', () => {
  assert.deepEqual(select(replicaSet, { mode: 'nearest', tags: [{ dc: 'sf' }, {}] }).suitable, [c]);
  assert.equal(select(replicaSet).server?.address, a);
  assert.equal(select(replicaSet, null, null).server?.address, a);
});

test('saved hello replies give the same member', () => {
  const s = select(Topology.fromHellos(savedReplies), secondary);
  assert.deepEqual(s.server, { index: 1, address: b, type: 'RSSecondary' });
  assert.deepEqual(s.inLatencyWindow, [b]);
});

test('no server is an answer', () => {
  const s = select(topology, new ReadPreference('secondary', { tags: [{ dc: 'la' }] }));
  assert.equal(s.server, null);
  assert.deepEqual(s.fresh, [b, c]);
  assert.deepEqual(s.suitable, []);
  assert.equal(typeof s.reason?.code, 'string');
  assert.notEqual(s.reason?.message, '');
});

test('options reach the engine', () => {
  assert.deepEqual(select(topology, secondary, { deprioritized: [b] }).candidates, [c]);
  assert.deepEqual(select(topology, secondary, { customSelector: { keepOnly: [c] } }).suitable, [c]);
  assert.deepEqual(select(topology, secondary, { localThresholdMS: 145 }).inLatencyWindow, [b, c]);
  assert.deepEqual(select(topology, secondary, { localThresholdMS: 144.999999 }).inLatencyWindow, [b]);
  assert.equal(select(topology, secondary, { operation: 'write' }).server?.address, a);
  assert.equal(select(topology, secondary, { seed: undefined, pick: null }).server?.address, b);
});

test('an aggregate that writes says which preference to send', () => {
  const old = { ...replicaSet, servers: servers.map((s) => ({ ...s, minWireVersion: 0, maxWireVersion: 9 })) };
  const s = select(old, secondary, { operation: 'aggregateWithWriteStage' });
  assert.ok(s.effectiveReadPreference instanceof ReadPreference);
  assert.equal(s.effectiveReadPreference.mode, 'primary');
  assert.equal(s.server?.address, a);
});

test('a seed repeats a pick, and without one picks are spread', () => {
  const wide = /** @type {const} */ ({ pick: 'random', localThresholdMS: 1000 });
  const addresses = (/** @type {object} */ options) =>
    new Set(Array.from({ length: 60 }, () => select(topology, secondary, { ...wide, ...options }).server?.address));
  assert.deepEqual(addresses({}), new Set([b, c])); // 2^-59 that it fails
  for (const seed of [0, 42, Number.MAX_SAFE_INTEGER, 2n ** 63n, 2n ** 64n - 1n, '18446744073709551615', { $numberLong: '42' }]) {
    assert.equal(addresses({ seed }).size, 1, String(seed));
  }
  const pick = (/** @type {any} */ seed) => select(topology, secondary, { ...wide, pick: 'roundRobin', seed }).server?.address;
  assert.equal(pick(2n ** 64n - 1n), c); // window[seed mod 2]
  assert.equal(pick('18446744073709551614'), b);
});

test('a seed is an integer of 64 bits', () => {
  for (const seed of [-1, -1n, 2 ** 53, 2n ** 64n, 1e300]) {
    const expected = { code: 'outOfRange', path: 'seed', message: `seed: expected an integer from 0 to 18446744073709551615, above 9007199254740991 as a BigInt or a decimal string, found ${seed}` }; // prettier-ignore
    assert.throws(() => select(topology, null, { seed }), expected);
    assert.throws(() => explainShards({ s: topology }, null, { seed }), expected);
  }
  assert.throws(() => select(topology, null, { seed: '-1' }), { code: 'outOfRange', message: /from 0 to 18446744073709551615, found "-1"/ });
  assert.throws(() => select(topology, null, { seed: 1.5 }), { code: 'wrongType', path: 'seed' });
  assert.throws(() => select(topology, null, { seed: NaN }), { code: 'invalidJSON', path: 'seed' });
});

test('a mode alone is a preference', () => {
  const options = { seed: 1 };
  for (const answer of [select, explain]) {
    assert.deepEqual(answer(topology, 'secondary', options), answer(topology, secondary, options));
    assert.throws(() => answer(topology, /** @type {any} */ ('secondry')), { code: 'unknownMode', path: 'readPreference.mode' });
  }
  for (const answer of [selectShards, explainShards]) {
    assert.deepEqual(answer({ s: topology }, 'secondary', options), answer({ s: topology }, secondary, options));
  }
});

test('a whole request is no topology', () => {
  const request = /** @type {any} */ ({ topology: replicaSet, readPreference: { mode: 'secondary' } });
  for (const refused of [() => new Topology(request), () => select(request), () => explain({ ...request, topology })]) {
    assert.throws(refused, { code: 'unknownKey', path: 'topology.topology', message: /give its request\.topology/ });
  }
  assert.throws(() => selectShards({ s: request }), { path: 'shards.s.topology' });
  // What an object says of itself counts.
  class Cluster {
    topology = 'rs0';
    toJSON() {
      return replicaSet;
    }
  }
  assert.equal(select(new Topology(/** @type {any} */ (new Cluster()))).server?.address, a);
});

test('results cannot be changed', () => {
  const s = explain(topology, secondary);
  for (const value of [s, s.server, s.candidates, s.inLatencyWindow, s.servers, s.servers[0], s.passes, s.warnings, s.toJSON()]) {
    assert.ok(Object.isFrozen(value));
  }
});

test('explain says what became of every member', () => {
  const e = explain(topology, new ReadPreference('secondary', { tags: [{ dc: 'ny' }] }), { seed: 1 });
  assert.ok(e instanceof Explanation);
  assert.ok(e instanceof Selection);
  assert.equal(e.server?.address, b);
  assert.deepEqual(e.servers.map((s) => s.address), [a, b, c]);
  assert.ok(e.passes.length >= 1);
  assert.ok(e.text.includes('c.example:27017'));
  assert.equal(String(e), e.text);
  assert.deepEqual(Object.keys(e.toJSON()).slice(0, 5), ['server', 'candidates', 'fresh', 'suitable', 'inLatencyWindow']);
});

test('shards are answered each on its own, in order', () => {
  const shards = new Map([
    ['10', topology],
    ['2', new Topology({ ...replicaSet, servers: [servers[0]] })],
    ['__proto__', new Topology({ ...replicaSet, servers: [{ ...servers[0], minWireVersion: 99, maxWireVersion: 99 }] })],
  ]);
  for (const answers of [selectShards(shards, secondary), explainShards(shards, secondary)]) {
    assert.deepEqual([...answers.keys()], ['10', '2', '__proto__']);
    const [first, second, third] = answers.values();
    assert.ok(first instanceof Selection && first.server?.address === b);
    assert.ok(second instanceof Selection && second.server === null);
    assert.ok(third instanceof ReadPrefError && third.code === 'incompatibleWireVersion');
  }
  assert.equal(selectShards({ s: replicaSet }).size, 1);
});

test('a topology shows its description', () => {
  assert.equal(topology.type, 'ReplicaSetWithPrimary');
  assert.equal(topology.setName, 'rs0');
  assert.deepEqual(topology.servers, servers);
  assert.deepEqual(JSON.parse(JSON.stringify(topology)), replicaSet);
  assert.ok(Object.isFrozen(topology.toJSON()) && Object.isFrozen(topology.servers[0]));
  const derived = new Topology({ servers: [] });
  assert.equal(derived.type, undefined);
  assert.deepEqual(derived.servers, []);
});

test('a topology is a description of its own', () => {
  const description = { servers: [{ ...servers[0] }] };
  const t = new Topology(description);
  description.servers.pop();
  assert.equal(t.servers.length, 1);
  assert.equal(select(t).server?.address, a);
});

test('dates and big integers arrive as they are', () => {
  const at = (/** @type {number | bigint | Date} */ lastWriteDate, /** @type {number} */ i) => ({
    ...servers[i],
    lastWriteDate,
    lastUpdateTimeMS: 1793000000950n,
    operationCount: 2n ** 60n,
  });
  const t = new Topology({ ...replicaSet, servers: [at(1793000000000, 0), at(new Date(1793000000000 - 120_000), 1), at(1793000000000n, 2)] });
  assert.deepEqual(select(t, new ReadPreference('secondary', { maxStalenessSeconds: 100n })).fresh, [c]);
  assert.deepEqual(select(t, new ReadPreference('secondary', { maxStalenessSeconds: 130 })).fresh, [b, c]);
});
