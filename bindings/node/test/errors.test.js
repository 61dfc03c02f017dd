import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadPrefError, Topology, call, callRaw, select, selectShards } from 'readpref';
import { pathAt } from '../src/path.js';
import { cut, errorText, plain } from '../src/plain.js';

/** @param {() => unknown} act @returns {ReadPrefError} */
function thrownBy(act) {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof ReadPrefError, String(error));
    return error;
  }
  assert.fail('accepted');
}

test('what a terminal obeys is escaped, as the engine does', () => {
  for (const [text, want] of [
    ['', ''],
    ['Zürich 日本 😀', 'Zürich 日本 😀'],
    ['\0\x1b\n\r\t', '\\u0000\\u001b\\u000a\\u000d\\u0009'],
    ['\x7f\u0080\u009b\u009f\u00a0', '\\u007f\\u0080\\u009b\\u009f\u00a0'],
    ['\u061c\u200b\u200e\u200f\u2010', '\\u061c\\u200b\\u200e\\u200f\u2010'],
    ['\u2027\u2028\u2029\u202a\u202e\u202f', '\u2027\\u2028\\u2029\\u202a\\u202e\u202f'],
    ['\u2060\u2066\u2069\u206a\ufeff', '\\u2060\\u2066\\u2069\u206a\\ufeff'],
    ['\u00ad\u180e\ufff9\u{e0041}\u{e0080}', '\\u00ad\\u180e\\ufff9\\U000e0041\u{e0080}'],
    ['a\ud800b', 'a\\ud800b'],
  ]) {
    assert.equal(plain(text), want);
  }
});

test('text is cut by bytes, at the edge of a character', () => {
  assert.equal(cut('x'.repeat(64), 64), 'x'.repeat(64));
  assert.equal(cut('x'.repeat(65), 64), `${'x'.repeat(64)}...`);
  assert.equal(cut('é'.repeat(33), 64), `${'é'.repeat(32)}...`);
  assert.equal(cut('日'.repeat(22), 64), `${'日'.repeat(21)}...`);
  assert.equal(cut(`${'x'.repeat(62)}😀`, 64), `${'x'.repeat(62)}...`);
  for (const text of ['x'.repeat(1003), 'é'.repeat(5000), '\x1b'.repeat(5000), 'x'.repeat(1e7)]) {
    const once = errorText(text);
    assert.ok(Buffer.byteLength(once) <= 1003);
    assert.equal(errorText(once), once);
  }
});

test('paths are as long as those of the engine, and as plain', () => {
  assert.equal(pathAt('', ['x'.repeat(100), 'b']), `${'x'.repeat(64)}....b`);
  assert.equal(pathAt('', ['é'.repeat(100), 'b']), `["${'é'.repeat(32)}..."].b`);
  assert.equal(pathAt('', ['a\x1b[31m\u202e', 2]), '["a\\u001b[31m\\u202e"][2]');
  assert.ok(Buffer.byteLength(pathAt('', ['\x9b'.repeat(1e6)])) < 210);
  const long = pathAt('a', Array(1000).fill('x'.repeat(30)));
  assert.equal(Buffer.byteLength(long), 1003);
  assert.ok(long.endsWith('...'));
});

// The engine meets what encode lets through, a string in place of a number.
for (const [what, key] of [
  ['a long bare key', 'x'.repeat(1000)],
  ['a long key', 'ä ö'.repeat(1000)],
  ['a control character', '\x1b]0;x\x07'],
  ['a C1 control', '\x9b31m'],
  ['a mark of direction', '\u202egnp'],
  ['quotes', 'a"b\\c'],
  ['a tag character', '\u{e0041}'],
  ['65 bytes', `${'x'.repeat(63)}é`],
]) {
  test(`the same path as the engine's: ${what}`, () => {
    const at = (/** @type {unknown} */ value) => thrownBy(() => select({ servers: [{ address: 'a', type: 'Mongos', tags: { [key]: /** @type {any} */ (value) } }] }));
    assert.equal(at(Symbol('x')).path, at(5).path);
  });
}

test('errors are short and plain, whatever is in the value', () => {
  const hostile = '\x1b]52;c;\x07\u202e\x9b'.repeat(1e5);
  const nameless = { constructor: { name: hostile } };
  const bad = Object.create(Object.create(nameless), {});
  let deep = /** @type {any} */ (NaN);
  for (let i = 0; i < 60; i++) deep = { [`${hostile}${i}`]: deep };
  /** @type {(() => unknown)[]} */
  const acts = [
    () => call('select', { [hostile]: bad }),
    () => call('select', deep),
    () => call(hostile, {}),
    () => new Topology({ [hostile]: NaN, servers: [] }),
    () => select({ servers: [] }, null, /** @type {any} */ ({ [hostile]: NaN })),
    () => selectShards(new Map([[hostile, /** @type {any} */ (NaN)]])),
    () => { throw new ReadPrefError('wrongType', hostile, { path: hostile }); }, // prettier-ignore
  ];
  for (const act of acts) {
    const error = thrownBy(act);
    for (const text of [error.message, error.path, error.toJSON().error.message]) {
      assert.ok(Buffer.byteLength(text) < 2100, `${text.length}`);
      assert.doesNotMatch(text, /[\0-\x1f\x7f-\x9f\u202e]/); // eslint-disable-line no-control-regex
    }
    assert.ok(Buffer.byteLength(JSON.stringify(error)) <= 4096);
  }
  assert.equal(callRaw('build_info').status, 0);
});
