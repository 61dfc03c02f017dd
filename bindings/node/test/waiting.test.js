// Selections that wait: multi-threaded selection of the Server Selection specification.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { Checkout, Explanation, ReadPrefError, ServerSelectionTimeoutError, Topology } from 'readpref';
import { a, b, primary, secondary, seeds, settled } from './discovery-fixtures.js';

// The timers between checks keep no process alive; a test has to.
const alive = setInterval(() => {}, 60_000);
test.after(() => clearInterval(alive));

/** @param {number} ms */
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds until what is begun is settled, and how. @param {() => Promise<unknown>} begin */
async function timed(begin) {
  const start = performance.now();
  const [result] = await Promise.allSettled([begin()]);
  return { ms: performance.now() - start, result };
}

test('a server that is known is given at once', async () => {
  const topology = new Topology(seeds);
  topology.onHello(a, primary);
  const server = await topology.select();
  assert.equal(server, topology.selectSync());
  assert.equal(await topology.select('primary', { timeoutMS: 5, operation: 'write' }), server);
});

test('a selection waits until a change makes a server suitable', async () => {
  const topology = new Topology(seeds);
  let isOver = false;
  const selected = topology.select('secondary').then((server) => {
    isOver = true;
    return server;
  });
  topology.onHello(a, primary);
  await settled();
  assert.equal(isOver, false);
  topology.onHello(b, secondary);
  assert.deepEqual(await selected, { id: 1, address: b });
});

test('the owner of a description ends the waiting with an update', async () => {
  const topology = new Topology({ type: 'ReplicaSetNoPrimary', servers: [] });
  const selected = topology.select('primary');
  await settled();
  topology.update({ servers: [{ address: 'x.example', type: 'RSPrimary' }] });
  assert.equal((await selected).address, 'x.example:27017');
});

test('a checkout that waited counts', async () => {
  const topology = new Topology(seeds);
  const selected = topology.select('primary', { checkout: true });
  topology.onHello(a, primary);
  const checkout = await selected;
  assert.ok(checkout instanceof Checkout);
  assert.equal(topology.describe().topology.servers[0].operationCount, 1);
  checkout.release();
  assert.equal(topology.describe().topology.servers[0].operationCount, undefined);
});

test('in vain: the error says why', async () => {
  const topology = new Topology(seeds);
  topology.onHello(a, primary, { roundTripTimeMS: 2 });
  const { ms, result } = await timed(() => topology.select('secondary', { timeoutMS: 60 }));
  assert.ok(ms >= 59 && ms < 5000, `after ${ms} ms`);
  assert.equal(result.status, 'rejected');
  const error = result.status === 'rejected' && result.reason;
  assert.ok(error instanceof ServerSelectionTimeoutError && error instanceof ReadPrefError);
  assert.deepEqual([error.name, error.code, error.status, error.path, error.timeoutMS], ['ServerSelectionTimeoutError', 'noServer', -4, '', 60]);
  const { explanation } = error;
  assert.ok(explanation instanceof Explanation);
  assert.deepEqual(explanation.servers.map((s) => s.stage), ['mode', 'type']); // prettier-ignore
  // Server Selection, "Server Selection Errors": some server is available, so the criteria are told.
  assert.ok(error.message.startsWith('no suitable server for a read with read preference secondary: '), error.message);
  assert.ok(error.message.includes('(after 60 ms)\n\n') && error.message.endsWith(explanation.text.trimEnd()));
  const { message } = error.toJSON().error;
  assert.ok(message.endsWith('(after 60 ms)'), message);
});

test('in vain, where no server answered: the error has what they said', async () => {
  const topology = new Topology(seeds, { serverSelectionTimeoutMS: 0 });
  for (const address of [a, b]) topology.onHello(address, {}, { error: 'connection refused' });
  await assert.rejects(topology.select(), /no server is available: .*connection refused.*\(after 0 ms\)/);
});

test('the deadline', async () => {
  // Client Side Operations Timeout: the lesser of serverSelectionTimeoutMS and timeoutMS, and timeoutMS 0 is none.
  for (const [serverSelectionTimeoutMS, timeoutMS, expected] of /** @type {const} */ ([[40, undefined, 40], [40, 10_000, 40], [10_000, 40, 40], [40, 0, 40], [0, 40, 0]])) { // prettier-ignore
    const topology = new Topology(seeds, { serverSelectionTimeoutMS });
    const { ms, result } = await timed(() => topology.select('nearest', { timeoutMS }));
    assert.equal(result.status === 'rejected' && result.reason.timeoutMS, expected);
    assert.ok(ms >= expected - 1 && ms < 5000, `${ms} ms for ${serverSelectionTimeoutMS} and ${timeoutMS}`);
  }
  const fromURI = new Topology('mongodb://a.example/?serverSelectionTimeoutMS=30&timeoutMS=20');
  await assert.rejects(fromURI.select(), { timeoutMS: 20 });
  await assert.rejects(fromURI.select('primary', { timeoutMS: 0 }), { timeoutMS: 30 });
  await assert.rejects(new Topology('mongodb://a.example/?serverSelectionTimeoutMS=10000', { serverSelectionTimeoutMS: 10 }).select(), { timeoutMS: 10 });
  for (const bad of [-1, NaN, Infinity, -Infinity]) {
    await assert.rejects(fromURI.select('primary', { timeoutMS: bad }), { name: 'ReadPrefError', code: 'outOfRange', path: 'timeoutMS' });
    assert.throws(() => new Topology(seeds, { serverSelectionTimeoutMS: bad }), { code: 'outOfRange', path: 'serverSelectionTimeoutMS' });
  }
  for (const bad of ['5', 5n, {}, true]) {
    await assert.rejects(fromURI.select('primary', { timeoutMS: /** @type {any} */ (bad) }), { code: 'wrongType', path: 'timeoutMS' });
  }
});

test('what waiting does not help against fails at once', async () => {
  const topology = new Topology(seeds);
  topology.onHello(a, primary);
  await assert.rejects(topology.select({ mode: 'secondary', maxStalenessSeconds: 45 }), { code: 'maxStalenessTooSmall', minimumSeconds: 90 });
  await assert.rejects(topology.select(/** @type {any} */ ('first')), { code: 'unknownMode' });
  await assert.rejects(topology.select('nearest', { operation: /** @type {any} */ ('delete') }), { code: 'unknownValue' });
  await assert.rejects(topology.select('nearest', /** @type {any} */ ({ timeout: 5 })), { code: 'unknownKey', path: 'timeout' });
  await assert.rejects(topology.select('nearest', /** @type {any} */ ({ checkout: 'yes' })), { code: 'wrongType', path: 'checkout' });
  await assert.rejects(topology.select('nearest', { signal: /** @type {any} */ ({}) }), { code: 'wrongType', path: 'signal' });
  const waiting = topology.select('secondary');
  // Wire versions 30 to 31 are beyond the client's: SDAM, "Checking wire protocol compatibility".
  topology.onHello(b, { ...secondary, minWireVersion: 30, maxWireVersion: 31 });
  await assert.rejects(waiting, { code: 'incompatibleWireVersion' });
  await assert.rejects(topology.select('primary'), { code: 'incompatibleWireVersion' });
});

test('a signal ends the waiting, with its reason', async () => {
  const topology = new Topology(seeds);
  const controller = new AbortController();
  const reason = new Error('no more');
  const waiting = Array.from({ length: 3 }, () => topology.select('nearest', { signal: controller.signal }));
  const other = topology.select('nearest');
  await settled();
  controller.abort(reason);
  for (const promise of waiting) await assert.rejects(promise, (error) => error === reason);
  await assert.rejects(topology.select('nearest', { signal: controller.signal }), (error) => error === reason);
  topology.onHello(a, primary);
  assert.equal((await other).address, a);
  await assert.rejects(topology.select('secondary', { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
  // A server that was given is not taken back.
  const late = new AbortController();
  assert.equal((await topology.select('primary', { signal: late.signal })).address, a);
  late.abort();
});

test('many wait, each for its own, and none is forgotten', async () => {
  const topology = new Topology(seeds);
  const primaries = Array.from({ length: 2000 }, () => topology.select('primary', { checkout: true }));
  const secondaries = Array.from({ length: 2000 }, () => topology.select('secondary'));
  topology.onHello(a, primary);
  for (const checkout of await Promise.all(primaries)) assert.equal(checkout.address, a);
  assert.equal(topology.describe().topology.servers[0].operationCount, 2000);
  topology.onHello(b, secondary);
  for (const server of await Promise.all(secondaries)) assert.equal(server.address, b);
});

test('a change in the middle of a selection is not missed', async () => {
  const topology = new Topology(seeds);
  // The host answers in the very call that asks for a check.
  topology.addEventListener('effect', ({ detail }) => {
    if (detail.effect === 'requestCheck' && detail.address === b) topology.onHello(b, secondary);
  });
  await settled();
  const { ms, result } = await timed(() => topology.select('secondary'));
  assert.equal(result.status, 'fulfilled');
  assert.ok(ms < 400, `${ms} ms`);
});

test('while a selection waits, checks are asked for, every 500 ms', async () => {
  const topology = new Topology(seeds);
  /** @type {[number, string][]} */
  const asked = [];
  topology.addEventListener('effect', ({ detail }) => {
    if (detail.effect === 'requestCheck') asked.push([performance.now(), detail.address]);
  });
  await settled();
  const waiting = [topology.select('nearest', { timeoutMS: 800 }), topology.select('nearest', { timeoutMS: 800 })];
  assert.deepEqual(asked.map(([, address]) => address), [a, b]); // prettier-ignore
  await Promise.allSettled(waiting);
  assert.equal(asked.length, 4);
  assert.ok(asked[2][0] - asked[0][0] > 490);
  await after(600);
  assert.equal(asked.length, 4, 'nobody waits any more');
});

test('operation counts wake nobody', async () => {
  const topology = new Topology(seeds);
  topology.onHello(a, primary);
  const waiting = topology.select('secondary', { timeoutMS: 30 });
  topology.checkout('primary').release();
  await assert.rejects(waiting, { name: 'ServerSelectionTimeoutError' });
});

test('closing ends the waiting', async () => {
  const topology = new Topology(seeds);
  const waiting = topology.select('nearest');
  await settled();
  topology.close();
  await assert.rejects(waiting, { code: 'handle', message: 'topology: this topology is closed' });
  await assert.rejects(topology.select(), { code: 'handle' });
});

test('a selection that waits keeps its process alive, until its answer', () => {
  const wait = "import { Topology } from 'readpref'; const t = new Topology({ seeds: ['a'] });";
  const printed = run(`${wait} await t.select('primary', { timeoutMS: 100 }).catch((error) => console.log(error.name));`);
  assert.equal(printed, 'ServerSelectionTimeoutError\n');
  // Nothing of it is left afterwards: this would end after 30 seconds else.
  const start = performance.now();
  const answered = `${wait} const s = t.select('primary'); t.onHello('a', { ok: 1, isWritablePrimary: true, maxWireVersion: 25 }); await s; console.log('end');`;
  assert.equal(run(answered), 'end\n');
  assert.ok(performance.now() - start < 20_000);
});

/** @param {string} program */
function run(program) {
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: new URL('.', import.meta.url), encoding: 'utf8' });
}

test('the log messages of the specification', async () => {
  /** @type {[string, any][]} */
  const logged = [];
  const topology = new Topology(seeds, { logger: (message, entry) => logged.push([message, entry]) });
  /** @type {any[]} */
  const events = [];
  topology.addEventListener('log', ({ detail }) => events.push(detail));
  topology.onHello(a, primary);
  await topology.select('primary', { operation: 'write', operationName: 'insert', operationId: 7n });
  const selected = topology.select('secondary');
  topology.onHello(b, secondary);
  await selected;
  await assert.rejects(topology.select({ mode: 'secondary', tags: [{ dc: 'ny' }] }, { timeoutMS: 20, operationName: 'find' }));
  assert.deepEqual(
    logged.map(([message, { level, operation, serverHost, serverPort }]) => [message, level, operation, serverHost, serverPort]),
    [
      ['Server selection started', 'debug', 'insert', undefined, undefined],
      ['Server selection succeeded', 'debug', 'insert', 'a.example', 27017],
      ['Server selection started', 'debug', 'read', undefined, undefined],
      ['Waiting for suitable server to become available', 'info', 'read', undefined, undefined],
      ['Server selection succeeded', 'debug', 'read', 'b.example', 27017],
      ['Server selection started', 'debug', 'find', undefined, undefined],
      ['Waiting for suitable server to become available', 'info', 'find', undefined, undefined],
      ['Server selection failed', 'debug', 'find', undefined, undefined],
    ],
  );
  assert.deepEqual(events, logged.map(([, entry]) => entry)); // prettier-ignore
  const [, first] = logged[0];
  assert.deepEqual([first.component, first.selector, first.operationId], ['serverSelection', 'write', 7n]);
  assert.equal(first.topologyDescription.type, 'ReplicaSetWithPrimary');
  const { remainingTimeMS, selector } = logged[6][1];
  assert.ok(remainingTimeMS > 0 && remainingTimeMS <= 20);
  assert.equal(selector, '{"mode":"secondary","tags":[{"dc":"ny"}]}');
  const { failure } = logged[7][1];
  assert.match(failure, /^no suitable server for a read .*: no tag set matches a candidate \(after 20 ms\)$/);

  /** @type {string[]} */
  const lines = [];
  const method = (/** @type {string} */ message) => lines.push(message);
  const other = new Topology({ servers: [{ address: 'x.example', type: 'Mongos' }] }, { logger: { debug: method, info: method } });
  await other.select();
  assert.deepEqual(lines, ['Server selection started', 'Server selection succeeded']);
  for (const bad of ['console', {}, 5, { debug: 1 }]) {
    assert.throws(() => new Topology(seeds, { logger: /** @type {any} */ (bad) }), { code: 'wrongType', path: 'logger' });
  }
});
