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

function read(text: string): { what: string; shown: Case; remarks: string[] } {
  const { answer, problem } = recognise(text);
  assert.ok(answer !== undefined, JSON.stringify(problem));
  return { what: answer.what, shown: answer.change(presetById('2-5-150')!.make()), remarks: answer.remarks };
}

test('rs.status(), as EJSON and as mongosh prints it, says the same', () => {
  const { what, shown, remarks } = read(data('rs-status.json'));
  assert.equal(what, 'rs.status()');
  assert.ok(remarks.some((remark) => remark.startsWith('guessed: ')) && remarks.some((remark) => remark.startsWith('not known: ')));
  const { setName, servers } = shownTopology(shown);
  assert.equal(setName, 'rs0');
  const { members } = JSON.parse(data('rs-status.json')) as { members: { name: string }[] };
  assert.deepEqual(servers.map((server) => server.address), members.map((member) => member.name));
  for (const text of [data('rs-status-mongosh.txt'), data('rs-status-canonical.json'), `rs0 [direct: primary] test> rs.status()\n${data('rs-status-mongosh.txt')}`]) {
    assert.deepEqual(shownTopology(read(text).shown), shownTopology(shown));
  }
});

test('rs.status() and rs.conf(), one after the other or as a list, go together: tags are known then', () => {
  const one = `${data('rs-status.json')}\n${data('rs-conf.json')}`;
  const list = `[${data('rs-status.json')}, ${data('rs-conf.json')}]`;
  const prompts = `test> rs.status()\n${data('rs-status-mongosh.txt')}\ntest> rs.conf()\n${data('rs-conf.json')}`;
  const wanted = shownTopology(read(one).shown);
  assert.equal(read(one).what, 'rs.status() and rs.conf()');
  assert.ok(wanted.servers.some((server) => server.tags !== undefined));
  for (const text of [list, prompts]) assert.deepEqual(shownTopology(read(text).shown), wanted);
});

test('the replies of all members at once, and a list of shards', () => {
  const replies = ['hello-ny1.json', 'hello-ny2.json', 'hello-sf1.json'].map(data).join('\n');
  assert.ok(shownTopology(read(replies).shown).servers.filter((server) => server.type === 'RSSecondary').length >= 1);
  const { shown } = read('{"shards": [{"_id": "shardA", "host": "rsA/a1.example:27018,a2.example:27018", "state": 1}, {"_id": "shardB", "host": "rsB/b1.example:27018"}], "ok": 1}');
  assert.deepEqual(shown.topologies.map(({ name }) => name), ['shardA', 'shardB']);
});

test('what drivers log, and the description of an Atlas cluster', () => {
  for (const name of ['driver-log-pymongo.txt', 'driver-log-node.txt', 'driver-log-node-cut.txt', 'driver-log-go.txt']) {
    const { what, shown } = read(data(name));
    assert.equal(what, 'a driver’s log', name);
    assert.ok(shownTopology(shown).servers.some((server) => server.address === 'ny1.example.net:27017' && server.type === 'RSPrimary'), name);
  }
  const { what, shown } = read(data('atlas-cluster.json'));
  assert.equal(what, 'a cluster of Atlas');
  assert.ok(shownTopology(shown).servers.every((server) => (server.tags as Record<string, string>).nodeType !== undefined));
  assert.equal(read(data('list-shards.json')).what, 'a list of shards');
  assert.equal(read(data('get-shard-map.json')).what, 'a list of shards');
  const { problem } = recognise('2026-11-30 Topology description changed, and nothing about it');
  assert.deepEqual([problem?.code, problem?.path], ['unknownValue', 'documents[0]']);
});
