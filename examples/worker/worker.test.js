// The worker in workerd, with endpoints on loopback. us is the primary and far away, eu and ap are secondaries.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { Endpoint } from './endpoints.js';
import { startWorker, workerd } from './workerd.js';

if (workerd === undefined) {
  console.log('NOT RUN examples/worker: needs workerd, of which npm has none for this platform');
  process.exit(process.env.CI ? 1 : 0);
}

const eu = await new Endpoint({ region: 'eu', role: 'secondary' }).start();
const us = await new Endpoint({ region: 'us', role: 'primary', term: 3, delayMS: 1500 }).start();
const ap = await new Endpoint({ region: 'ap', role: 'secondary', delayMS: 1500, lagSeconds: 600 }).start();
const all = [eu, us, ap];
const folder = mkdtempSync(join(tmpdir(), 'readpref-worker-'));
let worker;

before(async () => {
  worker = await startWorker(folder, { REPLICAS: JSON.stringify(all.map(({ address }) => `http://${address}`)), LOCAL_THRESHOLD_MS: '700', HEARTBEAT_FREQUENCY_MS: '500' });
});
after(async () => {
  worker.stop();
  for (const endpoint of all) await endpoint.kill();
  rmSync(folder, { recursive: true });
});

/** @param {string} path @param {RequestInit} [init] */
async function ask(path, init) {
  const response = await fetch(worker.url + path, init);
  const [server, why] = ['readpref-server', 'readpref-why'].map((name) => response.headers.get(name));
  return { status: response.status, text: await response.text(), server, why, own: response.headers.get('x-own') };
}
const from = (region, headers) => ({ headers: { 'x-region': region, ...headers } });

/** Asks until it is as it should be: checks run beside requests. */
async function until(path, init, condition) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const answer = await ask(path, init);
    if (condition(answer)) return answer;
    assert.ok(Date.now() < deadline, JSON.stringify(answer));
    await sleep(50);
  }
}

test('a request goes to its region, and says why', async () => {
  const first = await ask('/orders?id=1', from('EU'));
  assert.deepEqual([first.status, first.text, first.server, first.own], [200, 'from eu', eu.address, 'kept']);
  assert.equal(
    first.why,
    [
      `${eu.address} selected: the only server in the latency window`,
      `${us.address} tagSets: tags[0] needs region=eu, has region=us`,
      `${ap.address} tagSets: tags[0] needs region=eu, has region=ap`,
    ].join('; '),
  );
  assert.deepEqual(eu.served, ['GET /orders?id=1']);
  assert.equal((await ask('/', from('us'))).text, 'from us');
  assert.equal((await ask('/', from('ap'))).text, 'from ap');
});

test('without a region, or from one that has none, the nearest serves', async () => {
  const { text, why } = await ask('/');
  assert.equal(text, 'from eu');
  // 1500 ms and more, against some and 700
  assert.match(why, new RegExp(`${us.address} latencyWindow: RTT \\d+(\\.\\d+)? ms, window ends at \\d+(\\.\\d+)? ms`));
  assert.equal((await ask('/', from('antarctica'))).text, 'from eu');
});

test('a write goes to the primary, with its body', async () => {
  const { text, why } = await ask('/orders', { method: 'POST', body: '{"total":5}', ...from('eu') });
  assert.equal(text, 'from us');
  assert.match(why, new RegExp(`${us.address} selected: `));
  assert.deepEqual(us.served.at(-1), 'POST /orders {"total":5}');
});

test('a read preference of the request decides', async () => {
  const secondary = await ask('/', from('us', { 'read-preference': 'readPreference=secondary' }));
  assert.equal(secondary.text, 'from eu'); // no secondary is in us; eu is the nearest
  const fresh = await ask('/', from('ap', { 'read-preference': 'readPreference=secondary&maxStalenessSeconds=120' }));
  assert.equal(fresh.text, 'from eu');
  // it wrote 600 s before the primary, and its checks take a moment
  assert.match(fresh.why, new RegExp(`${ap.address} maxStaleness: stale by 4[78]\\d(\\.\\d+)? s over maxStalenessSeconds 120`));
  const tagged = await ask('/', from('eu', { 'read-preference': 'readPreference=nearest&readPreferenceTags=region:us' }));
  assert.equal(tagged.text, 'from us');
  assert.equal((await ask('/', from('eu', { 'read-preference': 'readPreference=primary' }))).text, 'from us');
});

test('a read preference that is none is the fault of the request', async () => {
  const bad = await ask('/', from('eu', { 'read-preference': 'readPreference=secondry' }));
  assert.equal(bad.status, 400);
  const { error } = JSON.parse(bad.text);
  assert.deepEqual([error.code, error.path, error.message], ['invalidURIOption', 'uriOptions.readPreference', '"secondry" is no read preference mode; the option is ignored']);
  const contrary = await ask('/', from('eu', { 'read-preference': 'readPreference=primary&maxStalenessSeconds=120' }));
  assert.deepEqual([contrary.status, JSON.parse(contrary.text).error.code], [400, 'maxStalenessWithPrimary']);
  // what depends on the deployment, is found when it is asked
  const small = await ask('/', from('eu', { 'read-preference': 'readPreference=nearest&maxStalenessSeconds=5' }));
  assert.deepEqual([small.status, JSON.parse(small.text).error.code], [400, 'maxStalenessTooSmall']);
});

test('the whole explanation', async () => {
  const { text } = await ask('/.readpref', from('eu'));
  assert.match(text, /^topology {4}ReplicaSetWithPrimary regions, 3 servers\n/);
  assert.match(text, /preference {2}nearest, tags \[\{region: eu\}, \{\}\]\n/);
});

test('an endpoint is killed: its requests are served elsewhere, and it is back when it is back', async () => {
  const { port } = eu;
  await eu.kill();
  const hit = await until('/', from('eu'), ({ why }) => why.includes(`${eu.address} failed: `) || why.includes(`${eu.address} type: not available`));
  assert.equal(hit.status, 200);
  assert.notEqual(hit.server, eu.address);
  const down = await until('/', from('eu'), ({ why }) => why.startsWith(`${eu.address} type: not available: `));
  assert.ok(['from us', 'from ap'].includes(down.text));
  await eu.start(port);
  const back = await until('/', from('eu'), ({ text }) => text === 'from eu');
  assert.equal(back.server, eu.address);
});

test('another primary: the one of the higher term counts', async () => {
  Object.assign(ap.state, { role: 'primary', term: 4 });
  await until('/', { method: 'POST', ...from('eu') }, ({ text }) => text === 'from ap');
  // us says still that it is; it is not believed
  const { why } = await ask('/', { method: 'POST' });
  assert.match(why, new RegExp(`${ap.address} selected: `));
  Object.assign(ap.state, { role: 'secondary' });
  Object.assign(us.state, { term: 5 });
  await until('/', { method: 'POST' }, ({ text }) => text === 'from us');
});

test('an endpoint that talks nonsense is not available, and its words do no harm in a header', async () => {
  for (const [nonsense, words] of [
    [{ lastWriteDate: 'yesterday' }, /Invalid time value/],
    [{ region: { continent: 'eu' } }, /tags\.region: expected a string/],
    [{ role: 'primary', term: -1 }, /electionId/],
    [{ role: 'secondary\r\nx-injected: 1', region: 'e\u{1f30d}\nu' }, /RSOther serves nothing/],
  ]) {
    eu.health = nonsense;
    const { status, why } = await until('/', from('eu'), (answer) => words.test(answer.why ?? ''));
    assert.equal(status, 200);
    assert.ok(why.includes(`${eu.address} type: `), why);
  }
  eu.health = 'no JSON';
  await until('/', from('eu'), ({ why }) => /not available: Unexpected/.test(why));
  eu.health = undefined;
  await until('/', from('eu'), ({ text }) => text === 'from eu');
});

test('a worker that is not configured says so', async () => {
  for (const [env, message] of [
    [{}, /configuration: /],
    [{ REPLICAS: '[]' }, /configuration: .*seeds/],
    [{ REPLICAS: '["eu.api.example"]' }, /configuration: .*URL/],
    [{ REPLICAS: JSON.stringify([`http://${eu.address}`]), LOCAL_THRESHOLD_MS: 'far' }, /configuration: localThresholdMS/],
    [{ REPLICAS: JSON.stringify([`http://${eu.address}`]), HEARTBEAT_FREQUENCY_MS: '5' }, /configuration: heartbeatFrequencyMS/],
  ]) {
    const other = mkdtempSync(join(tmpdir(), 'readpref-worker-'));
    const unconfigured = await startWorker(other, env);
    const response = await fetch(unconfigured.url);
    assert.deepEqual([response.status, message.test((await response.json()).message)], [500, true], JSON.stringify(env));
    unconfigured.stop();
    rmSync(other, { recursive: true });
  }
});

test('no primary, no write; no endpoint, no answer: each with its reasons', async () => {
  Object.assign(us.state, { role: 'secondary' });
  const unwritten = await until('/', { method: 'POST' }, ({ status }) => status === 503);
  assert.match(unwritten.why, /^no suitable server for a write/);
  await Promise.all(all.map((endpoint) => endpoint.kill()));
  const { why } = await until('/', from('eu'), ({ status, why: reason }) => status === 503 && reason.startsWith('no server is available'));
  for (const { address } of all) assert.ok(why.includes(`${address} type: not available: `), why);
  for (const endpoint of all) await endpoint.start(endpoint.port);
  assert.equal((await until('/', from('eu'), ({ status }) => status === 200)).text, 'from eu');
});
