import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { replicaSet, savedReplies, servers } from './fixtures.js';

const testee = fileURLToPath(new URL('testee.mjs', import.meta.url));

/**
 * @param {object[]} requests
 * @returns {{id: unknown, status: number, out: string}[]}
 */
function ask(requests) {
  const input = requests.map((r, i) => JSON.stringify({ id: i, ...r }) + '\n').join('');
  const output = execFileSync(process.execPath, [testee], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const answers = output.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(answers.length, requests.length);
  answers.forEach((a, i) => assert.deepEqual([Object.keys(a), a.id], [['id', 'status', 'out'], i]));
  return answers;
}

const secondary = { mode: 'secondary' };
const hello = { ...savedReplies[0], hello: { ...savedReplies[0].hello, topologyVersion: { processId: { $oid: '0'.repeat(24) }, counter: { $numberLong: '9223372036854775807' } } } }; // prettier-ignore
/** @type {[string, unknown][]} */
const requests = [
  ['select', { topology: replicaSet, readPreference: secondary }],
  ['select', { topology: replicaSet, pick: 'random', localThresholdMS: 1000, readPreference: { mode: 'nearest' } }],
  ['select', { topology: replicaSet, operation: 'aggregateWithWriteStage', readPreference: { mode: 'secondary', hedge: {} } }],
  ['select', { shards: { b: replicaSet, a: { servers: [] } }, readPreference: secondary, seed: '18446744073709551615' }],
  ['select', { topology: replicaSet, readPreference: { mode: 'secondary', maxStalenessSeconds: 89 } }],
  ['select', { topology: replicaSet, readPreference: { mode: 'secondary', tags: [{}, { dc: 5 }] } }],
  ['select', { topology: { servers: [servers[0], servers[0]] } }],
  ['select', { topology: replicaSet, localThreshold: 15 }],
  ['select', { topology: replicaSet, seed: -1 }],
  ['select', { topology: replicaSet, seed: 2 ** 53 }],
  ['select', { shards: { a: replicaSet }, seed: -1 }],
  ['select', { topology: replicaSet, readPreference: 'secondary' }],
  ['select', { topology: 5 }],
  ['select', {}],
  ['select', [1]],
  ['select', null],
  ['explain', { topology: { servers: savedReplies }, readPreference: { mode: 'secondary', maxStalenessSeconds: 120 } }],
  ['validate', { readPreference: { mode: 'primary', tags: [{ dc: 'ny' }], hedge: {} } }],
  ['validate', { uriOptions: 'readPreference=secondary&maxStalenessSeconds=-1' }],
  ['validate', {}],
  ['validate', { mode: 'secondary' }],
  ['validate', { uriOptions: '', mongosh: [] }],
  ['server.parse_hello', hello],
  ['server.parse_hello', { address: 'a', hello: 5 }],
  ['build_info', {}],
  ['methods', {}],
  ['selct', {}],
];

test('the typed API carries the values of the raw answers', () => {
  const raw = ask(requests.map(([method, value]) => ({ method, in: JSON.stringify(value) })));
  const typed = ask(requests.map(([method, value]) => ({ method, in: JSON.stringify(value), via: 'typed' })));
  requests.forEach(([method, value], i) => {
    const what = `${method} ${JSON.stringify(value)}`;
    assert.equal(typed[i].status, raw[i].status, what);
    assert.deepEqual(JSON.parse(typed[i].out), JSON.parse(raw[i].out), what);
  });
  assert.ok(typed[requests.findIndex(([, value]) => value === hello)].out.includes('"counter":9223372036854775807'));
});

test('bytes that are no UTF-8 go in as base64', () => {
  const [bad, good] = ask([
    { method: 'build_info', in_b64: Buffer.from([0xff]).toString('base64') },
    { method: 'build_info', in_b64: Buffer.from('{}').toString('base64'), via: 'raw' },
  ]);
  assert.notEqual(bad.status, 0);
  assert.equal(good.status, 0);
});

test('an id comes back as it was', () => {
  const output = execFileSync(process.execPath, [testee], { input: '{"id":"x","method":"build_info","in":"{}"}', encoding: 'utf8' });
  assert.equal(JSON.parse(output).id, 'x');
});

test('probes keep the contract', () => {
  const probes = ['nullMethod', 'nullIn', 'absurdLength', 'emptyIn', 'nullOut', 'shortOut', 'askLength'];
  const code = (/** @type {{status: number, out: string}} */ a) => (a.out === 'ok' ? 'ok' : JSON.parse(a.out).error.code);
  const answers = ask(probes.map((probe) => ({ probe })));
  assert.deepEqual(answers.map(code), ['argument', 'argument', 'documentTooLarge', 'invalidJSON', 'ok', 'ok', 'ok']);
  assert.deepEqual(answers.map((a) => a.status), [-1, -1, -14, -10, 0, 0, 0]);
});
