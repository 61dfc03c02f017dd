import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { shownTopology } from '../src/changes.js';
import type { Case } from '../src/case.js';
import { presetById } from '../src/presets.js';
import { recognise } from '../src/recognise.js';
import { startEngine } from './engine.js';

before(startEngine);

const data = (name: string) => readFileSync(`../data/${name}`, 'utf8');
const small = () => presetById('2-5-150')!.make();

function read(text: string, shown: Case = small()): { what: string; shown: Case; remarks: string[] } {
  const { answer, problem } = recognise(text);
  assert.ok(answer !== undefined, JSON.stringify(problem));
  return { what: answer.what, shown: answer.change(shown), remarks: answer.remarks };
}

const refused = (text: string) => {
  const { answer, problem } = recognise(text);
  assert.equal(answer, undefined);
  return problem!;
};

test('a connection string sets the preference and the settings, and keeps members that it knows', () => {
  const { what, shown, remarks } = read('mongodb://M1.example.net,m2.example.net/?replicaSet=rs0&readPreference=nearest&readPreferenceTags=dc:ny&readPreferenceTags=&localThresholdMS=40&maxStalenessSeconds=x');
  assert.equal(what, 'a connection string');
  assert.deepEqual(shown.settings, { readPreference: { mode: 'nearest', tags: [{ dc: 'ny' }, {}] }, localThresholdMS: 40, seed: 42 });
  assert.equal(shownTopology(shown).servers.length, 3);
  assert.ok(remarks.some((remark) => remark.startsWith('options.maxStalenessSeconds: ')));
});

test('a connection string of another cluster brings its hosts, as unknown', () => {
  const { shown } = read('mongodb://db1.example,db2.example:27018/?replicaSet=prod');
  assert.deepEqual(shownTopology(shown), {
    setName: 'prod',
    servers: [
      { address: 'db1.example:27017', type: 'Unknown', error: 'not asked' },
      { address: 'db2.example:27018', type: 'Unknown', error: 'not asked' },
    ],
  });
  assert.equal(shownTopology(read('mongodb+srv://cluster0.example.com/?readPreference=secondary').shown).servers.length, 3);
});

test('a preference in each of its forms', () => {
  const wanted = { mode: 'secondary', tags: [{ dc: 'ny' }, {}], maxStalenessSeconds: 120 };
  for (const text of [
    'readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags=&maxStalenessSeconds=120',
    '?readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags=&maxStalenessSeconds=120',
    '{"mode": "secondary", "tags": [{"dc": "ny"}, {}], "maxStalenessSeconds": {"$numberInt": "120"}}',
    '{mode: "secondary", tags: [{dc: "ny"}, {}], maxStalenessSeconds: NumberInt(120)}',
    '{"find": "orders", "$readPreference": {"mode": "secondary", "tags": [{"dc": "ny"}, {}], "maxStalenessSeconds": 120}}',
  ]) {
    assert.deepEqual(read(text).shown.settings.readPreference, wanted, text);
  }
  for (const text of ['db.getMongo().setReadPref("secondary", [{dc: "ny"}, {}]);', 'cursor.readPref(\'secondary\', [{ "dc": "ny" }, {}])', '["secondary", [{"dc": "ny"}, {}]]']) {
    assert.deepEqual(read(text).shown.settings.readPreference, { mode: 'secondary', tags: [{ dc: 'ny' }, {}] }, text);
  }
});

test('a saved request, with its replies', () => {
  const { what, shown } = read(data('three-data-centres.json'));
  assert.equal(what, 'a request');
  const { servers, setName } = shownTopology(shown);
  assert.equal(setName, 'rs0');
  assert.deepEqual(servers.map((server) => [server.address, server.type, server.roundTripTimeMS]), [
    ['ny1.example.net:27017', 'RSPrimary', 1.204],
    ['ny2.example.net:27017', 'RSSecondary', 2.87],
    ['sf1.example.net:27017', 'RSSecondary', 9.5],
    ['ams1.example.net:27017', 'RSOther', 81.33],
    ['ams2.example.net:27017', 'RSArbiter', 79.6],
  ]);
  assert.equal(typeof servers[0]!.lastWriteDate, 'number');
  assert.equal(shown.settings.readPreference?.maxStalenessSeconds, 120);
});

test('a sharded request has its shards', () => {
  const { shown } = read(data('sharded-two-shards.json'));
  assert.deepEqual(shown.topologies.map(({ name }) => name), Object.keys(JSON.parse(data('sharded-two-shards.json')).shards));
});

test('a topology, and lists of descriptions and replies', () => {
  assert.equal(shownTopology(read('{"servers": [{"address": "a", "type": "RSPrimary", "lastWriteDate": {"$date": "2026-10-26T07:33:20Z"}}]}').shown).servers[0]!.lastWriteDate, Date.UTC(2026, 9, 26, 7, 33, 20));
  assert.equal(shownTopology(read('[{"address": "a", "type": "Mongos"}, {"address": "b", "hello": {}}]').shown).servers.length, 2);
  assert.equal(shownTopology(read('{"address": "a", "type": "Mongos"}').shown).servers.length, 1);
});

test('db.hello() as mongosh prints it and as EJSON, and then that of the next member', () => {
  const shell = `{
    topologyVersion: { processId: ObjectId('6734a1f0c2b9e5d4a8f01234'), counter: Long('6') },
    hosts: [ 'a.example:27017', 'b.example:27017' ], setName: 'rs0', setVersion: 4, isWritablePrimary: true, secondary: false,
    primary: 'a.example:27017', me: 'a.example:27017', tags: { dc: 'ny' },
    lastWrite: { opTime: { ts: Timestamp({ t: 1793000000, i: 1 }), t: Long('25') }, lastWriteDate: ISODate('2026-10-26T07:33:20.000Z') },
    localTime: ISODate('2026-10-26T07:33:20.310Z'), minWireVersion: 0, maxWireVersion: 25, ok: 1 }`;
  const first = read(shell);
  assert.equal(first.what, 'a reply to hello');
  const [a, b] = shownTopology(first.shown).servers;
  assert.equal(a!.type, 'RSPrimary');
  // It wrote 310 ms before its own clock's time.
  assert.equal((a!.lastUpdateTimeMS ?? 0) - (a!.lastWriteDate as number), 310);
  assert.deepEqual(b, { address: 'b.example:27017', type: 'Unknown', error: 'not pasted yet' });
  const second = read(JSON.stringify({ ok: 1, setName: 'rs0', me: 'b.example:27017', hosts: ['a.example:27017', 'b.example:27017'], secondary: true, maxWireVersion: 25 }), first.shown);
  assert.deepEqual(shownTopology(second.shown).servers.map((server) => server.type), ['RSPrimary', 'RSSecondary']);
});

test('what cannot be read has a code, a path and a message', () => {
  assert.equal(refused('').code, 'nothingPasted');
  assert.deepEqual([refused('{"servers": [').code, refused('{"servers": [').path], ['invalidJSON', 'servers[0]']);
  assert.equal(refused('Lorem ipsum').code, 'invalidJSON');
  assert.equal(refused('17').code, 'unknownForm');
  assert.equal(refused('[1, 2]').code, 'unknownForm');
  assert.equal(refused('{}').code, 'missingKey');
  assert.match(refused('{"topolgy": {}}').message, /did you mean "topology"/);
  assert.deepEqual([refused('{"servers": [{"address": "a"}]}').code, refused('{"servers": [{"address": "a"}]}').path], ['missingKey', 'topology.servers[0].type']);
  assert.equal(refused('{"topology": {"servers": []}, "readPreference": {"mode": "secondry"}}').path, 'readPreference.mode');
  // A connection string has a host.
  assert.deepEqual([refused('mongodb://').code, refused('mongodb://').path], ['invalidHost', 'hosts[0]']);
  assert.equal(refused('setReadPref("primary", [{dc: "ny"}])').code, 'tagsWithPrimary');
  assert.equal(refused('process.exit(1)').code, 'invalidJSON');
  assert.equal(refused(`{"ismaster": true, "x": ${'['.repeat(100)}${']'.repeat(100)}}`).code, 'nestingTooDeep');
});

test('20 MB are refused at once, and so are 15 MB of nonsense', () => {
  const start = performance.now();
  assert.equal(refused('x'.repeat(20_000_000)).code, 'documentTooLarge');
  assert.equal(refused(`{"servers": ["${'x'.repeat(20_000_000)}"]}`).code, 'documentTooLarge');
  assert.equal(refused('{'.repeat(15_000_000)).code, 'invalidJSON');
  assert.ok(performance.now() - start < 10_000, `${performance.now() - start} ms`);
});
