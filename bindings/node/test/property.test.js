import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ReadPrefError, Selection, call, callRaw, explain, parseHello, select, validate } from 'readpref';

const methodNames = ['select', 'explain', 'validate', 'server.parse_hello', 'build_info', 'methods'];
const methodName = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...methodNames) }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) });
const parameters = { numRuns: 1500 };

/** What tells a live instance from a broken one: the same answer as ever. */
const expected = callRaw('methods').bytes;

/** @param {() => unknown} act */
function answersOrRefuses(act) {
  try {
    const answer = act();
    assert.equal(typeof answer, 'object');
  } catch (error) {
    if (!(error instanceof ReadPrefError)) throw error;
    assert.ok(error.status < 0);
    assert.equal(typeof error.path, 'string');
    assert.notEqual(error.message, '');
    assert.notEqual(error.code, 'internal');
  }
  assert.deepEqual(callRaw('methods').bytes, expected);
}

// Values that look like requests get further than arbitrary ones.
const address = fc.oneof(fc.constantFrom('a:1', 'b', 'B:27017', ''), fc.string());
const word = fc.oneof(fc.constantFrom('primary', 'secondary', 'nearest', 'RSPrimary', 'RSSecondary', 'ReplicaSetWithPrimary', 'Sharded', 'Mongos', 'read'), fc.string({ unit: 'binary' }));
const number = fc.oneof(fc.integer(), fc.double(), fc.bigInt(), fc.constantFrom(0, 15, 90, 120, 10_000, 2 ** 53, -1));
const leaf = fc.oneof(word, number, fc.boolean(), fc.constant(null), fc.date({ noInvalidDate: false }));
const tags = fc.dictionary(fc.constantFrom('dc', 'rack', '__proto__', '\ud800'), fc.oneof({ weight: 5, arbitrary: word }, leaf));
const server = fc.record(
  { address, type: word, roundTripTimeMS: number, tags, lastWriteDate: leaf, lastUpdateTimeMS: number, maxWireVersion: number, operationCount: number, hello: fc.object() },
  { requiredKeys: ['address', 'type'] },
);
const topology = fc.record({ type: word, setName: word, servers: fc.array(server, { maxLength: 5 }) }, { requiredKeys: ['servers'] });
const readPreference = fc.record({ mode: word, tags: fc.array(tags), maxStalenessSeconds: number, hedge: fc.object() }, { requiredKeys: [] });
const options = fc.record(
  { operation: word, deprioritized: fc.array(address), localThresholdMS: number, heartbeatFrequencyMS: number, seed: number, pick: word, wireVersions: fc.object() },
  { requiredKeys: [] },
);
const likely = fc.record({ topology, readPreference, operation: word, seed: number }, { requiredKeys: ['topology'] });

test('call answers or refuses any JSON value', () => {
  fc.assert(fc.property(methodName, fc.jsonValue(), (method, value) => answersOrRefuses(() => call(method, value))), parameters);
});

test('call answers or refuses any value at all', () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withSparseArray: true, withNullPrototype: true, withObjectString: true });
  fc.assert(fc.property(methodName, anything, (method, value) => answersOrRefuses(() => call(method, value) ?? {})), parameters);
});

test('call answers or refuses what looks like a request', () => {
  fc.assert(fc.property(methodName, likely, (method, value) => answersOrRefuses(() => call(method, value))), parameters);
});

test('the typed functions answer or refuse', () => {
  fc.assert(
    fc.property(topology, readPreference, options, server, (/** @type {any} */ t, /** @type {any} */ r, /** @type {any} */ o, /** @type {any} */ s) => {
      answersOrRefuses(() => select(t, r, o));
      answersOrRefuses(() => explain(t, r, o));
      answersOrRefuses(() => validate({ readPreference: r }));
      answersOrRefuses(() => parseHello(s));
    }),
    { numRuns: 500 },
  );
});

test('what is legal is answered', () => {
  const legal = fc.record({
    servers: fc.uniqueArray(fc.record({ address: fc.stringMatching(/^[a-z]{1,8}$/), type: fc.constantFrom('RSPrimary', 'RSSecondary', 'RSArbiter', 'Unknown'), roundTripTimeMS: fc.integer({ min: 0, max: 1000 }) }), { selector: (s) => s.address, maxLength: 8 }), // prettier-ignore
  });
  const mode = fc.constantFrom('primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest');
  fc.assert(
    fc.property(legal, mode, (/** @type {any} */ t, /** @type {any} */ m) => {
      const s = select({ type: 'ReplicaSetNoPrimary', ...t }, { mode: m });
      assert.ok(s instanceof Selection);
      assert.equal(s.server === null, s.inLatencyWindow.length === 0);
      if (s.server !== null) {
        assert.equal(t.servers[s.server.index].address, s.server.address);
        assert.ok(s.inLatencyWindow.includes(s.server.address));
      }
      for (const [wide, narrow] of [[s.candidates, s.fresh], [s.fresh, s.suitable], [s.suitable, s.inLatencyWindow]]) { // prettier-ignore
        assert.ok(narrow.every((a) => wide.includes(a)));
      }
    }),
    parameters,
  );
});

test('any bytes are answered or refused', () => {
  fc.assert(
    fc.property(methodName, fc.uint8Array({ maxLength: 200 }), (method, bytes) => {
      const { status, bytes: answer } = callRaw(method, bytes);
      assert.ok(status <= 0);
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer));
      assert.deepEqual(callRaw('methods').bytes, expected);
    }),
    parameters,
  );
});
