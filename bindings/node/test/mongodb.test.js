// readpref/mongodb without a server: clients of the official driver that never connect, and events as it emits them.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { ReadPrefError, ReadPreference, Topology, select } from 'readpref';
import { OperationCounts, discovered, explain, fromMongoDB, toMongoDB, topologyDescription, watch } from 'readpref/mongodb';
import { drivers, newest } from './mongodb/drivers.js';

const { mongodb } = newest;
const URI = 'mongodb://A.example,b.example:27018/?replicaSet=rs0&localThresholdMS=20';

/** @param {string} [uri] @param {import('mongodb').MongoClientOptions} [options] */
const clientOf = (uri = URI, options) => new mongodb.MongoClient(uri, options);

/** @param {() => unknown} act @param {string} code @param {string} path @param {RegExp} [message] */
function refused(act, code, path, message = /./) {
  assert.throws(act, (/** @type {any} */ error) => {
    assert.ok(error instanceof ReadPrefError, String(error));
    assert.deepEqual([error.code, error.path], [code, path]);
    assert.match(error.message, message);
    return true;
  });
}

/** A member's reply, as the driver decodes it. @param {string} me @param {object} [more] */
const hello = (me, more) => ({ ok: 1, setName: 'rs0', hosts: ['a.example:27017', 'b.example:27018'], me, minWireVersion: 0, maxWireVersion: 25, logicalSessionTimeoutMinutes: 30, ...more });
const WROTE = Date.UTC(2026, 9, 26);
const primary = (more = {}) => hello('a.example:27017', { isWritablePrimary: true, setVersion: 3, electionId: new mongodb.ObjectId('7fffffff0000000000000001'), tags: { dc: 'ny' }, lastWrite: { lastWriteDate: new Date(WROTE) }, ...more });
const secondary = (more = {}) => hello('b.example:27018', { secondary: true, tags: { dc: 'sf' }, lastWrite: { lastWriteDate: new Date(WROTE - 2000) }, ...more });

const replicaSet = (driver = newest) =>
  driver.description('ReplicaSetWithPrimary', [['a.example:27017', primary(), { roundTripTime: 2, minRoundTripTime: 1 }], ['b.example:27018', secondary(), { roundTripTime: 5 }]], 'rs0');

/** @param {import('mongodb').MongoClient} client @param {string} event @param {object} detail */
const emit = (client, event, detail) => client.emit(/** @type {any} */ (event), /** @type {any} */ ({ topologyId: 1, ...detail }));

/** @param {import('mongodb').MongoClient} client @param {import('mongodb').TopologyDescription} newDescription */
const changed = (client, newDescription) => emit(client, 'topologyDescriptionChanged', { newDescription });

/** @param {import('mongodb').MongoClient} client @param {string} connectionId @param {number} duration @param {object} reply */
const heartbeat = (client, connectionId, duration, reply) => emit(client, 'serverHeartbeatSucceeded', { connectionId, duration, reply });

/** @param {import('mongodb').MongoClient} client @param {number} index @returns {any} */
const serverOf = (client, index) => topologyDescription(client).servers?.[index];

function connected() {
  const client = clientOf();
  watch(client);
  emit(client, 'topologyOpening', {});
  changed(client, replicaSet());
  return client;
}

for (const driver of drivers) {
  test(`a description of mongodb ${driver.version}, field by field`, () => {
    const description = replicaSet(driver);
    const [a, b] = [...description.servers.values()];
    assert.deepEqual(topologyDescription(description), {
      type: 'ReplicaSetWithPrimary',
      setName: 'rs0',
      logicalSessionTimeoutMinutes: 30,
      servers: [
        {
          address: 'a.example:27017',
          type: 'RSPrimary',
          roundTripTimeMS: 2,
          // 6.22 as well: the least of ten
          minRoundTripTimeMS: 1,
          tags: { dc: 'ny' },
          lastWriteDate: WROTE,
          lastUpdateTimeMS: a?.lastUpdateTime,
          minWireVersion: 0,
          maxWireVersion: 25,
          setName: 'rs0',
          setVersion: 3,
          electionId: { $oid: '7fffffff0000000000000001' },
          me: 'a.example:27017',
          hosts: ['a.example:27017', 'b.example:27018'],
          logicalSessionTimeoutMinutes: 30,
        },
        {
          address: 'b.example:27018',
          type: 'RSSecondary',
          roundTripTimeMS: 5,
          tags: { dc: 'sf' },
          lastWriteDate: WROTE - 2000,
          lastUpdateTimeMS: b?.lastUpdateTime,
          minWireVersion: 0,
          maxWireVersion: 25,
          setName: 'rs0',
          me: 'b.example:27018',
          hosts: ['a.example:27017', 'b.example:27018'],
          logicalSessionTimeoutMinutes: 30,
        },
      ],
    });
  });
}

test('a description is frozen, and good for the functions of readpref', () => {
  const description = topologyDescription(replicaSet(), { operationCounts: { 'b.example:27018': 3 } });
  assert.ok(Object.isFrozen(description) && Object.isFrozen(description.servers?.[0]));
  assert.equal(select(description, 'secondary').server?.address, 'b.example:27018');
  const topology = new Topology(description, { localThresholdMS: 20 });
  assert.equal(topology.describe().topology.servers[1]?.operationCount, 3);
  topology.close();
});

test('what is not known stays away; a topology version keeps all its bits', () => {
  const processId = new mongodb.ObjectId('0123456789abcdef01234567');
  const down = newest.description('ReplicaSetNoPrimary', [
    ['a.example:27017', undefined, { error: new Error('connection refused') }],
    ['b.example:27018', undefined],
    ['c.example:27017', hello('c.example:27017', { arbiterOnly: true, topologyVersion: { processId, counter: mongodb.Long.fromString('9007199254740993') } }), { roundTripTime: 0 }],
  ]);
  const [a, b, c] = topologyDescription(down).servers ?? [];
  assert.deepEqual(a, { address: 'a.example:27017', type: 'Unknown', error: 'connection refused' });
  assert.deepEqual(b, { address: 'b.example:27018', type: 'Unknown' });
  assert.deepEqual(/** @type {any} */ (c).topologyVersion, { processId: { $oid: '0123456789abcdef01234567' }, counter: { $numberLong: '9007199254740993' } });
  // 0 ms is a measurement, here of a whole millisecond's clock; the arbiter has no lastWrite
  assert.equal(/** @type {any} */ (c).roundTripTimeMS, 0);
  assert.equal(/** @type {any} */ (c).lastWriteDate, undefined);
  select(topologyDescription(down), 'nearest');
});

test('a client that was not heard yet knows its connection string', () => {
  const client = clientOf();
  watch(client);
  const { type, setName, servers } = topologyDescription(client);
  assert.deepEqual([type, setName, servers?.map((server) => server.address)], ['ReplicaSetNoPrimary', 'rs0', ['a.example:27017', 'b.example:27018']]);
  assert.equal(explain(client).reason?.code, 'noServerAvailable');
  assert.match(explain(client).text, /has not connected, or did so before watch\(client\)/);
  for (const [uri, expected] of [
    ['mongodb://a.example', 'Unknown'],
    ['mongodb://a.example/?directConnection=true', 'Single'],
    ['mongodb://a.example/?loadBalanced=true', 'LoadBalanced'],
    ['mongodb+srv://cluster.a.example', 'Unknown'],
  ]) {
    const other = clientOf(uri);
    watch(other);
    assert.equal(topologyDescription(other).type, expected);
    // a load balancer is never asked how it is
    assert.equal(explain(other, 'nearest').server?.address, expected === 'LoadBalanced' ? 'a.example:27017' : undefined);
  }
});

test('explain uses the preference, threshold and heartbeat of its source', () => {
  const client = connected();
  assert.equal(explain(client).server?.address, 'a.example:27017');
  assert.equal(explain(client.db('shop', { readPreference: 'secondary' })).server?.address, 'b.example:27018');
  const orders = client.db('shop').collection('orders', { readPreference: new mongodb.ReadPreference('secondary', [{ dc: 'ny' }]) });
  assert.equal(explain(orders).servers[1]?.why, 'tags[0] needs dc=ny, has dc=sf');
  assert.equal(explain(orders, 'secondary').server?.address, 'b.example:27018');
  assert.equal(explain(orders, new ReadPreference('nearest', { tags: [{ dc: 'ny' }] })).server?.address, 'a.example:27017');
  assert.equal(explain(orders, { mode: 'primary' }).server?.address, 'a.example:27017');
  // 2 ms and the client's 20
  assert.deepEqual(explain(client, 'nearest').latencyWindow, { fastestMS: 2, endMS: 22 });
  // by hand: b wrote 2 s before a; both descriptions are of the same moment, to a millisecond or two; and a heartbeat of 10 s
  const stalenessMS = explain(client, { mode: 'secondary', maxStalenessSeconds: 120 }).servers[1]?.stalenessMS;
  assert.ok(Math.abs(Number(stalenessMS) - 12_000) <= 5, String(stalenessMS));
});

test("explain's options go on to readpref, but for those that the client has", () => {
  const client = connected();
  assert.equal(explain(client, 'secondary', { operation: 'write' }).server?.address, 'a.example:27017');
  assert.equal(explain(client, 'nearest', { deprioritized: ['a.example:27017'] }).server?.address, 'b.example:27018');
  const busy = explain(client, 'nearest', { operationCounts: new Map([['a.example:27017', 7]]) });
  assert.equal(busy.server?.address, 'b.example:27018');
  assert.equal(busy.servers[0]?.why, 'in the latency window, not picked (operationCount 7)');
  for (const key of ['localThresholdMS', 'heartbeatFrequencyMS']) refused(() => explain(client, 'nearest', /** @type {any} */ ({ [key]: 1 })), 'unknownKey', key);
  refused(() => explain(client, 'nearest', /** @type {any} */ ({ operatoin: 'write' })), 'unknownKey', 'operatoin', /did you mean "operation"/);
  refused(() => explain(client, 'nearest', /** @type {any} */ ('write')), 'argument', '');
  refused(() => explain(client, 'nearest', /** @type {any} */ ([])), 'argument', '');
  refused(() => explain(client, 'nearest', /** @type {any} */ ({ operationCounts: 5 })), 'wrongType', 'operationCounts', /found a number/);
});

test('heartbeats renew what changes without an event', () => {
  const client = connected();
  const one = () => serverOf(client, 1);
  const before = one().lastUpdateTimeMS;
  heartbeat(client, 'b.example:27018', 8, secondary({ lastWrite: { lastWriteDate: new Date(WROTE + 5000) } }));
  // Nobody listened when 5 ms were measured: they stand for nine of ten
  assert.equal(one().roundTripTimeMS, (9 * 5 + 8) / 10);
  assert.equal(one().lastWriteDate, WROTE + 5000);
  assert.ok(one().lastUpdateTimeMS >= before && one().lastUpdateTimeMS <= performance.now());
  // Not of a server that the description does not have.
  heartbeat(client, 'z.example:27017', 8, secondary());
  assert.equal(topologyDescription(client).servers?.length, 2);
  // A description replaces all.
  changed(client, replicaSet());
  assert.equal(one().roundTripTimeMS, 5);
  assert.equal(one().lastWriteDate, WROTE - 2000);
});

test('round-trip times are averaged as the driver does', () => {
  const client = clientOf();
  watch(client);
  emit(client, 'topologyOpening', {});
  const average = () => serverOf(client, 1).roundTripTimeMS;
  /** @param {number} roundTripTime @param {number} [minRoundTripTime] */
  const known = (roundTripTime, minRoundTripTime) => changed(client, newest.description('ReplicaSetNoPrimary', [['a.example:27017', undefined], ['b.example:27018', secondary(), { roundTripTime, minRoundTripTime }]], 'rs0'));
  heartbeat(client, 'b.example:27018', 40, secondary());
  known(40);
  heartbeat(client, 'b.example:27018', 7, secondary());
  assert.equal(average(), 23.5);
  for (let i = 0; i < 9; i++) heartbeat(client, 'b.example:27018', 2, secondary());
  // 40 is the eleventh, and gone
  assert.equal(average(), (7 + 9 * 2) / 10);
  // The driver has begun anew: its average is that of the last one alone.
  heartbeat(client, 'b.example:27018', 30, secondary());
  known(30);
  heartbeat(client, 'b.example:27018', 50, secondary());
  assert.equal(average(), 40);
  // 28 is the mean of the last three and the last one; a minimum of 0 says that there is one.
  for (const sample of [2, 54, 28]) heartbeat(client, 'b.example:27018', sample, secondary());
  known(28);
  heartbeat(client, 'b.example:27018', 10, secondary());
  assert.equal(average(), 19);
  // Where nothing tells two counts apart, a failure does.
  for (let i = 0; i < 10; i++) heartbeat(client, 'b.example:27018', 5, secondary());
  changed(client, newest.description('ReplicaSetNoPrimary', [['a.example:27017', undefined], ['b.example:27018', undefined, { error: new Error('reset') }]], 'rs0'));
  for (let i = 0; i < 2; i++) heartbeat(client, 'b.example:27018', 5, secondary());
  known(5, 5);
  heartbeat(client, 'b.example:27018', 11, secondary());
  assert.equal(average(), 7);
  assert.equal(serverOf(client, 1).minRoundTripTimeMS, 5);
});

test('a reply that is older than the description is passed over', () => {
  const client = clientOf();
  watch(client);
  const processId = new mongodb.ObjectId();
  const at = (/** @type {number} */ counter) => secondary({ topologyVersion: { processId, counter: mongodb.Long.fromNumber(counter) }, lastWrite: { lastWriteDate: new Date(WROTE + counter) } });
  changed(client, newest.description('ReplicaSetNoPrimary', [['b.example:27018', at(7), { roundTripTime: 5 }]], 'rs0'));
  const date = () => serverOf(client, 0).lastWriteDate;
  heartbeat(client, 'b.example:27018', 5, at(6));
  assert.equal(date(), WROTE + 7);
  heartbeat(client, 'b.example:27018', 5, at(7));
  heartbeat(client, 'b.example:27018', 5, at(8));
  assert.equal(date(), WROTE + 8);
  // Another process of the server counts anew.
  heartbeat(client, 'b.example:27018', 5, secondary({ topologyVersion: { processId: new mongodb.ObjectId(), counter: 1 } }));
  assert.equal(date(), WROTE - 2000);
  // What a server says that is none does no harm to the driver, which would get what is thrown.
  const odd = secondary({ topologyVersion: { processId, counter: 1.5 } });
  changed(client, newest.description('ReplicaSetNoPrimary', [['b.example:27018', odd, { roundTripTime: 5 }]], 'rs0'));
  for (const reply of [odd, at(1), secondary({ topologyVersion: 5 }), secondary({ lastWrite: 'never' }), {}, undefined]) heartbeat(client, 'b.example:27018', 5, /** @type {any} */ (reply));
  assert.equal(serverOf(client, 0).topologyVersion, undefined);
  assert.equal(explain(client, 'secondary').server?.address, 'b.example:27018');
});

test('closed, and opened again', () => {
  const client = connected();
  emit(client, 'topologyClosed', {});
  refused(() => explain(client), 'handle', 'client', /the client is closed/);
  refused(() => topologyDescription(client), 'handle', 'client');
  emit(client, 'topologyOpening', { topologyId: 2 });
  assert.equal(topologyDescription(client).servers?.[0]?.address, 'a.example:27017');
  assert.equal(explain(client).server, null);
  emit(client, 'topologyDescriptionChanged', { topologyId: 2, newDescription: replicaSet() });
  // of the one before
  emit(client, 'topologyClosed', {});
  assert.equal(explain(client).server?.address, 'a.example:27017');
});

test('a watch is one for each client, and ends', () => {
  const client = clientOf();
  const before = client.listenerCount('topologyDescriptionChanged');
  const one = watch(client);
  assert.equal(watch(client), one);
  assert.equal(client.listenerCount('topologyDescriptionChanged'), before + 1);
  one.close();
  one.close();
  assert.equal(client.listenerCount('topologyDescriptionChanged'), before);
  refused(() => explain(client), 'argument', 'client', /not watched: call watch\(client\) before it connects/);
  assert.notEqual(watch(client), one);
  assert.equal(typeof Symbol.dispose === 'symbol' ? one[Symbol.dispose] : one.close, one.close);
});

test('require and import share the clients that are watched', () => {
  const required = createRequire(import.meta.url)('readpref/mongodb');
  assert.equal(required.explain, explain);
  const client = clientOf();
  assert.equal(required.watch(client), watch(client));
});

test('an incompatible deployment is an error, as the driver says it', () => {
  const client = clientOf();
  watch(client);
  // The driver wants wire version 9 at least, or, in 6.22, 8; 3 was MongoDB 3.0.
  changed(client, newest.description('ReplicaSetWithPrimary', [['a.example:27017', primary({ maxWireVersion: 3 }), { roundTripTime: 2 }]], 'rs0'));
  refused(() => explain(client), 'incompatibleWireVersion', 'client', /a\.example:27017 reports wire version 3/);
});

test('standalones, sharded and load-balanced deployments', () => {
  const client = clientOf('mongodb://m.example');
  watch(client);
  const mongos = { ok: 1, msg: 'isdbgrid', maxWireVersion: 25, minWireVersion: 0 };
  const standalone = { ok: 1, maxWireVersion: 25, minWireVersion: 0 };
  const far = { roundTripTime: 40 };
  changed(client, newest.description('Sharded', [['m.example:27017', mongos, { roundTripTime: 2 }], ['n.example:27017', mongos, far]]));
  // tag sets and staleness are the mongos' business
  assert.deepEqual(explain(client, { mode: 'secondary', tags: [{ dc: 'ny' }], maxStalenessSeconds: 120 }).inLatencyWindow, ['m.example:27017']);
  changed(client, newest.description('Single', [['m.example:27017', standalone, far]]));
  assert.equal(explain(client, 'secondary').server?.type, 'Standalone');
  changed(client, newest.description('LoadBalanced', [['m.example:27017', undefined, { loadBalanced: true }]]));
  assert.equal(explain(client, 'secondary').server?.type, 'LoadBalancer');
});

test('what is no client is told', () => {
  /** @type {[unknown, RegExp][]} */
  const others = [
    [undefined, /found none/],
    [null, /found none/],
    ['mongodb://a.example', /found a string/],
    [{}, /found an object/],
    [[], /found a Array/],
    [new Map(), /found a Map/],
    [class MongoClient {}, /found a function/],
    [new Proxy({}, { get: () => assert.fail('a trap') }), /found an object/],
    [replicaSet().servers, /found a Map/],
  ];
  for (const [other, message] of others) {
    const it = /** @type {any} */ (other);
    for (const act of [() => watch(it), () => topologyDescription(it), () => explain(it), () => new OperationCounts(it)]) refused(act, 'wrongType', 'client', message);
    refused(() => fromMongoDB(it), 'wrongType', 'readPreference', message);
  }
  refused(() => explain(/** @type {any} */ (replicaSet())), 'wrongType', 'client', /found a TopologyDescription/);
  refused(() => watch(/** @type {any} */ (clientOf().db('shop'))), 'wrongType', 'client', /found a Db/);
});

test('discovered: each server answered, or failed to', async () => {
  const client = clientOf();
  await assert.rejects(discovered(client), { code: 'argument', path: 'client' });
  await assert.rejects(discovered(/** @type {any} */ ({})), { code: 'wrongType', path: 'client' });
  watch(client);
  for (const timeoutMS of [NaN, -1, '5', {}]) await assert.rejects(discovered(client, /** @type {any} */ ({ timeoutMS })), { code: 'wrongType', path: 'timeoutMS' });
  assert.equal(await discovered(client, { timeoutMS: 0 }), false);
  changed(client, newest.description('ReplicaSetNoPrimary', [['a.example:27017', undefined], ['b.example:27018', secondary(), { roundTripTime: 5 }]], 'rs0'));
  assert.equal(await discovered(client, { timeoutMS: 25 }), false);
  const found = discovered(client);
  const failed = newest.description('ReplicaSetNoPrimary', [['a.example:27017', undefined, { error: new Error('refused') }], ['b.example:27018', secondary(), { roundTripTime: 5 }]], 'rs0');
  setTimeout(() => changed(client, failed), 20);
  assert.equal(await found, true);
  emit(client, 'topologyClosed', {});
  await assert.rejects(discovered(client), { code: 'handle', path: 'client' });
});

test('operations are counted by address', () => {
  const client = clientOf(URI, { monitorCommands: true });
  const counts = new OperationCounts(client);
  const address = 'a.example:27017';
  emit(client, 'commandStarted', { address });
  emit(client, 'commandStarted', { address });
  emit(client, 'commandStarted', { address: 'b.example:27018' });
  emit(client, 'commandFailed', { address: 'b.example:27018' });
  emit(client, 'commandFailed', { address: 'b.example:27018' });
  assert.equal(counts.get(address), 2);
  assert.equal(counts.get('b.example:27018'), 0);
  assert.deepEqual([...counts], [[address, 2]]);
  emit(client, 'commandSucceeded', { address });
  assert.equal(counts.get(address), 1);
  counts.close();
  emit(client, 'commandStarted', { address });
  assert.equal(counts.get(address), 1);
});

/** @type {[ReadPreference, import('mongodb').ReadPreference][]} */
const pairs = [
  [new ReadPreference('primary'), new mongodb.ReadPreference('primary')],
  [new ReadPreference('primaryPreferred'), mongodb.ReadPreference.primaryPreferred],
  [new ReadPreference('secondary', { tags: [{ dc: 'ny', rack: '1' }, {}] }), new mongodb.ReadPreference('secondary', [{ dc: 'ny', rack: '1' }, {}])],
  [new ReadPreference('secondaryPreferred', { maxStalenessSeconds: 120 }), new mongodb.ReadPreference('secondaryPreferred', undefined, { maxStalenessSeconds: 120 })],
  [new ReadPreference('nearest', { hedge: { enabled: true } }), new mongodb.ReadPreference('nearest', undefined, { hedge: { enabled: true } })],
];

for (const [ours, theirs] of pairs) {
  test(`there and back: ${ours}`, () => {
    assert.deepEqual(toMongoDB(ours), theirs);
    assert.ok(toMongoDB(ours) instanceof mongodb.ReadPreference);
    assert.ok(fromMongoDB(theirs).equals(ours));
    assert.ok(fromMongoDB(toMongoDB(ours)).equals(ours));
    assert.deepEqual(toMongoDB(theirs), theirs);
    assert.deepEqual(toMongoDB(ours.toDocument()), theirs);
  });
}

test("what is made for the driver is the driver's to change", () => {
  const theirs = toMongoDB(new ReadPreference('secondary', { tags: [{ dc: 'ny' }], hedge: { enabled: true } }));
  assert.ok(theirs.tags !== undefined && theirs.hedge !== undefined);
  theirs.tags.push({});
  Object.assign(theirs.tags[0] ?? {}, { dc: 'sf' });
  theirs.hedge.enabled = false;
});

test("another version's read preference is taken", () => {
  for (const { mongodb: other } of drivers) {
    const theirs = new other.ReadPreference('secondary', [{ dc: 'ny' }]);
    assert.equal(String(fromMongoDB(/** @type {any} */ (theirs))), '{"mode":"secondary","tags":[{"dc":"ny"}]}');
    assert.deepEqual(toMongoDB(/** @type {any} */ (theirs)), new mongodb.ReadPreference('secondary', [{ dc: 'ny' }]));
  }
});

test('a preference that is none', () => {
  refused(() => toMongoDB(/** @type {any} */ ('secondry')), 'unknownMode', 'readPreference.mode', /did you mean "secondary"/);
  refused(() => toMongoDB({ mode: 'primary', maxStalenessSeconds: 120 }), 'maxStalenessWithPrimary', 'readPreference.maxStalenessSeconds');
  for (const nothing of [null, undefined, 5, []]) refused(() => toMongoDB(/** @type {any} */ (nothing)), 'wrongType', 'readPreference');
  // The driver's class refuses less.
  refused(() => fromMongoDB(new mongodb.ReadPreference('secondary', /** @type {any} */ ([{ dc: 5 }]))), 'wrongType', 'readPreference.tags[0].dc');
  refused(() => fromMongoDB(new mongodb.ReadPreference(/** @type {any} */ (null))), 'wrongType', 'readPreference');
  const long = new ReadPreference('secondary', { maxStalenessSeconds: 2n ** 53n });
  refused(() => toMongoDB(long), 'outOfRange', 'readPreference.maxStalenessSeconds');
});

// The rows of docs/mongodb-node.md, "Where the driver is not as the specifications have it".
for (const driver of drivers) {
  test(`where mongodb ${driver.version} is not as the specifications have it`, () => {
    /** @param {import('mongodb').TopologyDescription} description @param {import('readpref').AnyReadPreference} preference */
    const both = (description, preference) => [driver.inLatencyWindow(description, toMongoDB(preference)), select(topologyDescription(description), preference).inLatencyWindow];
    const [a, b] = ['a.example:27017', 'b.example:27018'];

    const small = { mode: /** @type {const} */ ('primaryPreferred'), maxStalenessSeconds: 5 };
    assert.deepEqual(driver.inLatencyWindow(replicaSet(driver), toMongoDB(small)), [a]);
    refused(() => select(topologyDescription(replicaSet(driver)), small), 'maxStalenessTooSmall', 'readPreference.maxStalenessSeconds');

    assert.throws(() => new driver.mongodb.ReadPreference('secondary', undefined, { maxStalenessSeconds: -1 }), /must be a positive integer/);
    assert.deepEqual(toMongoDB({ mode: 'secondary', maxStalenessSeconds: -1 }), mongodb.ReadPreference.secondary);

    // b wrote 300 s before c.
    const undated = driver.description(
      'ReplicaSetWithPrimary',
      [
        [a, primary({ lastWrite: undefined }), { roundTripTime: 2 }],
        [b, secondary({ lastWrite: { lastWriteDate: new Date(WROTE - 300_000) } }), { roundTripTime: 5 }],
        ['c.example:27017', secondary({ me: 'c.example:27017', lastWrite: { lastWriteDate: new Date(WROTE) } }), { roundTripTime: 5 }],
      ],
      'rs0',
    );
    assert.deepEqual(both(undated, { mode: 'secondary', maxStalenessSeconds: 120 }), [[b, 'c.example:27017'], ['c.example:27017']]);

    const thirds = driver.description('ReplicaSetWithPrimary', [[a, primary(), { roundTripTime: 26 / 3 }], [b, secondary(), { roundTripTime: 71 / 3 }]], 'rs0');
    assert.deepEqual(both(thirds, 'nearest'), [[a], [a, b]]);
  });
}
