import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeUTF8, encodeUTF8 } from '../src/utf8.js';

test('text is UTF-8, and comes back', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => decodeUTF8(encodeUTF8(text)) === text));
});

test('lone surrogates are the bytes that UTF-8 forbids, and all beside them as ever', () => {
  for (const [text, hex] of [
    ['\ud800', 'eda080'],
    ['\udfffx', 'edbfbf78'],
    ['\udc00\ud800', 'edb080eda080'],
    ['\ud800\ud83d\ude00', 'eda080f09f9880'],
    ['aé\u07ff\u0800\uffff\u{10ffff}\ud83d', '61c3a9dfbfe0a080efbfbff48fbfbfeda0bd'],
  ]) {
    assert.equal(Buffer.from(encodeUTF8(text)).toString('hex'), hex);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.deepEqual(encodeUTF8(`\ud800 ${text}`).subarray(3), encodeUTF8(` ${text}`));
    }),
  );
});

test('millions of lone surrogates take no longer than other text', () => {
  const text = '\ud800'.repeat(5e6);
  const cpu = process.cpuUsage();
  assert.equal(encodeUTF8(text).length, 15e6);
  const { user, system } = process.cpuUsage(cpu);
  assert.ok(user + system < 2e6, `${user + system} us`);
});
