// Against the replica set of ../replicaset, whose members are as slow as they are told to be.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { discovered, toMongoDB, watch } from 'readpref/mongodb';
import { startReplicaSet } from '../replicaset/running.mjs';
import { explainSlowReads } from './slow-reads.js';

// a and b in ny, c in sf, d in ldn; the latency window is 100 ms wide. Slow is what c and d take, and nothing else.
const set = await startReplicaSet();
after(() => set.stop());
const thresholdMS = 1500;
await set.control({ do: 'latency', members: ['c', 'd'], ms: 2000 });
const members = await set.control({ do: 'status' });
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => members[name].address);

/** A client that has heard of all members, and what is reported of it. */
async function connected(t, options) {
  const client = new MongoClient(set.uri, { monitorCommands: true, ...options });
  const reported = [];
  const stop = explainSlowReads(client, { thresholdMS, report: (read) => reported.push(read) });
  await client.connect();
  t.after(() => client.close());
  assert.equal(await discovered(client, { timeoutMS: 20_000 }), true);
  return { client, reported, stop, read: (preference) => client.db('shop').collection('orders', { readPreference: toMongoDB(preference) }).findOne() };
}

test('a slow read is explained; a fast one, a write and a command of no interest are not', async (t) => {
  const { client, reported, read } = await connected(t);
  const sf = { mode: 'secondary', tags: [{ dc: 'sf' }] };
  assert.equal((await read(sf)).member, 'c');
  assert.equal((await read('primary')).member, 'a');
  await client.db('shop').collection('orders').insertOne({});
  await client.db('admin').command({ ping: 1 }, { readPreference: toMongoDB(sf) });
  assert.equal(reported.length, 1);

  const [{ command, namespace, address, durationMS, failure, explanation, why, text }] = reported;
  assert.deepEqual([command, namespace, address, failure], ['find', 'shop.orders', c, undefined]);
  assert.ok(durationMS >= thresholdMS, String(durationMS));
  assert.equal(why, 'the only server in the latency window');
  assert.deepEqual(explanation.inLatencyWindow, [c]);
  const lines = text.split('\n');
  assert.match(lines[0], new RegExp(`^slow find on shop\\.orders: \\d+ ms at ${c}$`));
  assert.deepEqual(lines.slice(1, 3), ['  read preference  {"mode":"secondary","tags":[{"dc":"sf"}]}', '  why there        the only server in the latency window']);
  // the others, in the client's order
  assert.deepEqual(
    lines.slice(3).map((line) => line.slice(19)).sort(),
    [
      `${a} RSPrimary: mode secondary uses the secondaries`,
      `${b} RSSecondary: tags[0] needs dc=sf, has dc=ny`,
      `${d} RSSecondary: tags[0] needs dc=sf, has dc=ldn`,
      `${members.e.address} RSArbiter: RSArbiter serves nothing in topology type ReplicaSetWithPrimary`,
    ].sort(),
  );
});

test('two servers in the window: the other one is named', async (t) => {
  const { reported, read } = await connected(t, { localThresholdMS: 60_000 });
  await read({ mode: 'secondary', tags: [{ dc: 'sf' }] });
  const far = reported.at(-1).explanation;
  assert.equal(far.inLatencyWindow.length, 1);
  // b, c and d are all in a window of a minute: sooner or later one of the slow two is drawn
  while (reported.length < 2) await read('secondary');
  const { address, why } = reported[1];
  const others = [b, c, d].filter((other) => other !== address);
  assert.match(why, /^drawn from the latency window, which also has /);
  for (const other of others) assert.ok(why.includes(other), why);
});

test('the explanation is of the moment when the command was sent', async (t) => {
  const { client, reported, read } = await connected(t);
  // The first opens a connection: a command is sent once it has one.
  await read({ mode: 'secondary', tags: [{ dc: 'sf' }] });
  const pending = read({ mode: 'secondary', tags: [{ dc: 'sf' }] });
  await sleep(300);
  await set.control({ do: 'stepDown', member: 'a' });
  await pending;
  t.after(() => set.control({ do: 'elect', member: 'a' }));
  const typeOf = (address) => reported[1].explanation.servers.find((server) => server.address === address).type;
  assert.deepEqual([typeOf(a), typeOf(b)], ['RSPrimary', 'RSSecondary']);
  // the next one is of the next primary
  while ((await client.db('shop').collection('orders').findOne()).member !== 'b') await sleep(50);
  await read({ mode: 'secondary', tags: [{ dc: 'sf' }] });
  const now = reported.at(-1).explanation.servers.find((server) => server.address === b);
  assert.equal(now.type, 'RSPrimary');
});

test('a read that fails slowly is told, too', async (t) => {
  const { reported, read } = await connected(t, { retryReads: false });
  await set.control({ do: 'maintenance', member: 'c', on: true });
  t.after(() => set.control({ do: 'maintenance', member: 'c', on: false }));
  // Its hello takes 2 s to say that it recovers: until then the client reads there.
  await assert.rejects(read({ mode: 'secondary', tags: [{ dc: 'sf' }] }), /not in primary or recovering/);
  assert.deepEqual([reported[0].address, reported[0].failure], [c, 'node is not in primary or recovering state']);
  assert.match(reported[0].text, /, failed: node is not in primary or recovering state\n/);
});

test('what readpref refuses, and the driver takes, is told and harms no read', async (t) => {
  const { reported, read } = await connected(t);
  await set.control({ do: 'latency', member: 'a', ms: 2000 });
  t.after(() => set.control({ do: 'latency', member: 'a', ms: 0 }));
  assert.equal((await read({ mode: 'primaryPreferred', maxStalenessSeconds: 5 })).member, 'a');
  assert.equal(reported[0].explanation, undefined);
  assert.match(reported[0].text, /why there {8}readPreference\.maxStalenessSeconds: /);
});

test('the watch ends: reads go on, and are not explained', async (t) => {
  const { client, reported, read } = await connected(t);
  watch(client).close();
  assert.equal((await read({ mode: 'secondary', tags: [{ dc: 'sf' }] })).member, 'c');
  assert.deepEqual(reported, []);
});

test('it stops, and wants command events', async (t) => {
  const { reported, read, stop } = await connected(t);
  stop();
  await read({ mode: 'secondary', tags: [{ dc: 'sf' }] });
  assert.deepEqual(reported, []);
  assert.throws(() => explainSlowReads(new MongoClient(set.uri)), /monitorCommands: true/);
  assert.throws(() => explainSlowReads(/** @type {any} */ ({ options: { monitorCommands: true } })), { code: 'wrongType', path: 'client' });
});

test('the program prints what README.md shows', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('main.js', import.meta.url))], { env: { ...process.env, MONGODB_URI: set.uri, THRESHOLD_MS: String(thresholdMS) } });
  // primary is a, secondaryPreferred b; nearest with sf is c, and slow
  const names = Object.fromEntries(Object.entries(members).map(([name, { address }]) => [address, `${name}.example:27017`]));
  const printed = stdout.replace(/127\.0\.0\.1:\d+/g, (address) => names[address]).replace(/\d+ ms/, '604 ms');
  const [, shown] = /<!-- prints -->\n```text\n(.*?)```/s.exec(readFileSync(new URL('README.md', import.meta.url), 'utf8'));
  // the set of the README has three members
  const lines = printed.split('\n').filter((line) => !/ [de]\.example/.test(line));
  assert.deepEqual(inAnyOrder(lines), inAnyOrder(shown.split('\n')));
});

/** Lines of servers, whose order is the client's, without what is before the first. */
function inAnyOrder(lines) {
  return lines.map((line) => line.replace('  why not ', '          ')).sort();
}
