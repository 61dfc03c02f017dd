// readpref/mongodb with the official driver's clients, on a replica set that fails on request: what is built from public
// events is what the driver has inside, and explain gives the servers that the driver draws from.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { ReadPreference } from 'readpref';
import { OperationCounts, discovered, explain, toMongoDB, topologyDescription, watch } from 'readpref/mongodb';
import { drivers } from './drivers.js';
import { startReplicaSet } from '../../../../examples/replicaset/running.mjs';

/** @type {Awaited<ReturnType<typeof startReplicaSet>>} */
let set;
before(async () => {
  set = await startReplicaSet();
});
after(() => set.stop());

/** What the driver selects from, which it shows no one. @param {any} client @returns {import('mongodb').TopologyDescription} */
const inside = (client) => client.topology.description;

/** @param {() => boolean | Promise<boolean>} condition */
async function until(condition) {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, 'it did not happen in time');
    await sleep(20);
  }
}

/** Who serves a read. @param {import('mongodb').Collection} collection */
const memberOf = async (collection) => (await collection.findOne())?.member;

const tagSets = [[], [{ dc: 'ny' }], [{ dc: 'sf' }], [{ dc: 'ldn' }, {}], [{ dc: 'ny', rack: '1' }], [{ dc: 'mars' }, { dc: 'sf' }], [{ dc: 'mars' }]];
const preferences = [new ReadPreference('primary')];
for (const mode of /** @type {const} */ (['primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'])) {
  for (const tags of tagSets) {
    for (const maxStalenessSeconds of [undefined, 120, 90]) preferences.push(new ReadPreference(mode, { tags, maxStalenessSeconds }));
  }
}

for (const { mongodb, version, inLatencyWindow } of drivers) {
  /**
   * Both are read at one moment: nothing runs in between.
   *
   * @param {import('mongodb').MongoClient} client
   */
  function agrees(client) {
    const ours = topologyDescription(client);
    const theirs = topologyDescription(inside(client));
    assert.deepEqual(withoutClock(ours), withoutClock(theirs));
    ours.servers?.forEach((server, i) => assert.ok(Math.abs(clock(server) - clock(theirs.servers?.[i])) <= 100, `${JSON.stringify(server)} ${JSON.stringify(theirs.servers?.[i])}`));
    let found = 0;
    for (const preference of preferences) {
      const { inLatencyWindow: expected } = explain(client, preference);
      assert.deepEqual(expected, inLatencyWindow(inside(client), toMongoDB(preference)), String(preference));
      if (expected.length > 0) found++;
    }
    return found;
  }

  test(`mongodb ${version}: what public events say is what the driver has, in every state of the set`, async (t) => {
    const client = new mongodb.MongoClient(set.uri, { heartbeatFrequencyMS: 500, monitorCommands: true, readPreference: 'secondaryPreferred' });
    t.after(() => client.close());
    watch(client);
    const counts = new OperationCounts(client);
    assert.equal(await discovered(client, { timeoutMS: 0 }), false);
    await client.connect();
    assert.equal(await discovered(client), true);
    const names = Object.fromEntries(Object.entries(await set.control({ do: 'status' })).map(([name, { address }]) => [address, name]));
    const nameOf = (/** @type {string | undefined} */ address) => names[address ?? ''];
    const states = [];
    states.push(agrees(client));

    // Round-trip times and last writes change, and no event says so.
    let told = 0;
    client.on('topologyDescriptionChanged', () => told++);
    const dateOf = () => serverOf(client).lastWriteDate;
    const date = dateOf();
    await set.control({ do: 'latency', member: 'b', ms: 30 });
    await sleep(2200);
    assert.equal(told, 0);
    assert.ok(dateOf() >= date + 1000, `${dateOf() - date}`);
    states.push(agrees(client));
    await set.control({ do: 'latency', member: 'b', ms: 0 });

    const orders = client.db('shop').collection('orders');
    // b; and c and d, 200 ms and 400 ms away, where a busy machine makes b slow
    const near = explain(orders).inLatencyWindow.map(nameOf);
    assert.ok(near.includes(await memberOf(orders)), near.join());
    assert.deepEqual([...counts], []);

    // 300 s behind: over 120 s, whatever the heartbeat adds
    await set.control({ do: 'lag', member: 'b', seconds: 300 });
    const stale = new ReadPreference('secondary', { maxStalenessSeconds: 120 });
    const placeOf = (/** @type {string} */ name) => [...inside(client).servers.keys()].findIndex((address) => nameOf(address) === name);
    await until(() => explain(client, stale).servers[placeOf('b')]?.stage === 'maxStaleness');
    const chosen = explain(client, stale);
    assert.ok(['c', 'd'].includes(nameOf(chosen.server?.address)), chosen.text);
    assert.match(String(chosen.servers[placeOf('b')]?.why), /^stale by \d+(\.\d+)? s over maxStalenessSeconds 120$/);
    states.push(agrees(client));
    await set.control({ do: 'lag', member: 'b', seconds: 0 });

    await set.control({ do: 'stepDown', member: 'a', elect: false });
    await until(() => inside(client).type === 'ReplicaSetNoPrimary');
    assert.equal(explain(client, 'primary').server, null);
    states.push(agrees(client));
    await set.control({ do: 'elect', member: 'a' });
    await until(() => explain(client, 'primary').server !== null);

    await set.control({ do: 'kill', tags: { dc: 'ny' } });
    await until(() => [...inside(client).servers.values()].filter((server) => server.type === 'Unknown').length === 2);
    await until(() => nameOf(explain(client, 'primary').server?.address) === 'c');
    assert.equal(await discovered(client), true);
    states.push(agrees(client));
    assert.match(String(explain(client).servers[placeOf('a')]?.why), /^not available: /);
    await set.control({ do: 'restart', tags: { dc: 'ny' } });
    await set.control({ do: 'elect', member: 'a' });
    await until(() => nameOf(explain(client, 'primary').server?.address) === 'a' && explain(client, { mode: 'secondary', tags: [{ rack: '2' }] }).server !== null);
    // A member that was lost is measured anew.
    await sleep(1200);
    states.push(agrees(client));

    // primary, and modes with some tag set that matches: every state serves some
    assert.deepEqual(states.map((found) => found > 40), states.map(() => true));
    await client.close();
    assert.throws(() => explain(client), { code: 'handle', path: 'client' });
    await client.connect();
    await discovered(client);
    const first = client.db('shop').collection('orders', { readPreference: toMongoDB({ mode: 'secondary', tags: [{ rack: '2' }] }) });
    assert.equal(nameOf(explain(first).server?.address), 'b');
    assert.equal(await memberOf(first), 'b');
    await client.close();
  });

  test(`mongodb ${version}: operations in progress are known while they are`, async (t) => {
    const client = new mongodb.MongoClient(set.uri, { monitorCommands: true });
    t.after(() => client.close());
    watch(client);
    const counts = new OperationCounts(client);
    await client.connect();
    await discovered(client);
    const { c } = await set.control({ do: 'status' });
    const read = memberOf(client.db('shop').collection('orders', { readPreference: toMongoDB({ mode: 'secondary', tags: [{ dc: 'sf' }] }) }));
    // c takes 200 ms to answer
    await until(() => counts.get(/** @type {any} */ (c).address) === 1);
    const busy = topologyDescription(client, { operationCounts: counts }).servers?.find((server) => server.address === c?.address);
    assert.equal(/** @type {any} */ (busy).operationCount, 1);
    assert.equal(await read, 'c');
    assert.equal(counts.get(/** @type {any} */ (c).address), 0);
    await client.close();
  });

  test(`mongodb ${version}: a client that cannot connect`, async (t) => {
    const client = new mongodb.MongoClient('mongodb://127.0.0.1:1/?replicaSet=rs0', { serverSelectionTimeoutMS: 300 });
    t.after(() => client.close());
    watch(client);
    await assert.rejects(client.connect(), /ECONNREFUSED/);
    // the driver has closed its topology
    assert.throws(() => explain(client), { code: 'handle', path: 'client' });
    const again = assert.rejects(client.connect(), /ECONNREFUSED/);
    await until(() => /ECONNREFUSED/.test(JSON.stringify(inside(client)?.servers.get('127.0.0.1:1')?.error?.message ?? '')));
    assert.match(explain(client, 'nearest').text, /not available: connect ECONNREFUSED/);
    await again;
  });
}

/** @param {import('readpref').TopologyDescription} description */
function withoutClock({ servers, ...others }) {
  return { ...others, servers: servers?.map((server) => ({ ...server, lastUpdateTimeMS: undefined })) };
}

/** @param {import('mongodb').MongoClient} client @returns {any} */
const serverOf = (client) => topologyDescription(client).servers?.[0];

/** @param {any} server */
const clock = (server) => server.lastUpdateTimeMS ?? 0;
