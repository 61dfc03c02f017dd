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

test('dates and big integers are written as Extended JSON', () => {
  assert.equal(encode(new Date(1793000000000)), '{"$date":{"$numberLong":"1793000000000"}}');
  assert.equal(encode([0n, -5n, 2n ** 53n - 1n]), '[0,-5,9007199254740991]');
  assert.equal(encode(2n ** 53n), '{"$numberLong":"9007199254740992"}');
  assert.equal(encode(-(2n ** 63n)), '{"$numberLong":"-9223372036854775808"}');
  assert.equal(encode(2n ** 63n), '"9223372036854775808"');
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
  ['a throwing getter', { a: { get b() { throw new Error('mine'); } } }, 'a.b', /cause/], // prettier-ignore
  ['a throwing toJSON', { a: { toJSON() { throw new Error('mine'); } } }, 'a', /cause/], // prettier-ignore
  ['a revoked proxy', [revoked()], '[0]', /cause/],
];
for (const [what, value, path, message] of refused) {
  test(`refused: ${what}`, () => {
    assert.throws(() => call('select', value), { name: 'ReadPrefError', code: 'invalidJSON', path, message });
  });
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test('what a caller threw is the cause', () => {
  const mine = new Error('mine');
  const value = { toJSON() { throw mine; } }; // prettier-ignore
  assert.throws(() => call('select', value), (/** @type {any} */ error) => error.cause === mine);
});

test('the path of a topology goes on from it', () => {
  assert.throws(() => new Topology(/** @type {any} */ ({ servers: [{ roundTripTimeMS: NaN }] })), { path: 'topology.servers[0].roundTripTimeMS' });
});

test('a topology is an object', () => {
  for (const bad of ['x', 5, [], true]) {
    assert.throws(() => new Topology(/** @type {any} */ (bad)), { code: 'wrongType', path: 'topology' });
  }
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
