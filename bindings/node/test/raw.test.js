import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadPrefError, buildInfo, call, callRaw, methods, parseHello, select, statusByCode } from 'readpref';
import { replicaSet, savedReplies, servers } from './fixtures.js';

const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
const request = { topology: replicaSet, readPreference: { mode: 'secondary' } };

test('callRaw takes and gives bytes', () => {
  const fromText = callRaw('select', JSON.stringify(request));
  const fromBytes = callRaw('select', new TextEncoder().encode(JSON.stringify(request)));
  assert.deepEqual(fromText, fromBytes);
  assert.equal(fromText.status, 0);
  assert.equal(
    text(fromText.bytes),
    '{"server":{"index":1,"address":"b.example:27017","type":"RSSecondary"},"candidates":["b.example:27017","c.example:27017"],' +
      '"fresh":["b.example:27017","c.example:27017"],"suitable":["b.example:27017","c.example:27017"],"inLatencyWindow":["b.example:27017"]}',
  );
});

test('an answer belongs to the caller', () => {
  const first = callRaw('select', JSON.stringify(request)).bytes;
  const copy = first.slice();
  callRaw('methods');
  assert.deepEqual(first, copy);
});

test('an error document is an answer of callRaw', () => {
  const { status, bytes } = callRaw('select', '{"topology":');
  assert.equal(status, statusByCode.invalidJSON);
  assert.deepEqual(Object.keys(JSON.parse(text(bytes)).error).slice(0, 4), ['code', 'status', 'message', 'path']);
});

/** @type {[string, string, string | Uint8Array, string, string][]} */
const refused = [
  ['no JSON', 'select', 'topology', 'invalidJSON', ''],
  ['an empty document', 'select', '', 'invalidJSON', ''],
  ['an unknown method', 'selct', '{}', 'unknownMethod', ''],
  ['no method', '', '{}', 'unknownMethod', ''],
  ['a method over the limit', 's'.repeat(65), '{}', 'unknownMethod', ''],
  ['a method far over the limit', 's'.repeat(30_000_000), '{}', 'unknownMethod', ''],
  ['a lone surrogate in the method', 'select\ud800', '{}', 'unknownMethod', ''],
  ['lone surrogates, and nothing else', 'select', '\ud800'.repeat(3e6), 'invalidUTF8', ''],
  ['a lone surrogate in text', 'select', '{"topology":{"setName":"\ud800x"}}', 'invalidUTF8', 'topology.setName'],
  ['a lone surrogate escaped', 'select', '{"topology":{"setName":"\\ud800x"}}', 'invalidUTF8', 'topology.setName'],
  ['bytes that are no UTF-8', 'select', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), 'invalidUTF8', '*'],
  ['text over 16 MiB', 'select', ' '.repeat(16 * 2 ** 20 + 1), 'documentTooLarge', ''],
  ['bytes over 16 MiB', 'select', new Uint8Array(16 * 2 ** 20 + 1), 'documentTooLarge', ''],
  ['text of 400 MiB', 'select', ' '.repeat(400 * 2 ** 20), 'documentTooLarge', ''],
  ['16 Mi characters of two bytes', 'select', 'ä'.repeat(9 * 2 ** 20), 'documentTooLarge', ''],
  ['16 MiB of white space', 'select', ' '.repeat(16 * 2 ** 20), 'invalidJSON', ''],
  ['deep nesting', 'select', '['.repeat(100_000), 'nestingTooDeep', '*'],
];
for (const [what, method, input, code, path] of refused) {
  test(`refused: ${what}`, () => {
    const { status, bytes } = callRaw(method, input);
    const { error } = JSON.parse(text(bytes));
    assert.equal(error.code, code);
    assert.equal(error.status, status);
    if (path !== '*') assert.equal(error.path, path);
    assert.equal(callRaw('build_info').status, 0);
  });
}

test('arguments of other types are errors', () => {
  for (const bad of [null, 5, {}, [1], new ArrayBuffer(2), new DataView(new ArrayBuffer(2))]) {
    assert.throws(() => callRaw('select', /** @type {any} */ (bad)), { name: 'ReadPrefError', code: 'argument', status: -1 });
  }
  for (const bad of [undefined, null, 5, Symbol('select')]) {
    assert.throws(() => callRaw(/** @type {any} */ (bad)), { code: 'argument' });
    assert.throws(() => call(/** @type {any} */ (bad)), { code: 'argument' });
  }
});

test('bytes that were transferred away are an error, and nothing breaks', () => {
  for (const make of [() => new Uint8Array(8), () => new Uint8Array(new ArrayBuffer(16), 4, 8)]) {
    const bytes = make();
    structuredClone(bytes.buffer, { transfer: [/** @type {ArrayBuffer} */ (bytes.buffer)] });
    assert.throws(() => callRaw('build_info', bytes), { name: 'ReadPrefError', code: 'argument', message: /detached/ });
  }
});

test('bytes are what they are, whatever their object says', () => {
  const document = new TextEncoder().encode('{}');
  class Liar extends Uint8Array {
    /** @override */
    get length() {
      return 2 ** 31;
    }
  }
  const expected = callRaw('methods', document);
  for (const bytes of [Buffer.from(document), new Uint8Array(new SharedArrayBuffer(8), 3, 2).fill(0x20, 0, 2), new Liar(document)]) {
    if (bytes.buffer instanceof SharedArrayBuffer) bytes.set(document);
    assert.deepEqual(callRaw('methods', bytes), expected);
  }
});

test('call takes and gives values, and throws errors', () => {
  assert.equal(call('select', request).server.address, 'b.example:27017');
  assert.throws(() => call('select', { ...request, readPreference: { mode: 'secondary', maxStalenessSeconds: 89 } }), {
    name: 'ReadPrefError',
    code: 'maxStalenessTooSmall',
    status: -21,
    path: 'readPreference.maxStalenessSeconds',
    minimumSeconds: 90,
  });
});

test('raw calls have no seed but their own', () => {
  const wide = { ...request, pick: 'random', localThresholdMS: 1000 };
  const picks = new Set(Array.from({ length: 40 }, () => call('select', wide).server.address));
  assert.equal(picks.size, 1);
});

test('an error prints as the error document', () => {
  try {
    select({ servers: [servers[0], servers[0]] });
    assert.fail('accepted');
  } catch (error) {
    assert.ok(error instanceof ReadPrefError && error instanceof Error);
    const raw = callRaw('select', JSON.stringify({ topology: { servers: [servers[0], servers[0]] } }));
    assert.equal(JSON.stringify(error), text(raw.bytes));
    assert.equal(error.minimumSeconds, undefined);
    assert.equal(error.path, 'topology.servers[1].address');
    assert.match(error.message, /^topology\.servers\[1\]\.address: another server has the address/);
    assert.equal(String(error), `ReadPrefError: ${error.message}`);
    assert.ok(error.stack?.startsWith(String(error)));
  }
});

test('an error about the whole document has no path in its message', () => {
  assert.throws(() => call('selct', {}), { path: '', message: /^unknown method "selct"/ });
  const error = new ReadPrefError('wrongType', 'told', { path: 'a.b' });
  assert.deepEqual([error.message, error.toJSON().error.message], ['a.b: told', 'told']);
});

test('parseHello describes a server', () => {
  const server = parseHello(savedReplies[1]);
  assert.equal(server.type, 'RSSecondary');
  assert.equal(server.lastWriteDate, 1792979200000);
  assert.equal(server.roundTripTimeMS, 5);
  assert.deepEqual(server.tags, { dc: 'ny' });
  assert.ok(Object.isFrozen(server) && Object.isFrozen(server.tags));
});

test('integers of 64 bits survive, and go in again', () => {
  const hello = {
    ...savedReplies[1].hello,
    topologyVersion: { processId: { $oid: '0123456789abcdef01234567' }, counter: { $numberLong: '9223372036854775807' } },
  };
  const server = parseHello({ ...savedReplies[1], hello });
  assert.deepEqual(server.topologyVersion?.counter, { $numberLong: '9223372036854775807' });
  assert.equal(select({ type: 'ReplicaSetNoPrimary', servers: [server] }, { mode: 'nearest' }).server?.address, server.address);
});

test('the engine says what it is', () => {
  assert.equal(buildInfo().name, 'readpref');
  assert.equal(buildInfo().abi.major, 1);
  const names = methods().map((m) => m.name);
  for (const name of ['select', 'explain', 'validate', 'server.parse_hello', 'build_info', 'methods']) assert.ok(names.includes(name), name);
});
