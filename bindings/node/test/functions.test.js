// The functions about connection strings, commands and round-trip times. Expected
// values are those of docs/json.md, which cites the specifications.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadPreference, Topology, command, effectivePreference, parseHello, parseURI, pollSRV, readable, resolveSRV, rtt, toURI, writable } from 'readpref';
import { replicaSet } from './fixtures.js';

const secondary = new ReadPreference('secondary');

test('a connection string is taken apart', () => {
  const uri =
    'mongodb://app:s%40fe@DB1.example,[fd00::2]:27018/shop?replicaSet=rs0&readPreference=nearest&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=&compressors=zstd,snappy&w=majority&retryReads=false';
  const parsed = parseURI(uri);
  assert.deepEqual(parsed.seeds, ['db1.example:27017', '[fd00::2]:27018']);
  assert.deepEqual([parsed.srv, parsed.username, parsed.password, parsed.database], [false, 'app', 's@fe', 'shop']);
  assert.ok(parsed.readPreference instanceof ReadPreference);
  assert.deepEqual(parsed.readPreference.tags, [{ dc: 'ny', rack: '1' }, {}]);
  assert.deepEqual(parsed.options, { replicaSet: 'rs0', compressors: ['zstd', 'snappy'], w: 'majority', retryReads: false });
  assert.ok(Object.isFrozen(parsed) && Object.isFrozen(parsed.hosts[0]) && Object.isFrozen(parsed.options));
  assert.deepEqual(parseURI('mongodb+srv://cluster0.example.com').lookup, { srv: '_mongodb._tcp.cluster0.example.com', txt: 'cluster0.example.com' });
  assert.equal(parseURI('mongodb://a.example/?slaveOk=true').warnings[0].path, 'options.slaveOk');
});

test('a connection string that is none', () => {
  /** @type {[any, string, string][]} */
  const bad = [
    ['localhost:27017', 'invalidURI', 'uri'],
    ['mongodb://a.example,b.example:0', 'invalidHost', 'hosts[1]'],
    ['mongodb://a.example/?readPreferenceTags=dc:ny', 'tagsWithPrimary', 'options.readPreferenceTags'],
    ['', 'invalidURI', 'uri'],
    [undefined, 'missingKey', 'uri'],
    [null, 'missingKey', 'uri'],
    [5, 'wrongType', 'uri'],
    [{}, 'wrongType', 'uri'],
    [Symbol('x'), 'invalidJSON', 'uri'],
    ['mongodb://\ud800', 'invalidUTF8', 'uri'],
    ['mongodb://'.padEnd(2 ** 24, 'x'), 'documentTooLarge', ''],
  ];
  for (const [uri, code, path] of bad) assert.throws(() => parseURI(uri), { name: 'ReadPrefError', code, path }, String(uri).slice(0, 30));
  assert.throws(() => parseURI('mongodb://user:secret@:1'), (/** @type {any} */ e) => !/secret|user/.test(e.message));
});

test('arguments that are left out are named', () => {
  assert.throws(() => parseURI(/** @type {any} */ (undefined)), { code: 'missingKey', path: 'uri' });
  assert.throws(() => parseHello(/** @type {any} */ (undefined)), { code: 'missingKey', path: 'address' });
  assert.throws(() => resolveSRV('mongodb+srv://a.example.com', /** @type {any} */ (5)), /^ReadPrefError: DNS answers are an object/);
  assert.throws(() => pollSRV('mongodb+srv://a.example.com', [], /** @type {any} */ (5)), /^ReadPrefError: options are an object, \{current: /);
});

test('what DNS says about a connection string', () => {
  const uri = 'mongodb+srv://cluster0.example.com/?readPreference=nearest';
  const srv = [
    { target: 'DB1.example.com.', port: 27017, ttlSeconds: 300 },
    { target: 'db2.example.com', port: 27018, ttlSeconds: 120 },
  ];
  const resolved = resolveSRV(uri, { srv, txt: [['replicaSet=r', 's0&authSource=admin']] });
  assert.deepEqual(resolved.seeds, ['db1.example.com:27017', 'db2.example.com:27018']);
  assert.deepEqual([resolved.options.replicaSet, resolved.rescanMS, resolved.readPreference.mode], ['rs0', 120_000, 'nearest']);
  assert.throws(() => resolveSRV(uri, { srv: [] }), { code: 'noSRVRecords', path: 'srv' });
  assert.throws(() => resolveSRV(uri, /** @type {any} */ (undefined)), { code: 'missingKey', path: 'srv' });
  assert.throws(() => resolveSRV('mongodb://a.example', { srv }), { code: 'argument' });
  const { added, removed, nextMS } = pollSRV(uri, srv, { current: ['db1.example.com:27017', 'db3.example.com:27017'] });
  assert.deepEqual([added, removed, nextMS], [['db2.example.com:27018'], ['db3.example.com:27017'], 120_000]);
  assert.equal(pollSRV(uri, [], { current: ['db1.example.com:27017'], heartbeatFrequencyMS: 700 }).nextMS, 700);
  assert.throws(() => pollSRV(uri, srv, /** @type {any} */ ({})), { code: 'missingKey', path: 'current' });
  assert.throws(() => pollSRV(uri, srv, /** @type {any} */ ({ current: [], heartbeat: 1 })), { code: 'unknownKey', path: 'heartbeat' });
  assert.throws(() => resolveSRV(uri, /** @type {any} */ ({ srv, TXT: [] })), { code: 'unknownKey', path: 'TXT' });
  assert.throws(() => resolveSRV(uri, { srv }, /** @type {any} */ (5)), { code: 'argument' });
  // srvMaxHosts with a seed repeats; without one it is drawn.
  const many = Array.from({ length: 50 }, (_, i) => ({ target: `h${i}.example.com`, port: 27017 }));
  const one = (/** @type {number | undefined} */ seed) => resolveSRV('mongodb+srv://cluster0.example.com/?srvMaxHosts=1', { srv: many }, { seed }).seeds[0];
  assert.equal(one(3), one(3));
  assert.ok(new Set(Array.from({ length: 20 }, () => one(undefined))).size > 1);
});

test('a preference as options of a connection string, and back', () => {
  const preference = new ReadPreference('secondary', { tags: [{ dc: 'ny', rack: '1' }, { dc: 'new york & sf' }, {}], maxStalenessSeconds: 120 });
  const query = toURI(preference);
  assert.equal(query, 'readPreference=secondary&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=dc:new%20york%20%26%20sf&readPreferenceTags=&maxStalenessSeconds=120');
  assert.ok(ReadPreference.fromUriOptions(query).equals(preference));
  assert.ok(parseURI(`mongodb://a.example/?${query}`).readPreference.equals(preference));
  assert.equal(toURI('nearest'), 'readPreference=nearest');
  assert.equal(toURI({ mode: 'nearest' }), 'readPreference=nearest');
  assert.throws(() => toURI({ mode: 'nearest', tags: [{}, { dc: 'ny,sf' }] }), { code: 'invalidURIOption', path: 'readPreference.tags[1]' });
  assert.throws(() => toURI(/** @type {any} */ ('first')), { code: 'unknownMode' });
});

test('round-trip times', () => {
  assert.deepEqual(rtt([10, 20, 20]), { roundTripTimeMS: 13.6, minRoundTripTimeMS: 10, averagesMS: [10, 12, 13.6] });
  assert.deepEqual(rtt([0.5, null, 3], 4), { roundTripTimeMS: 3, minRoundTripTimeMS: 0, averagesMS: [3.3, null, 3] });
  assert.deepEqual(rtt([]), { roundTripTimeMS: null, minRoundTripTimeMS: null, averagesMS: [] });
  assert.throws(() => rtt([10, -1]), { code: 'outOfRange', path: 'samplesMS[1]' });
  assert.throws(() => rtt([NaN]), { code: 'invalidJSON', path: 'samplesMS[0]' });
  assert.throws(() => rtt(/** @type {any} */ (5)), { code: 'wrongType', path: 'samplesMS' });
  assert.throws(() => rtt(/** @type {any} */ (undefined)), { code: 'missingKey', path: 'samplesMS' });
});

test('what a command carries', () => {
  const mongos = { servers: [{ address: 'm1.example:27017', type: /** @type {const} */ ('Mongos') }] };
  assert.deepEqual(command(mongos, 'm1.example', secondary), { $readPreference: { mode: 'secondary' } });
  assert.deepEqual(command(new Topology(mongos), 'm1.example'), { $readPreference: null });
  assert.deepEqual(command(mongos, 'm1.example', 'secondaryPreferred', { opcode: 'OP_QUERY' }), { $readPreference: null, secondaryOk: true });
  const old = { servers: [{ address: 'a.example', type: /** @type {const} */ ('RSPrimary'), maxWireVersion: 9 }] };
  const { effectiveReadPreference, warnings } = command(old, 'a.example', { mode: 'nearest', hedge: {} }, { operation: 'aggregateWithWriteStage' });
  assert.ok(effectiveReadPreference instanceof ReadPreference && effectiveReadPreference.mode === 'primary');
  assert.equal(warnings?.[0].code, 'hedgeDeprecated');
  assert.throws(() => command(/** @type {any} */ (undefined), 'a'), { code: 'missingKey', path: 'topology' });
  assert.throws(() => command(mongos, /** @type {any} */ (undefined)), { code: 'missingKey', path: 'server' });
  assert.throws(() => command(mongos, 'm1', 'nearest', /** @type {any} */ ({ opCode: 'OP_MSG' })), { code: 'unknownKey', path: 'opCode' });
});

test('which preference an operation uses', () => {
  const clientReadPreference = secondary;
  const find = effectivePreference({ command: 'find', clientReadPreference, collectionReadPreference: { mode: 'nearest' } });
  assert.ok(find.readPreference instanceof ReadPreference);
  assert.deepEqual([find.readPreference.mode, find.operation, find.kind, find.from, find.selects], ['nearest', 'read', 'mayUseSecondary', 'collection', true]);
  // Server Selection, "Use of read preferences with commands": the generic helper passes over the client's.
  assert.equal(effectivePreference({ command: 'ping', runCommand: true, clientReadPreference }).readPreference.mode, 'primary');
  assert.equal(effectivePreference({ command: { insert: 'c', documents: [] } }).operation, 'write');
  assert.equal(effectivePreference({ command: { aggregate: 'c', pipeline: [{ $out: 'd' }] }, clientReadPreference }).operation, 'aggregateWithWriteStage');
  assert.equal(effectivePreference({ command: 'getMore' }).selects, false);
  assert.throws(() => effectivePreference({ command: 'find', transaction: {}, readPreference: { mode: 'nearest' } }), {
    code: 'transactionReadPreferenceNotPrimary',
    status: -40,
    message: /read preference in a transaction must be primary/,
  });
  for (const none of [undefined, null, 5]) assert.throws(() => effectivePreference(/** @type {any} */ (none)), { name: 'ReadPrefError', code: 'wrongType' });
});

test('readable and writable', () => {
  assert.equal(readable(replicaSet), true);
  assert.equal(writable(new Topology(replicaSet)), true);
  const headless = { type: /** @type {const} */ ('ReplicaSetNoPrimary'), servers: replicaSet.servers.slice(1) };
  // SDAM Monitoring, "Determining If A Topology Has Readable/Writable Servers".
  assert.deepEqual([readable(headless), readable(headless, 'secondary'), writable(headless)], [false, true, false]);
  assert.throws(() => readable(/** @type {any} */ (undefined)), { code: 'missingKey', path: 'topology' });
  assert.throws(() => writable(/** @type {any} */ (null)), { code: 'missingKey', path: 'topology' });
});

test('a command gets what is to be attached, and no null', () => {
  const find = { find: 'orders', $db: 'shop' };
  const sharded = { type: 'Sharded', servers: [{ address: 'm:1', type: 'Mongos' }] };
  const attached = command(/** @type {any} */ (sharded), 'm:1', secondary).attach(find);
  assert.deepEqual(attached, { ...find, $readPreference: { mode: 'secondary' } });
  // Primary attaches none to a mongos.
  const none = command(/** @type {any} */ (sharded), 'm:1', 'primary');
  assert.equal(none.$readPreference, null);
  assert.deepEqual(none.attach(find), find);
  assert.notEqual(none.attach(find), find);
  assert.deepEqual(Object.keys(none), Object.keys(JSON.parse(JSON.stringify(none))));
  assert.throws(() => none.attach(/** @type {any} */ (null)), { code: 'argument', path: 'command' });
});

test('a topology keeps the warnings of its connection string', () => {
  const uri = 'mongodb://a.example/?readPreference=secondry&colour=red';
  const topology = new Topology(uri);
  assert.deepEqual(topology.warnings.map(({ path }) => path).sort(), ['options.colour', 'options.readPreference']);
  assert.deepEqual(Topology.open({ uri }).warnings, topology.warnings);
  assert.deepEqual(new Topology(replicaSet).warnings, []);
  topology.close();
});
