import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMember, changeMember, deprioritize, isKilled, killMember, moveMember, removeMember, reviveMember, shownTopology } from '../src/changes.js';
import { lagSeconds, lastWriteDateFor } from '../src/member-text.js';
import { presetById } from '../src/presets.js';
import { tagsOf, tagsText } from '../src/tags-field.js';

const small = () => presetById('2-5-150')!.make();
const addresses = (shown: ReturnType<typeof small>) => shownTopology(shown).servers.map((server) => server.address);

test('a killed member is unknown to its client, and comes back as it was', () => {
  const before = small();
  const killed = killMember(before, 1);
  assert.deepEqual(shownTopology(killed).servers[1], { address: 'm2.example.net:27017', type: 'Unknown', error: 'connection refused' });
  assert.ok(isKilled(killed, 1) && !isKilled(killed, 0) && !isKilled(before, 1));
  assert.deepEqual(reviveMember(killed, 1), before);
});

test('a primary that was replaced comes back as a secondary', () => {
  const elected = changeMember(killMember(small(), 0), 1, { type: 'RSPrimary' });
  const { servers } = shownTopology(reviveMember(elected, 0));
  assert.deepEqual(servers.map((server) => server.type), ['RSSecondary', 'RSPrimary', 'RSSecondary']);
});

test('a given topology type gives way when the last primary is lost, and stays a replica set without members', () => {
  const shown = small();
  shown.topologies[0]!.topology.type = 'ReplicaSetWithPrimary';
  let next = killMember(shown, 0);
  assert.equal(shownTopology(next).type, undefined);
  next.topologies[0]!.topology.type = 'ReplicaSetNoPrimary';
  next = killMember(killMember(next, 1), 2);
  // Killing the second derived the type from what was left; a driver keeps the kind of a topology that it has discovered.
  assert.equal(shownTopology(next).type, undefined);
  next = killMember({ ...small(), topologies: [{ name: '', topology: { type: 'ReplicaSetWithPrimary', servers: [small().topologies[0]!.topology.servers[0]!] } }] }, 0);
  assert.equal(shownTopology(next).type, 'ReplicaSetNoPrimary');
});

test('members are added, moved and removed', () => {
  let shown = addMember(small());
  assert.deepEqual(addresses(shown), ['m1.example.net:27017', 'm2.example.net:27017', 'm3.example.net:27017', 'new4.example:27017']);
  shown = moveMember(shown, 3, 0);
  shown = removeMember(shown, 2);
  assert.deepEqual(addresses(shown), ['new4.example:27017', 'm1.example.net:27017', 'm3.example.net:27017']);
  shown = addMember(shown);
  assert.equal(new Set(addresses(shown)).size, 4, 'no address twice');
});

test('a new name follows everywhere', () => {
  const shown = deprioritize(killMember(small(), 1), 'm2.example.net:27017', true);
  const renamed = changeMember(shown, 1, { address: 'b:1' });
  assert.deepEqual(renamed.settings.deprioritized, ['b:1']);
  assert.equal(shownTopology(reviveMember(renamed, 1)).servers[1]!.address, 'b:1');
});

test('lag is what lies between the last write and the check', () => {
  const server = { address: 'a', type: 'RSSecondary', lastWriteDate: 1_000_000, lastUpdateTimeMS: 1_002_500 };
  assert.equal(lagSeconds(server), 2.5);
  assert.deepEqual(lastWriteDateFor(server, 0.25), { lastUpdateTimeMS: 1_002_500, lastWriteDate: 1_002_250 });
  assert.deepEqual(lastWriteDateFor(server, 'soon'), { lastWriteDate: 'soon' });
  assert.deepEqual(lastWriteDateFor(server, undefined), { lastWriteDate: undefined });
});

test('tags are read as they are written', () => {
  assert.deepEqual(tagsOf('dc=ny, rack = 1'), { dc: 'ny', rack: '1' });
  assert.deepEqual(tagsOf('dc:ny'), { dc: 'ny' });
  assert.deepEqual(tagsOf(' '), {});
  assert.deepEqual(tagsOf('{"a,b": "c"}'), { 'a,b': 'c' });
  assert.equal(tagsOf('ny'), 'ny');
  assert.equal(tagsOf('{"a'), '{"a');
  const all: Record<string, string>[] = [{}, { dc: 'ny' }, { 'a,b': 'c' }, { a: 'b,c' }, { a: '=:' }, { '': '' }, { a: ' b ' }, { '{': 'x' }];
  for (const tags of all) assert.deepEqual(tagsOf(tagsText(tags)), tags);
});
