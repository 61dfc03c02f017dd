import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { connectionString } from '../src/copy/connection-string.js';
import { csharp } from '../src/copy/csharp.js';
import { go } from '../src/copy/go.js';
import { java } from '../src/copy/java.js';
import { mongosh, shellQuoted } from '../src/copy/mongosh.js';
import { node } from '../src/copy/node.js';
import { quoted, type NormalPreference } from '../src/copy/preference.js';
import { pymongo } from '../src/copy/pymongo.js';
import { presetById } from '../src/presets.js';
import { startEngine } from './engine.js';

before(startEngine);

const plain: NormalPreference = { mode: 'primary' };
const all: NormalPreference = { mode: 'secondaryPreferred', tags: [{ dc: 'ny', 'rack-1': '"' }, {}], maxStalenessSeconds: 120, hedge: { enabled: false } };
const stale: NormalPreference = { mode: 'nearest', maxStalenessSeconds: 90 };

/** The lines that carry the preference. */
const line = (code: string, containing: string) => code.split('\n').filter((each) => each.includes(containing)).join('\n').trim();

test('mongosh: Mongo.setReadPref(mode, tagSet, hedgeOptions)', () => {
  assert.equal(mongosh(plain, undefined), 'db.getMongo().setReadPref("primary")\n');
  assert.equal(mongosh({ mode: 'secondary', tags: [{ dc: 'ny' }, {}] }, undefined), 'db.getMongo().setReadPref("secondary", [{ dc: "ny" }, {}])\n');
  assert.match(mongosh(all, 'mongodb://a/?x'), /setReadPref\("secondaryPreferred", \[\{ dc: "ny", "rack-1": "\\"" \}, \{\}\], \{ enabled: false \}\)/);
  assert.match(mongosh(all, 'mongodb://a/?x'), /\/\/ mongosh 'mongodb:\/\/a\/\?x'/);
  assert.match(mongosh({ mode: 'nearest', hedge: {} }, undefined), /setReadPref\("nearest", \[\], \{\}\)/);
});

test('PyMongo: the classes of read_preferences', () => {
  assert.match(pymongo(plain), /^from pymongo\.read_preferences import Primary\n\nread_preference = Primary\(\)\n/);
  assert.equal(
    line(pymongo(all), 'read_preference = '),
    'read_preference = SecondaryPreferred(tag_sets=[{"dc": "ny", "rack-1": "\\""}, {}], max_staleness=120, hedge={"enabled": False})',
  );
  assert.equal(line(pymongo(stale), 'read_preference = '), 'read_preference = Nearest(max_staleness=90)');
});

test('Node.js: new ReadPreference(mode, tags, options)', () => {
  assert.equal(line(node(plain), 'new '), 'const readPreference = new ReadPreference("primary");');
  assert.equal(
    line(node(all), 'new '),
    'const readPreference = new ReadPreference("secondaryPreferred", [{ dc: "ny", "rack-1": "\\"" }, {}], { maxStalenessSeconds: 120, hedge: { enabled: false } });',
  );
  assert.equal(line(node(stale), 'new '), 'const readPreference = new ReadPreference("nearest", undefined, { maxStalenessSeconds: 90 });');
});

test('Java: the factories of ReadPreference, and the imports that they need', () => {
  assert.equal(line(java(plain), 'ReadPreference readPreference'), 'ReadPreference readPreference = ReadPreference.primary();');
  const code = java(all);
  assert.match(code, /ReadPreference\.secondaryPreferred\(List\.of\(new TagSet\(List\.of\(new Tag\("dc", "ny"\), new Tag\("rack-1", "\\""\)\)\), new TagSet\(\)\), 120L, TimeUnit\.SECONDS\)/);
  assert.match(code, /\.withHedgeOptions\(ReadPreferenceHedgeOptions\.builder\(\)\.enabled\(false\)\.build\(\)\);/);
  for (const name of ['com.mongodb.Tag', 'com.mongodb.TagSet', 'java.util.List', 'java.util.concurrent.TimeUnit', 'com.mongodb.ReadPreferenceHedgeOptions']) assert.ok(code.includes(`import ${name};\n`), name);
  assert.doesNotMatch(java({ mode: 'nearest', tags: [{}] }), /import com\.mongodb\.Tag;/);
  assert.match(java(stale), /ReadPreference\.nearest\(90L, TimeUnit\.SECONDS\)/);
});

test('Go: readpref and its options, version 2', () => {
  assert.match(go(plain), /preference := readpref\.Primary\(\)\n/);
  assert.doesNotMatch(go(plain), /"time"|v2\/tag/);
  const code = go(all);
  assert.match(code, /readpref\.SecondaryPreferred\(\n\treadpref\.WithTagSets\(tag\.Set\{\{Name: "dc", Value: "ny"\}, \{Name: "rack-1", Value: "\\""\}\}, tag\.Set\{\}\),\n\treadpref\.WithMaxStaleness\(120\*time\.Second\),\n\treadpref\.WithHedgeEnabled\(false\),\n\)/);
  assert.match(code, /\t"time"\n\n\t"go\.mongodb\.org\/mongo-driver\/v2\/mongo\/options"\n/);
  assert.match(go(stale), /readpref\.Nearest\(readpref\.WithMaxStaleness\(90\*time\.Second\)\)/);
});

test('C#: new ReadPreference(mode, tagSets, maxStaleness, hedge)', () => {
  assert.match(csharp(plain), /new ReadPreference\(ReadPreferenceMode\.Primary\);/);
  assert.match(
    csharp(all),
    /new ReadPreference\(\n {4}ReadPreferenceMode\.SecondaryPreferred,\n {4}tagSets: new\[\] \{ new TagSet\(new\[\] \{ new Tag\("dc", "ny"\), new Tag\("rack-1", "\\""\) \}\), new TagSet\(new Tag\[0\]\) \},\n {4}maxStaleness: TimeSpan\.FromSeconds\(120\),\n {4}hedge: new ReadPreferenceHedge\(isEnabled: false\)\);/,
  );
});

test('a connection string has the members, and what to_uri writes', () => {
  const shown = presetById('three-data-centres')!.make();
  shown.settings.localThresholdMS = 30;
  const { answer } = connectionString(shown, { mode: 'secondary', tags: [{ region: 'us' }, {}], maxStalenessSeconds: 120 });
  assert.equal(
    answer,
    'mongodb://ny1.example.net:27017,ny2.example.net:27017,ny3.example.net:27017,sf1.example.net:27017,sf2.example.net:27017,ams1.example.net:27017,ams2.example.net:27017/' +
      '?replicaSet=rs0&readPreference=secondary&readPreferenceTags=region:us&readPreferenceTags=&maxStalenessSeconds=120&localThresholdMS=30',
  );
  assert.match(connectionString(shown, plain).answer!, /\/\?replicaSet=rs0&localThresholdMS=30$/);
  assert.equal(connectionString(shown, { mode: 'nearest', hedge: {} }).problem?.code, 'invalidURIOption');
  shown.topologies[0]!.topology = { servers: [{ address: '/run/mongodb.sock', type: 'Standalone' }] };
  shown.settings = {};
  assert.equal(connectionString(shown, plain).answer, 'mongodb://%2Frun%2Fmongodb.sock/');
});

test('no tag gets out of its string, or hides in it', () => {
  // Of U+202E, which turns what follows, of line ends that only some languages know, of quotes and backslashes.
  assert.equal(quoted('a"\\\n\u2028\u202e\u0085\u007fé'), '"a\\"\\\\\\n\\u2028\\u202e\\u0085\\u007fé"');
  assert.equal(JSON.parse(quoted('𝕏 \ud800')), '𝕏 \ud800');
  assert.equal(shellQuoted("a'b $(c)"), `'a'\\''b $(c)'`);
  const tags = { '"]);evil(': '\n"' };
  for (const write of [node, pymongo, java, go, csharp]) {
    const code = write({ mode: 'nearest', tags: [tags] });
    assert.ok(code.includes('"\\"]);evil("'), code);
    assert.ok(code.includes('"\\n\\""'), code);
  }
  assert.match(node({ mode: 'nearest', tags: [JSON.parse('{"__proto__": "x"}')] }), /\{ \["__proto__"\]: "x" \}/);
});
