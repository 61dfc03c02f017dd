// Topologies that are discovered: docs/json.md, "Discovery".
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { ReadPrefError, Topology, select } from 'readpref';
import { a, b, primary, secondary, seeds, settled } from './discovery-fixtures.js';

/** What a topology tells, in short. @param {Topology} topology */
function recorded(topology) {
  /** @type {string[]} */
  const list = [];
  const types = ['effect', 'topologyOpening', 'topologyClosed', 'topologyDescriptionChanged', 'serverOpening', 'serverClosed', 'serverDescriptionChanged'];
  for (const type of types) topology.addEventListener(type, ({ detail }) => list.push(short(detail)));
  return list;
}

/** @param {any} detail */
const short = (detail) => `${detail.event ?? detail.effect}${detail.address === undefined ? '' : ` ${detail.address[0]}`}`;

const opening = ['topologyOpening', 'topologyDescriptionChanged', 'serverOpening a', 'serverOpening b', 'startMonitor a', 'startMonitor b'];
const closing = ['serverClosed a', 'serverClosed b', 'topologyDescriptionChanged', 'topologyClosed', 'stopMonitor a', 'stopMonitor b'];

test('a replica set is discovered, and told about', async () => {
  const topology = new Topology(seeds, { seed: 1 });
  const told = recorded(topology);
  assert.deepEqual(told, [], 'nothing before the present step is over');
  await settled();
  assert.deepEqual(told.splice(0), opening);

  const outcome = topology.onHello('A.example', primary, { roundTripTimeMS: 2.5, nowMS: 1000 });
  assert.deepEqual([outcome.accepted, outcome.server?.type, outcome.server?.roundTripTimeMS], [true, 'RSPrimary', 2.5]);
  assert.equal(outcome.generation, topology.generation);
  // Told before the call is over: SDAM's order of events, then the effects.
  assert.deepEqual(told.splice(0), ['serverDescriptionChanged a', 'topologyDescriptionChanged', 'poolReady a']);
  topology.onHello(b, secondary, { roundTripTimeMS: 3, nowMS: 1000 });
  told.length = 0;
  // RTT (SDAM): (3.5 + 4 · 2.5) / 5; nothing else changed, so no event.
  assert.equal(topology.onHello(a, null, { roundTripTimeMS: 3.5 }).server?.roundTripTimeMS, 2.7);
  assert.deepEqual(told, []);

  assert.equal(topology.type, 'ReplicaSetWithPrimary');
  assert.deepEqual(topology.selectSync('secondary'), { id: 1, address: b });
  assert.equal(select(topology, 'primary').server?.address, a);

  const failed = topology.onError(b, { kind: 'network', generation: 0, error: 'connection reset', nowMS: 2000 });
  assert.deepEqual([failed.accepted, failed.deprioritize], [true, false]);
  assert.deepEqual(told.splice(0), ['serverDescriptionChanged b', 'topologyDescriptionChanged', 'poolClear b', 'cancelCheck b']);
  assert.throws(() => topology.selectSync('secondary'), { code: 'noServer' });

  topology.close();
  assert.deepEqual(told, closing);
});

test('nowMS is the clock where it is not given', () => {
  const topology = new Topology(seeds);
  const before = Date.now();
  const { server } = topology.onHello(a, primary);
  assert.ok(Number(server?.lastUpdateTimeMS) >= before && Number(server?.lastUpdateTimeMS) <= Date.now());
  assert.equal(topology.onHello(a, primary, { nowMS: 5 }).server?.lastUpdateTimeMS, 5);
  topology.onError(b, { kind: 'network' });
});

test('what waits is kept until somebody listens', async () => {
  const topology = new Topology(seeds);
  topology.onHello(a, primary, { nowMS: 1 });
  const waiting = topology.pendingEvents();
  assert.deepEqual(topology.pendingEvents(), waiting, 'asking forgets nothing');
  assert.ok(Object.isFrozen(waiting.events[0]));
  assert.deepEqual(waiting.events.slice(0, 6).map(short), opening);
  assert.equal(waiting.last, waiting.events.at(-1)?.sequence);
  topology.acknowledgeEvents(4);
  assert.throws(() => topology.acknowledgeEvents(waiting.last + 1), { code: 'outOfRange', path: 'upto' });
  await settled();
  const told = recorded(topology);
  await settled();
  assert.deepEqual(told.slice(0, 2), opening.slice(4));
  assert.deepEqual(topology.pendingEvents().events, []);
});

test('a listener may take the next step: what that causes comes behind', async () => {
  const topology = new Topology(seeds);
  const told = recorded(topology);
  topology.addEventListener('effect', ({ detail }) => {
    if (detail.effect === 'startMonitor') topology.onHello(detail.address, detail.address === a ? primary : secondary, { nowMS: 1 });
  });
  await settled();
  assert.deepEqual(told.slice(0, 6), opening);
  assert.deepEqual(told.slice(6), ['serverDescriptionChanged a', 'topologyDescriptionChanged', 'poolReady a', 'serverDescriptionChanged b', 'topologyDescriptionChanged', 'poolReady b']);
});

test('events are read by iterators, which end with the topology', async () => {
  const topology = new Topology(seeds);
  const first = topology.events();
  /** @type {string[]} */
  const read = [];
  const reading = (async () => {
    for await (const change of topology) read.push(short(change));
  })();
  const { value } = await first.next();
  assert.deepEqual(value, { sequence: 1, event: 'topologyOpening' });
  assert.ok(Object.isFrozen(value));
  assert.deepEqual(await first.return?.(), { value: undefined, done: true });
  assert.deepEqual(await first.next(), { value: undefined, done: true });
  topology.close();
  await reading;
  assert.deepEqual(read, [...opening, ...closing]);
  assert.throws(() => topology.events(), { code: 'handle' });
  assert.deepEqual(await new Topology({ servers: [] })[Symbol.asyncIterator]().return?.(), { value: undefined, done: true });
});

test('a reader that is too slow loses the oldest events, and no effect', async () => {
  const topology = new Topology({ seeds: [a], replicaSet: 'rs0' });
  const iterator = topology.events();
  await settled();
  // Four events and a startMonitor were first; each turn is two events more.
  const turns = 5100;
  for (let turn = 0; turn < turns; turn++) topology.onHello(a, { ...secondary, hosts: [a], tags: { turn: String(turn) } }, { nowMS: 1 });
  topology.close();
  let events = 0;
  let dropped = 0;
  /** @type {string[]} */
  const effects = [];
  for await (const change of iterator) {
    if ('effect' in change) effects.push(short(change));
    else if (change.event === 'eventsDropped') dropped += change.dropped;
    else events++;
  }
  assert.equal(events, 10_000);
  // Opening: topologyOpening, topologyDescriptionChanged, serverOpening; closing as many.
  assert.equal(dropped, 3 + 2 * turns + 3 - 10_000);
  assert.deepEqual(effects, ['startMonitor a', 'poolReady a', 'stopMonitor a']);
});

test('events that the engine lost are counted', async () => {
  const topology = new Topology({ seeds: [a], replicaSet: 'rs0' });
  for (let turn = 0; turn < 5100; turn++) topology.onHello(a, { ...secondary, hosts: [a], tags: { turn: String(turn) } }, { nowMS: 1 });
  const [event] = await once(/** @type {any} */ (topology), 'eventsDropped');
  assert.deepEqual(event.detail, { event: 'eventsDropped', dropped: 3 + 2 * 5100 - 10_000 });
});

test('a shut down topology says goodbye, and has no server any more', async () => {
  const topology = new Topology(seeds);
  const told = recorded(topology);
  topology.onHello(a, primary, { nowMS: 1 });
  await settled();
  told.length = 0;
  const waiting = assert.rejects(topology.select('secondary'), { name: 'ReadPrefError', code: 'noServer', message: 'the topology was shut down' });
  const generation = topology.shutdown();
  await waiting;
  assert.equal(generation, topology.generation);
  assert.deepEqual(told.filter((what) => what !== 'requestCheck a' && what !== 'requestCheck b'), closing); // prettier-ignore
  await assert.rejects(topology.select('primary'), { code: 'noServer' });
  assert.equal(topology.onHello(a, primary).accepted, false);
  topology.shutdown();
  topology.close();
});

test('from a connection string', () => {
  const topology = new Topology('mongodb://A.example,b.example/?replicaSet=rs0&readPreference=secondary&localThresholdMS=7', { heartbeatFrequencyMS: 600 });
  topology.onHello(a, primary, { nowMS: 1 });
  topology.onHello(b, secondary, { nowMS: 1 });
  assert.equal(topology.readPreference.mode, 'secondary');
  assert.equal(topology.selectSync().address, b);
  assert.equal(topology.checkout(null).address, b);
  assert.deepEqual(topology.batch(undefined, 2).map((s) => s.address), [b, b]); // prettier-ignore
  assert.equal(topology.explain().server?.address, b);
  assert.equal(topology.selectSync('primary').address, a);
  const { localThresholdMS, heartbeatFrequencyMS, replicaSet, seeds: known } = topology.describe();
  assert.deepEqual([localThresholdMS, heartbeatFrequencyMS, replicaSet, known], [7, 600, 'rs0', [a, b]]);
  assert.throws(() => new Topology('mongodb://'), { name: 'ReadPrefError' });
  assert.throws(() => new Topology({ uri: 'localhost' }), { code: 'invalidURI', path: 'uri' });
  assert.throws(() => new Topology({ seeds: [] }), { path: 'seeds' });
  assert.throws(() => new Topology({ seeds: [a], uri: 'mongodb://a' }), { name: 'ReadPrefError' });
  assert.throws(() => new Topology({ seeds: [a, b], directConnection: true }), { code: 'directConnectionWithMultipleHosts' });
});

test('from mongodb+srv, with later scans', () => {
  const topology = new Topology({ uri: 'mongodb+srv://cluster.example.com', srv: [{ target: 'm1.example.com', port: 27017, ttlSeconds: 60 }] });
  assert.deepEqual(topology.describe().seeds, ['m1.example.com:27017']);
  const { added, removed, nextMS } = topology.onSRV([{ target: 'm2.example.com.', port: 27017, ttlSeconds: 120 }]);
  assert.deepEqual([added, removed, nextMS], [['m2.example.com:27017'], ['m1.example.com:27017'], 120_000]);
  assert.throws(() => new Topology(seeds).onSRV([]), { code: 'argument' });
});

test('discovery goes on from what describe gave', () => {
  const first = new Topology(seeds, { seed: 5 });
  first.onHello(a, primary, { roundTripTimeMS: 2, nowMS: 1 });
  first.onError(b, { kind: 'network', nowMS: 1 });
  const second = Topology.open(JSON.parse(JSON.stringify(first.describe())));
  assert.deepEqual(second.describe(), first.describe());
  assert.deepEqual(new Topology(/** @type {any} */ (first.describe())).describe(), first.describe());
  assert.equal(second.selectSync().address, a);
});

test('a command carries what its server needs', () => {
  const topology = new Topology(seeds);
  topology.onHello(a, primary, { nowMS: 1 });
  topology.onHello(b, secondary, { nowMS: 1 });
  const server = topology.selectSync('secondary');
  assert.deepEqual(topology.command(server, 'secondary'), { $readPreference: { mode: 'secondary' } });
  assert.deepEqual(topology.command(server.id), { $readPreference: null });
  assert.deepEqual(topology.command(server, 'secondary', { operation: 'write' }), { $readPreference: null });
  const { effectiveReadPreference } = topology.command(server, 'secondary', { operation: 'aggregateWithWriteStage' });
  assert.equal(effectiveReadPreference?.mode, 'secondary'); // both members are newer than 5.0 (wire version 13)
  assert.throws(() => topology.command(99), { code: 'argument', path: 'id' });
});

test('a server that is overloaded is left to others, where that is asked for', () => {
  const topology = new Topology(seeds, { enableOverloadRetargeting: true });
  topology.onHello(a, primary, { nowMS: 1 });
  const overloaded = topology.onError(a, { kind: 'command', labels: ['SystemOverloadedError', 'RetryableError'], reply: { ok: 0, code: 462, errmsg: 'overloaded' } });
  assert.equal(overloaded.deprioritize, true);
});

test('bad replies change nothing', () => {
  const topology = new Topology(seeds);
  const before = topology.describe();
  /** @type {[() => unknown, string, string][]} */
  const bad = [
    [() => topology.onHello(a, /** @type {any} */ ({ ...primary, hosts: 'a' })), 'wrongType', 'hello.hosts'],
    [() => topology.onHello(a, /** @type {any} */ (5)), 'wrongType', 'hello'],
    [() => topology.onHello(a, { x: NaN }), 'invalidJSON', 'hello.x'],
    [() => topology.onHello(a, primary, { roundTripTimeMS: -1 }), 'outOfRange', 'roundTripTimeMS'],
    [() => topology.onHello(a, primary, { roundTripTimeMS: NaN }), 'invalidJSON', 'roundTripTimeMS'],
    [() => topology.onHello(a, primary, { nowMS: 1.5 }), 'wrongType', 'nowMS'],
    [() => topology.onHello(a, primary, /** @type {any} */ ({ rtt: 1 })), 'unknownKey', 'rtt'],
    [() => topology.onHello(a, primary, /** @type {any} */ ({ hello: primary })), 'unknownKey', 'hello'],
    [() => topology.onHello(a, primary, /** @type {any} */ (2.5)), 'argument', ''],
    [() => topology.onHello(/** @type {any} */ (undefined), primary), 'missingKey', 'address'],
    [() => topology.onHello('\ud800', primary), 'invalidUTF8', 'address'],
    [() => topology.onError(a, /** @type {any} */ (undefined)), 'missingKey', 'kind'],
    [() => topology.onError(a, /** @type {any} */ ({ kind: 'timeout' })), 'unknownValue', 'kind'],
    [() => topology.onError(a, /** @type {any} */ ({ kind: 'network', topology: 1 })), 'unknownKey', 'topology'],
    [() => topology.onError(a, /** @type {any} */ (new Error('x'))), 'missingKey', 'kind'],
    [() => topology.update({ servers: [] }), 'argument', 'topology'],
    [() => new Topology({ servers: [] }).onHello(a, primary), 'argument', 'topology'],
  ];
  for (const [act, code, path] of bad) {
    assert.throws(act, (/** @type {any} */ e) => e instanceof ReadPrefError && e.code === code && e.path === path, String(act));
  }
  assert.throws(() => topology.onHello(a, primary, /** @type {any} */ (2.5)), /^ReadPrefError: options are an object, \{roundTripTimeMS: /);
  assert.throws(() => topology.onError(a, /** @type {any} */ ('reset')), /^ReadPrefError: an operation's error is an object, \{kind: /);
  assert.deepEqual(topology.describe(), before);
  assert.equal(topology.onHello('x.example', primary).accepted, false);
  topology.close();
  for (const use of [() => topology.onHello(a, primary), () => topology.onError(a, { kind: 'network' }), () => topology.onSRV([]), () => topology.shutdown(), () => topology.pendingEvents(), () => topology.toJSON(), () => select(topology)]) {
    assert.throws(use, { code: 'handle', message: 'topology: this topology is closed' }, String(use));
  }
});

test('what is thrown by a listener does not disturb discovery', () => {
  // Both are reported as Node.js reports what listeners throw, which ends a program
  // that does not listen for it.
  const program = `
    import { Topology } from 'readpref';
    import { a, primary, seeds, settled } from './discovery-fixtures.js';
    const uncaught = [];
    process.on('uncaughtException', (error) => uncaught.push(error.message));
    const topology = new Topology(seeds, { logger: () => { throw new Error('logger'); } });
    topology.addEventListener('serverDescriptionChanged', () => { throw new Error('listener'); });
    await settled();
    const { accepted } = topology.onHello(a, primary);
    const { address } = await topology.select();
    await settled();
    console.log(accepted, address, uncaught.sort().join());`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: new URL('.', import.meta.url), encoding: 'utf8' });
  assert.equal(printed, 'true a.example:27017 listener,logger,logger\n');
});
