// Whatever a value does when it is read: the error is a ReadPrefError, and what
// was thrown is its cause.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ReadPrefError,
  ReadPreference,
  Topology,
  advise,
  call,
  callRaw,
  command,
  diff,
  effectivePreference,
  explainShards,
  importTopology,
  parseHello,
  parseURI,
  pollSRV,
  readable,
  resolveSRV,
  rtt,
  select,
  selectShards,
  simulate,
  toURI,
  validate,
  whatIf,
} from 'readpref';
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

const opened = () => new Topology(replicaSet, {});
const discovered = () => new Topology({ seeds: ['a.example'] });

/** @type {[string, (bad: any) => unknown, string][]} */
const doors = [
  ['the options of a topology', (bad) => new Topology(replicaSet, bad), ''],
  ['a request to open', (bad) => Topology.open(bad), ''],
  ['a source of discovery', (bad) => new Topology({ seeds: [bad] }), 'seeds[0]'],
  ['the preference of selectSync', (bad) => opened().selectSync(bad), 'readPreference'],
  ['the options of selectSync', (bad) => opened().selectSync('nearest', bad), ''],
  ['an option of selectSync', (bad) => opened().selectSync('nearest', { customSelector: bad }), 'customSelector'],
  ['an option of checkout', (bad) => opened().checkout('nearest', { deprioritized: [bad] }), 'deprioritized[0]'],
  ['the options of a batch', (bad) => opened().batch('nearest', 2, bad), ''],
  ['the count of a batch', (bad) => opened().batch('nearest', bad), 'count'],
  ['an update', (bad) => opened().update(bad), 'topology'],
  ['a server to release', (bad) => opened().release(bad), 'id'],
  ['the id of an address', (bad) => opened().address(bad), 'id'],
  ['a reply to onHello', (bad) => discovered().onHello('a.example', bad), 'hello'],
  ['an address of onHello', (bad) => discovered().onHello(bad, {}), 'address'],
  ['the options of onHello', (bad) => discovered().onHello('a.example', {}, bad), ''],
  ['an error of onError', (bad) => discovered().onError('a.example', bad), ''],
  ['the records of onSRV', (bad) => discovered().onSRV(bad), 'srv'],
  ['what is acknowledged', (bad) => discovered().acknowledgeEvents(bad), 'upto'],
  ['a connection string', (bad) => parseURI(bad), 'uri'],
  ['SRV records', (bad) => resolveSRV('mongodb+srv://a.example.com', { srv: bad }), 'srv'],
  ['DNS answers', (bad) => resolveSRV('mongodb+srv://a.example.com', bad), ''],
  ['the options of pollSRV', (bad) => pollSRV('mongodb+srv://a.example.com', [], bad), ''],
  ['the preference of toURI', (bad) => toURI(bad), 'readPreference'],
  ['the samples of rtt', (bad) => rtt(bad), 'samplesMS'],
  ['the topology of command', (bad) => command(bad, 'a'), 'topology'],
  ['the server of command', (bad) => command(replicaSet, bad), 'server'],
  ['the options of command', (bad) => command(replicaSet, 'a', 'nearest', bad), ''],
  ['the request of effectivePreference', (bad) => effectivePreference(bad), ''],
  ['the topology of readable', (bad) => readable(bad), 'topology'],
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
  ['the workloads of simulate', (bad) => simulate(replicaSet, bad), 'workloads'],
  ['a workload', (bad) => advise(replicaSet, [bad]), 'workloads[0]'],
  ['the options of simulate', (bad) => simulate(replicaSet, [{}], bad), ''],
  ['the events of whatIf', (bad) => whatIf(replicaSet, [{}], bad), 'events'],
  ['what is after', (bad) => diff(replicaSet, [{}], bad), 'after'],
  ['the topology after', (bad) => diff(replicaSet, [{}], { topology: bad }), 'after.topology'],
  ['documents to import', (bad) => importTopology(bad), 'documents'],
  ['a document to import', (bad) => importTopology([bad]), 'documents[0]'],
  ['an event', (bad) => whatIf(replicaSet, [{}], [bad]), 'events[0]'],
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

test('what select is given', async () => {
  const topology = opened();
  for (const bad of [throwing(), revoked()]) {
    await assert.rejects(topology.select(/** @type {any} */ (bad)), { name: 'ReadPrefError', code: 'wrongType', path: 'readPreference' });
    await assert.rejects(topology.select('nearest', /** @type {any} */ (bad)), { name: 'ReadPrefError', code: 'wrongType', path: '' });
    await assert.rejects(topology.select('nearest', { signal: /** @type {any} */ (bad) }), { name: 'ReadPrefError', code: 'wrongType', path: 'signal' });
    await assert.rejects(topology.select('nearest', { deprioritized: /** @type {any} */ (bad) }), { name: 'ReadPrefError', code: 'wrongType', path: 'deprioritized' });
    await assert.rejects(topology.select('nearest', { timeoutMS: /** @type {any} */ (bad) }), { name: 'ReadPrefError', code: 'wrongType', path: 'timeoutMS' });
  }
  for (const bad of /** @type {any[]} */ ([5, 'x', [], Symbol('x'), () => 1])) {
    await assert.rejects(topology.select('nearest', bad), { name: 'ReadPrefError', code: 'argument' });
    await assert.rejects(topology.select('nearest', { signal: bad }), { name: 'ReadPrefError', code: 'wrongType', path: 'signal' });
  }
});

test('values that contain themselves, or are none, are refused where they stand', () => {
  /** @type {any} */
  const endless = { ok: 1 };
  endless.hosts = [endless];
  for (const bad of [endless.hosts, NaN, Infinity, new Map(), Symbol('x'), () => 1]) {
    assert.throws(() => discovered().onHello('a.example', { ok: 1, x: bad }), { name: 'ReadPrefError', code: 'invalidJSON' });
    assert.throws(() => discovered().onError('a.example', /** @type {any} */ ({ kind: 'command', reply: { x: bad } })), { name: 'ReadPrefError', code: 'invalidJSON' });
    assert.throws(() => opened().update(/** @type {any} */ ({ servers: bad })), { name: 'ReadPrefError', code: 'invalidJSON' });
    assert.throws(() => opened().selectSync('nearest', { deprioritized: /** @type {any} */ ([bad]) }), { name: 'ReadPrefError', code: 'invalidJSON' });
  }
});

test('a method is of its own kind of object', () => {
  for (const other of [{}, null, undefined, new Proxy(opened(), {}), Object.create(Topology.prototype)]) {
    assert.throws(() => Topology.prototype.selectSync.call(/** @type {any} */ (other)), TypeError);
  }
});

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
