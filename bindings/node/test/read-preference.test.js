import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadPrefError, ReadPreference, validate } from 'readpref';

test('the constructor gives the normal form', () => {
  const p = new ReadPreference('secondaryPreferred', { tags: [{ dc: 'ny' }, {}], maxStalenessSeconds: 120 });
  assert.equal(p.mode, 'secondaryPreferred');
  assert.deepEqual(p.tags, [{ dc: 'ny' }, {}]);
  assert.equal(p.maxStalenessSeconds, 120);
  assert.equal(p.hedge, undefined);
  assert.deepEqual(p.toDocument(), { mode: 'secondaryPreferred', tags: [{ dc: 'ny' }, {}], maxStalenessSeconds: 120 });
  assert.equal(JSON.stringify(p), '{"mode":"secondaryPreferred","tags":[{"dc":"ny"},{}],"maxStalenessSeconds":120}');
  assert.ok(Object.isFrozen(p) && Object.isFrozen(p.tags) && Object.isFrozen(p.tags[0]));
});

test('what means nothing is normalised away', () => {
  assert.deepEqual(new ReadPreference('secondary', { tags: [], maxStalenessSeconds: -1 }).toDocument(), { mode: 'secondary' });
  assert.deepEqual(new ReadPreference().toDocument(), { mode: 'primary' });
  assert.deepEqual(new ReadPreference('nearest').tags, []);
});

test('every spelling gives the same preference', () => {
  const expected = new ReadPreference('secondary', { tags: [{ dc: 'ny', rack: '1' }, {}] });
  for (const p of [
    ReadPreference.fromDocument({ mode: 'secondary', tags: [{ rack: '1', dc: 'ny' }, {}] }),
    ReadPreference.fromUriOptions('readPreference=secondary&readPreferenceTags=dc:ny,rack:1&readPreferenceTags='),
    ReadPreference.fromMongosh('secondary', [{ dc: 'ny', rack: '1' }, {}]),
  ]) {
    assert.ok(p instanceof ReadPreference);
    assert.ok(p.equals(expected) && expected.equals(p), JSON.stringify(p));
  }
});

test('equals tells different preferences apart', () => {
  const p = new ReadPreference('secondary', { tags: [{ dc: 'ny' }, { dc: 'sf' }] });
  assert.ok(!p.equals(new ReadPreference('secondary', { tags: [{ dc: 'sf' }, { dc: 'ny' }] })));
  assert.ok(!p.equals(new ReadPreference('secondary')));
  assert.ok(!p.equals(new ReadPreference('nearest', { tags: [{ dc: 'ny' }, { dc: 'sf' }] })));
  assert.ok(!p.equals(p.toDocument()));
  assert.ok(!p.equals(null));
});

test('hedge is deprecated', () => {
  const p = new ReadPreference('nearest', { hedge: { enabled: true } });
  assert.deepEqual(p.hedge, { enabled: true });
  assert.deepEqual(p.warnings.map((w) => w.code), ['hedgeDeprecated']);
});

/** @type {[any, any, string, string][]} */
const wrong = [
  ['secondry', undefined, 'unknownMode', 'readPreference.mode'],
  ['Secondary', undefined, 'unknownMode', 'readPreference.mode'],
  [5, undefined, 'wrongType', 'readPreference.mode'],
  ['primary', { tags: [{ dc: 'ny' }] }, 'tagsWithPrimary', 'readPreference.tags'],
  ['primary', { maxStalenessSeconds: 120 }, 'maxStalenessWithPrimary', 'readPreference.maxStalenessSeconds'],
  ['primary', { hedge: {} }, 'hedgeWithPrimary', 'readPreference.hedge'],
  ['secondary', { maxStalenessSeconds: -2 }, 'invalidMaxStaleness', 'readPreference.maxStalenessSeconds'],
  ['secondary', { maxStalenessSeconds: 120.5 }, 'wrongType', 'readPreference.maxStalenessSeconds'],
  ['secondary', { maxStalenessSeconds: NaN }, 'invalidJSON', 'readPreference.maxStalenessSeconds'],
  ['secondary', { tags: [{}, { dc: 5 }] }, 'wrongType', 'readPreference.tags[1].dc'],
  ['secondary', { tagSets: [] }, 'unknownKey', 'readPreference.tagSets'],
  ['secondary', { mode: 'nearest' }, 'unknownKey', 'readPreference.mode'],
  ['secondary', [{ dc: 'ny' }], 'argument', 'readPreference'],
  ['secondary', 'nearest', 'argument', 'readPreference'],
  ['secondary', 120, 'argument', 'readPreference'],
];
for (const [mode, options, code, path] of wrong) {
  test(`refused: ${String(mode)} ${Object.keys(options ?? {})} ${code}`, () => {
    assert.throws(() => new ReadPreference(mode, options), { name: 'ReadPrefError', code, path });
  });
}

test('the error of a constructor has all problems', () => {
  try {
    new ReadPreference('primary', { tags: [{ dc: 'ny' }], maxStalenessSeconds: 120, hedge: {} });
    assert.fail('accepted');
  } catch (error) {
    assert.ok(error instanceof ReadPrefError);
    const problems = /** @type {any} */ (error).problems;
    assert.equal(problems.length, 3);
    assert.equal(problems[0].code, error.code);
    assert.ok(problems[2] instanceof ReadPrefError);
  }
});

test('a misspelt mode is told the nearest right one', () => {
  assert.throws(() => new ReadPreference(/** @type {any} */ ('secondaryPrefered')), /secondaryPreferred/);
});

test('validate finds all problems and throws none', () => {
  const bad = validate({ mongosh: ['primary', [{ dc: 'ny' }]] });
  assert.equal(bad.valid, false);
  assert.equal(bad.readPreference, null);
  assert.deepEqual(bad.problems.map((p) => [p.code, p.status]), [['tagsWithPrimary', -23]]);
  const good = validate({ uriOptions: 'readPreference=nearest&maxStalenessSeconds=90' });
  assert.equal(good.valid, true);
  assert.ok(good.readPreference instanceof ReadPreference);
  assert.deepEqual(good.readPreference.toDocument(), { mode: 'nearest', maxStalenessSeconds: 90 });
  assert.deepEqual(good.problems, []);
  assert.ok(Object.isFrozen(good));
});

test('validate takes a bare preference', () => {
  const { valid, problems } = validate(/** @type {any} */ ({ mode: 'secondry', maxStalenessSeconds: -2 }));
  assert.equal(valid, false);
  assert.deepEqual(problems.map((p) => [p.code, p.path]), [
    ['unknownMode', 'readPreference.mode'],
    ['invalidMaxStaleness', 'readPreference.maxStalenessSeconds'],
  ]); // prettier-ignore
  const preference = new ReadPreference('secondary', { tags: [{ dc: 'ny' }] });
  for (const bare of [preference, preference.toDocument()]) {
    assert.ok(validate(bare).readPreference?.equals(preference));
    assert.deepEqual(validate(bare), validate({ readPreference: bare }));
  }
  assert.equal(validate({}).readPreference?.mode, 'primary');
  const [problem] = validate(/** @type {any} */ ({ uri: 'mongodb://a' })).problems;
  assert.deepEqual([problem.code, problem.path], ['unknownKey', 'readPreference.uri']);
});

test('validate says what it takes', () => {
  for (const bad of [undefined, null, 'secondary', 5, [{ mode: 'secondary' }]]) {
    assert.throws(() => validate(/** @type {any} */ (bad)), { code: 'argument', message: /readPreference.*uriOptions.*mongosh/ });
  }
  assert.throws(() => validate(/** @type {any} */ ({ uriOptions: '', mongosh: [] })), { code: 'unknownKey', message: /only one of/ });
  assert.throws(() => validate(/** @type {any} */ ({ readPreference: undefined })), { code: 'missingKey' });
});

test('URI options that are ignored are warned of', () => {
  const p = ReadPreference.fromUriOptions('readPreference=secondry&maxStalenessSeconds=-2');
  assert.equal(p.mode, 'primary');
  assert.deepEqual(p.warnings.map((w) => [w.code, w.path]), [
    ['invalidURIOptionValue', 'uriOptions.readPreference'],
    ['invalidURIOptionValue', 'uriOptions.maxStalenessSeconds'],
  ]); // prettier-ignore
});

test('options that are no object are told what they are', () => {
  assert.throws(() => new ReadPreference('secondary', /** @type {any} */ ([{ dc: 'ny' }])), /options are an object, \{tags: \[/);
  assert.deepEqual(new ReadPreference('secondary', null).toDocument(), { mode: 'secondary' });
});
