import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ReadPreference, Topology, explain, parseURI, select } from 'readpref';
import { replicaSet, servers } from './fixtures.js';

const topology = new Topology(replicaSet);
const preference = new ReadPreference('secondary', { tags: [{ dc: 'ny' }] });
const options = { seed: 1 };

test('objects are shown by their class and documents', () => {
  assert.equal(inspect(preference), "ReadPreference { mode: 'secondary', tags: [ { dc: 'ny' } ] }");
  assert.equal(inspect(new Topology({ servers: [] })), 'Topology { servers: [] }');
  assert.equal(
    inspect(select(topology, preference, options), { breakLength: Infinity }),
    "Selection { server: { index: 1, address: 'b.example:27017', type: 'RSSecondary' }, " +
      "candidates: [ 'b.example:27017', 'c.example:27017' ], fresh: [ 'b.example:27017', 'c.example:27017' ], " +
      "suitable: [ 'b.example:27017' ], inLatencyWindow: [ 'b.example:27017' ] }",
  );
  assert.match(inspect(topology), /^Topology \{\n {2}type: 'ReplicaSetWithPrimary',\n {2}setName: 'rs0',\n {2}servers: \[/);
  assert.equal(inspect({ a: { b: { c: topology } } }), '{ a: { b: { c: [Topology] } } }');
  assert.match(inspect(ReadPreference.fromUriOptions('readPreference=secondry')), /^ReadPreference \{\n {2}mode: 'primary',\n {2}warnings: \[\n.*invalidURIOptionValue/s);
});

test('an explanation is shown, and printed, as its text', () => {
  const explanation = explain(topology, preference, options);
  assert.equal(String(explanation), explanation.text);
  assert.equal(inspect(explanation), explanation.text.trimEnd());
  assert.ok(explanation.text.startsWith('topology    ReplicaSetWithPrimary rs0, 3 servers\n'));
});

test('as strings they are their documents', () => {
  assert.equal(`${preference}`, '{"mode":"secondary","tags":[{"dc":"ny"}]}');
  assert.deepEqual(JSON.parse(String(topology)), replicaSet);
  const selection = select(topology, preference, options);
  assert.equal(String(selection), JSON.stringify(selection));
  assert.equal(JSON.parse(String(selection)).server.address, servers[1].address);
});

test('a connection string is shown without its secrets', () => {
  const read = parseURI('mongodb://me:hunter2@a.example/?tls=true&tlsCertificateKeyFilePassword=hunter3');
  const text = inspect(read, { depth: 9, showHidden: false });
  assert.ok(!text.includes('hunter'), text);
  assert.ok(text.includes("username: 'me'"), text);
  assert.equal(read.password, 'hunter2');
  assert.equal(JSON.parse(JSON.stringify(read)).options.tlsCertificateKeyFilePassword, 'hunter3');
  assert.match(inspect(parseURI('mongodb://a.example')), /password: null/);
});
