// The real Node driver finds its way through the set, which runs as a program of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MongoClient, ReadPreference } from 'mongodb';
import { startReplicaSet } from '../../running.mjs';

const set = await startReplicaSet();
const { control } = set;

let client;

before(async () => {
  client = await new MongoClient(set.uri, { serverSelectionTimeoutMS: 10_000 }).connect();
  await until((servers) => servers.filter((s) => s.type !== 'Unknown').length === 5);
});

after(async () => {
  await client.close();
  await set.stop();
});

/** Waits until what the client knows of the members is as it should be. */
async function until(condition) {
  const deadline = Date.now() + 10_000;
  while (!condition([...client.topology.description.servers.values()])) {
    assert.ok(Date.now() < deadline, 'it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const orders = (readPreference) => client.db('shop').collection('orders', { readPreference });
const read = async (...preference) => (await orders(new ReadPreference(...preference)).findOne()).member;
const write = async () => (await orders().findOneAndUpdate({}, { $inc: { n: 1 } })).member;

test('reads and writes go where they should', async () => {
  assert.equal(await write(), 'a');
  assert.equal(await read('primary'), 'a');
  assert.equal(await read('secondaryPreferred'), 'b'); // c is 200 ms away, d 400; the window is 100 ms
  assert.equal(await read('secondary', [{ dc: 'sf' }]), 'c');
  assert.equal(await read('nearest', [{ dc: 'mars' }, { dc: 'ldn' }]), 'd');
  assert.equal((await orders().insertMany([{}, {}])).insertedCount, 2);
});

test('a step down is streamed', async () => {
  const { b } = await control({ do: 'stepDown', member: 'a' });
  await until((servers) => servers.some((s) => s.address === b.address && s.type === 'RSPrimary'));
  assert.equal(await write(), 'b');
});

test('a lost data centre and its return', async () => {
  await control({ do: 'kill', tags: { dc: 'ny' } });
  // By the ends of the monitors' connections: 7.9.0 does not retry an operation on a connection that has just ended (EPIPE).
  await until((servers) => servers.filter((s) => s.type === 'Unknown').length === 2);
  assert.equal(await write(), 'c'); // 3 of 5 votes are left, and c has the highest priority of them
  assert.equal(await read('secondary'), 'd');
  await control({ do: 'restart', tags: { dc: 'ny' } });
  assert.equal(await read('secondary', [{ rack: '1' }]), 'a');
  await control({ do: 'elect', member: 'a' });
  assert.equal(await write(), 'a');
});
