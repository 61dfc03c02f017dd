// Whatever a value does when it is read: the error is a ReadPrefError, and what
// was thrown is its cause.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadPrefError, ReadPreference, Topology, call, callRaw, explainShards, parseHello, select, selectShards, validate } from 'readpref';
import { replicaSet } from './fixtures.js';

const mine = new Error('mine');
const fail = () => {
  throw mine;
};

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** A proxy each of whose traps throws. */
const throwing = () => new Proxy({}, new Proxy({}, { get: () => fail }));

/** @type {[string, (bad: any) => unknown, string][]} */
const doors = [
  ['the topology of select', (bad) => select(bad), 'topology'],
  ['a topology', (bad) => new Topology(bad), 'topology'],
  ['saved replies', (bad) => Topology.fromHellos(bad), 'topology.servers'],
  ['a saved reply', (bad) => Topology.fromHellos([bad]), 'topology.servers[0]'],
  ['the preference of select', (bad) => select(replicaSet, bad), 'readPreference'],
  ['the options of select', (bad) => select(replicaSet, 'nearest', bad), ''],
  ['an option of select', (bad) => select(replicaSet, 'nearest', { customSelector: bad }), 'customSelector'],
  ['a seed', (bad) => select(replicaSet, 'nearest', { seed: bad }), 'seed'],
  ['a mode', (bad) => new ReadPreference(bad), 'readPreference.mode'],
  ['the options of a preference', (bad) => new ReadPreference('nearest', bad), 'readPreference'],
  ['the document of a preference', (bad) => ReadPreference.fromDocument(bad), 'readPreference'],
  ['an argument of mongosh', (bad) => ReadPreference.fromMongosh('nearest', bad), 'mongosh[1]'],
  ['what is validated', (bad) => validate(bad), 'readPreference'],
  ['shards', (bad) => selectShards(bad), 'shards'],
  ['a shard', (bad) => explainShards({ a: bad }), 'shards.a'],
  ['a reply', (bad) => parseHello(bad), ''],
  ['a value', (bad) => call('select', [bad]), '[0]'],
];
for (const [what, act, path] of doors) {
  test(`${what} that throws when it is read`, () => {
    assert.throws(() => act(throwing()), { name: 'ReadPrefError', code: 'wrongType', status: -18, path, cause: mine });
    assert.throws(
      () => act(revoked()),
      (/** @type {any} */ error) => {
        assert.ok(error instanceof ReadPrefError);
        assert.deepEqual([error.code, error.path], ['wrongType', path]);
        assert.ok(error.cause instanceof TypeError);
        return true;
      },
    );
  });
}

/** @type {[string, () => unknown, string][]} */
const readers = [
  ['a getter of a topology', () => select({ get servers() { return fail(); } }), 'topology.servers'],
  ['a getter of a preference', () => select(replicaSet, { mode: 'nearest', get tags() { return fail(); } }), 'readPreference.tags'],
  ['a getter of options', () => select(replicaSet, null, { get pick() { return fail(); } }), 'pick'],
  ['a getter of a seed', () => select(replicaSet, null, { get seed() { return fail(); } }), 'seed'],
  ['a getter of the options of a preference', () => new ReadPreference('nearest', { get hedge() { return fail(); } }), 'readPreference.hedge'],
  ['a getter of shards', () => selectShards({ get 'shard A'() { return fail(); } }), 'shards["shard A"]'],
  ['a getter under a getter', () => call('select', { a: [{ get b() { return fail(); } }] }), 'a[0].b'],
  ['toJSON', () => call('select', { a: { toJSON: fail } }), 'a'],
  ['an iterator of replies', () => Topology.fromHellos({ [Symbol.iterator]: fail }), 'topology.servers'],
  ['a generator of replies', () => Topology.fromHellos((function* () { yield fail(); })()), 'topology.servers'],
  ['an iterator of shards', () => selectShards({ [Symbol.iterator]: fail }), 'shards'],
]; // prettier-ignore
for (const [what, act, path] of readers) {
  test(`${what} throws`, () => {
    assert.throws(act, { name: 'ReadPrefError', code: 'wrongType', path, cause: mine });
  });
}

test('what is thrown may be anything', () => {
  for (const thrown of [undefined, null, 5, 'x', Symbol('x'), throwing(), revoked()]) {
    const value = { get a() { throw thrown; } }; // prettier-ignore
    assert.throws(
      () => call('select', value),
      (/** @type {any} */ error) => error instanceof ReadPrefError && error.code === 'wrongType' && error.path === 'a' && 'cause' in error && Object.is(error.cause, thrown),
    );
  }
});

test('arguments that are no objects', () => {
  for (const bad of /** @type {any[]} */ ([5, 'x', Symbol('x'), Infinity, true, 5n, () => 1, []])) {
    assert.throws(() => new ReadPreference('secondary', bad), { name: 'ReadPrefError', code: 'argument', path: 'readPreference' });
    assert.throws(() => select(replicaSet, 'secondary', bad), { name: 'ReadPrefError', code: 'argument', path: '' });
    if (Array.isArray(bad)) continue;
    assert.throws(() => selectShards(bad), { name: 'ReadPrefError', code: 'argument', path: 'shards' });
    if (typeof bad !== 'string') assert.throws(() => Topology.fromHellos(bad), { name: 'ReadPrefError', code: 'argument', path: 'topology.servers' });
  }
  for (const none of /** @type {any[]} */ ([undefined, null])) {
    assert.throws(() => selectShards(none), { name: 'ReadPrefError', code: 'argument', path: 'shards' });
    assert.throws(() => Topology.fromHellos(none), { name: 'ReadPrefError', code: 'argument', path: 'topology.servers' });
    assert.equal(new ReadPreference('secondary', none).mode, 'secondary');
  }
  for (const bad of /** @type {any[]} */ ([[5], [null], ['ab'], [[Symbol('x'), {}]]])) {
    assert.throws(() => selectShards(bad), { name: 'ReadPrefError' });
  }
  for (const bad of [throwing(), revoked(), new Proxy(new Uint8Array(2), {})]) {
    assert.throws(() => callRaw('select', /** @type {any} */ (bad)), { name: 'ReadPrefError', code: 'argument' });
  }
});

test('a proxy is no preference and no topology', () => {
  const preference = new ReadPreference('nearest');
  for (const other of [throwing(), revoked(), new Proxy(preference, {}), Object.create(ReadPreference.prototype)]) {
    assert.equal(preference.equals(other), false);
  }
  assert.throws(() => select(replicaSet, new Proxy(preference, {})), { name: 'ReadPrefError', code: 'wrongType', path: 'readPreference' });
  assert.throws(() => select(new Proxy(new Topology(replicaSet), {})), { name: 'ReadPrefError', code: 'wrongType', path: 'topology' });
});

test('endless iterables end', () => {
  let given = 0;
  const endless = function* () {
    for (;;) {
      given++;
      yield { address: `a${given}`, type: /** @type {const} */ ('Mongos') };
    }
  };
  const topology = Topology.fromHellos(/** @type {any} */ (endless()));
  assert.equal(given, 65_537);
  assert.throws(() => select(topology), { code: 'limitExceeded' });
  const pairs = function* () {
    for (const server of endless()) yield /** @type {[string, any]} */ ([server.address, { servers: [] }]);
  };
  given = 0;
  assert.throws(() => selectShards(pairs()), { code: 'limitExceeded' });
  assert.equal(given, 4097);
});

test('many large shards are refused as one document is', () => {
  const large = new Topology({ servers: [{ address: 'x'.repeat(15 * 2 ** 20), type: 'Mongos' }] });
  const shards = Array.from({ length: 50 }, (_, i) => /** @type {[string, Topology]} */ ([`s${i}`, large]));
  assert.throws(() => selectShards(shards), { code: 'documentTooLarge', path: '' });
  assert.throws(() => selectShards({ ['x'.repeat(2 ** 28)]: large }), { code: 'documentTooLarge', path: '' });
});
