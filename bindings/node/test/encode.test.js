import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Topology, call, select } from 'readpref';
import { decode } from '../src/decode.js';
import { encode } from '../src/encode.js';

test('plain values are written as JSON.stringify writes them', () => {
  for (const value of [
    null,
    true,
    0,
    -0,
    1.5,
    1e300,
    5e-324,
    '',
    'a"\\\n\u2028ä😀\ud800',
    [],
    {},
    [1, [2, { a: [] }]],
    { a: undefined, b: null, 'c d': { __proto__: null } },
    JSON.parse('{"__proto__": {"x": 1}}'),
    Object.assign(Object.create(null), { a: 1 }),
    runInNewContext('({a: [1]})'),
    { toJSON: () => ({ a: 1 }) },
    new URL('http://a.example/'),
  ]) {
    assert.equal(encode(value), JSON.stringify(value));
  }
});

test('dates are written as Extended JSON, big integers as they are', () => {
  assert.equal(encode(new Date(1793000000000)), '{"$date":{"$numberLong":"1793000000000"}}');
  assert.equal(encode([0n, -5n, 2n ** 53n - 1n]), '[0,-5,9007199254740991]');
  assert.equal(encode([2n ** 53n, -(2n ** 63n), 2n ** 63n]), '[9007199254740992,-9223372036854775808,9223372036854775808]');
  // Seeds have another range in documents.
  assert.equal(encode({ seed: 2n ** 53n - 1n, a: { seed: 2n ** 53n } }), '{"seed":9007199254740991,"a":{"seed":9007199254740992}}');
  assert.equal(encode({ seed: 2n ** 64n - 1n }), '{"seed":"18446744073709551615"}');
});

const cyclic = { a: [{}] };
cyclic.a.push(cyclic);
class Custom {}
/** @type {[string, unknown, string, RegExp][]} */
const refused = [
  ['NaN', { a: [1, NaN] }, 'a[1]', /NaN/],
  ['Infinity', { a: -Infinity }, 'a', /-Infinity/],
  ['undefined in a list', { a: [undefined] }, 'a[0]', /undefined/],
  ['a hole in a list', { a: [1, , 3] }, 'a[1]', /undefined/], // eslint-disable-line no-sparse-arrays
  ['a cycle', { x: cyclic }, 'x.a[1]', /contains itself/],
  ['a Map', { tags: new Map() }, 'tags', /Map/],
  ['a Set', [new Set()], '[0]', /Set/],
  ['bytes', { a: new Uint8Array(2) }, 'a', /Uint8Array/],
  ['a class', { a: new Custom() }, 'a', /Custom/],
  ['a regular expression', { 'a b': /x/ }, '["a b"]', /RegExp/],
  ['a function', { a: { b: () => 1 } }, 'a.b', /function/],
  ['a symbol', [Symbol('x')], '[0]', /symbol/],
  ['an invalid date', [new Date(NaN)], '[0]', /invalid Date/],
];
for (const [what, value, path, message] of refused) {
  test(`refused: ${what}`, () => {
    assert.throws(() => call('select', value), { name: 'ReadPrefError', code: 'invalidJSON', path, message });
  });
}

test('the path of a topology goes on from it', () => {
  assert.throws(() => new Topology(/** @type {any} */ ({ servers: [{ roundTripTimeMS: NaN }] })), { path: 'topology.servers[0].roundTripTimeMS' });
});

test('a topology is an object', () => {
  for (const bad of [5, [], true]) {
    assert.throws(() => new Topology(/** @type {any} */ (bad)), { code: 'wrongType', path: 'topology' });
  }
  assert.throws(() => new Topology('x'), { code: 'invalidURI', path: 'uri' });
  assert.throws(() => new Topology(/** @type {any} */ (null)), { code: 'missingKey', path: 'topology' });
  assert.throws(() => new Topology(/** @type {any} */ (undefined)), { code: 'missingKey', path: 'topology' });
  assert.throws(() => select(/** @type {any} */ (undefined)), { code: 'missingKey', path: 'topology' });
  assert.throws(() => select(/** @type {any} */ (null)), { code: 'missingKey', path: 'topology' });
});

test('too long, too deep, endless: the engine refuses', () => {
  const long = 'x'.repeat(1000);
  assert.throws(() => call('select', { a: 'x'.repeat(20_000_000) }), { code: 'documentTooLarge', path: '' });
  assert.throws(() => call('select', { ['x'.repeat(20_000_000)]: 1 }), { code: 'documentTooLarge', path: '' });
  assert.throws(() => call('select', Array(20_000).fill(long)), { code: 'documentTooLarge', path: '' });
  assert.throws(() => new Topology({ servers: Array(20_000).fill({ address: long, type: 'Mongos' }) }), { code: 'documentTooLarge', path: '' });
  let deep = {};
  for (let i = 0; i < 100_000; i++) deep = { deep };
  const endless = { toJSON: () => ({ endless }) };
  for (const hello of [deep, endless]) {
    assert.throws(() => call('server.parse_hello', { address: 'a', hello }), { code: 'nestingTooDeep' });
  }
});

test('an integer out of range is told as that, where the caller wrote it', () => {
  const path = 'topology.servers[0].operationCount';
  const told = `${path}: expected an integer from 0 to 9223372036854775807, found`;
  for (const operationCount of [2n ** 63n, 2n ** 64n, -1n]) {
    assert.throws(() => select({ servers: [{ address: 'a', type: 'Mongos', operationCount }] }), {
      code: 'outOfRange',
      path,
      message: `${told} ${operationCount}`,
    });
  }
  const most = { address: 'a', type: /** @type {const} */ ('Mongos'), operationCount: 2n ** 63n - 1n };
  assert.equal(select({ servers: [most] }).server?.address, 'a');
  assert.throws(() => select({ servers: [{ ...most, maxWireVersion: 2n ** 60n }] }), { code: 'outOfRange', path: 'topology.servers[0].maxWireVersion' });
  assert.throws(() => select({ servers: [{ ...most, operationCount: 2n ** 10_000_000n }] }), { code: 'outOfRange', path, message: /1024 bits/ });
  assert.throws(() => select({ servers: [] }, null, { seed: 2n ** 10_000_000n }), { code: 'outOfRange', path: 'seed', message: /1024 bits$/ });
});

test('a description keeps integers that a double does not hold', () => {
  const topology = new Topology({ servers: [{ address: 'a', type: 'Mongos', operationCount: 2n ** 53n + 1n }] });
  const kept = { servers: [{ address: 'a', type: 'Mongos', operationCount: { $numberLong: '9007199254740993' } }] };
  assert.deepEqual(topology.toJSON(), kept);
  assert.deepEqual(JSON.parse(String(topology)), kept);
  assert.deepEqual(new Topology(JSON.parse(String(topology))).toJSON(), kept);
});

test('encoding takes time by the length of the text, and no more of it than a document has', () => {
  const cpu = process.cpuUsage();
  assert.equal(encode(new Array(8e6).fill(1)).length, 16e6 + 1);
  let reads = 0;
  const liar = (/** @type {unknown} */ length) =>
    new Proxy([], {
      get: (_target, key) => {
        if (key === 'length') return length;
        reads++;
        return 1;
      },
    });
  for (const length of [2 ** 24, 2 ** 32 - 1, Infinity, 10n ** 30n]) {
    reads = 0;
    assert.throws(() => call('select', { topology: liar(length) }), { code: 'documentTooLarge', path: '' });
    // toJSON of the list.
    assert.equal(reads, 1);
  }
  for (const length of [NaN, -1, 'x', null]) assert.equal(encode(liar(length)), '[]');
  const { user, system } = process.cpuUsage(cpu);
  // It takes 1 s; the square of it, or an object for each element, would take far more.
  assert.ok(user + system < 6e6, `${user + system} us`);
});

test('a Date of another class says no more than its time', () => {
  class Evil extends Date {
    /** @override */
    getTime() {
      return /** @type {any} */ ('1"}},"x":{"y":{"z":"');
    }
  }
  assert.equal(encode(new Evil(5)), '{"$date":{"$numberLong":"5"}}');
  assert.throws(() => encode(Object.create(Date.prototype)), { code: 'wrongType' });
});

test('an object in two places is no cycle', () => {
  const twice = { dc: 'ny' };
  assert.equal(encode([twice, twice]), '[{"dc":"ny"},{"dc":"ny"}]');
});

test('decoding keeps integers of 64 bits, and strings that look like them', () => {
  assert.deepEqual(decode('{"a":9223372036854775807,"b":-9007199254740993,"c":1793000000000,"d":"9223372036854775807","e\\"9223372036854775807":1}'), {
    a: { $numberLong: '9223372036854775807' },
    b: { $numberLong: '-9007199254740993' },
    c: 1793000000000,
    d: '9223372036854775807',
    'e"9223372036854775807': 1,
  });
  assert.deepEqual(decode('[1.99999999999999999999,9007199254740991,-99999999999999999999e2]'), [2, 9007199254740991, -1e22]);
});
