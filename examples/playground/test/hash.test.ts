import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { BrokenLink, fromHash, toHash } from '../src/hash.js';
import { PRESETS } from '../src/presets.js';

const link = (value: unknown) => `1.${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;

test('a link reproduces each preset', async () => {
  for (const preset of PRESETS) {
    const shown = preset.make();
    assert.deepEqual(await fromHash(`#${await toHash(shown)}`), shown, preset.id);
  }
});

test('a link is a URL fragment as it is, and short enough for chats', async () => {
  const hash = await toHash(PRESETS[0]!.make());
  assert.match(hash, /^1\.[A-Za-z0-9_-]+$/);
  assert.ok(hash.length < 2000, `${hash.length}`);
});

test('names and tags beyond ASCII come back', async () => {
  const shown = PRESETS[1]!.make();
  shown.topologies[0]!.topology.servers[0]!.tags = { ort: 'Zürich 🏔', '__proto__x': '"' };
  assert.deepEqual(await fromHash(await toHash(shown)), shown);
});

test('what a link lacks is as in an empty case', async () => {
  const read = await fromHash(link({ topologies: [{ name: '', topology: { servers: [] } }], settings: {} }));
  assert.deepEqual(read, {
    topologies: [{ name: '', topology: { servers: [] } }],
    settings: {},
    shown: 0,
    killed: {},
    workloads: [],
    whatIf: { events: [], everySingle: false, everyPair: false },
    advice: {},
  });
});

test('each broken link says what is the matter', async () => {
  const empty = { topologies: [{ name: '', topology: { servers: [] } }], settings: {} };
  const cases: [string, RegExp][] = [
    ['#nonsense', /begins with "nonsense"/],
    ['#2.abc', /begins with "2\.abc"/],
    ['#1.', /cut off/],
    ['#1.!!!!', /cut off/],
    ['#1.AAAA', /cut off/],
    [`#${link(empty).slice(0, -6)}`, /cut off/],
    [`#1.${deflateRawSync(Buffer.from([0xff, 0xfe])).toString('base64url')}`, /cut off/],
    [`#1.${deflateRawSync('{"topologies":').toString('base64url')}`, /no JSON/],
    [`#1.${'A'.repeat(200_000)}`, /200000 are the most/],
    // 8 MB of zeros, in 10 kB.
    [`#1.${deflateRawSync(Buffer.alloc(8_000_000)).toString('base64url')}`, /unpacks to more than 4000000/],
    [link(null), /it is no object/],
    [link([]), /it is no object/],
    [link({}), /topologies is no list/],
    [link({ ...empty, topologies: [] }), /has no topology/],
    [link({ ...empty, topologies: [{ name: 1, topology: { servers: [] } }] }), /topologies\[0\]\.name is no text/],
    [link({ ...empty, topologies: [{ name: '', topology: { servers: [{ address: 5, type: 'Mongos' }] } }] }), /servers\[0\]\.address is no text/],
    [link({ ...empty, topologies: [{ name: '', topology: { servers: [null] } }] }), /servers\[0\] is no object/],
    [link({ ...empty, settings: { readPreference: 'nearest' } }), /settings\.readPreference is no object/],
    [link({ ...empty, settings: { readPreference: { tags: 'ny' } } }), /readPreference\.tags is no list/],
    [link({ ...empty, settings: { deprioritized: [1] } }), /deprioritized is no text/],
    [link({ ...empty, settings: { customSelector: {} } }), /keepOnly is no list/],
    [link({ ...empty, killed: { a: null } }), /killed\["a"\] is no object/],
    [link({ ...empty, workloads: [1] }), /workloads\[0\] is no object/],
    [link({ ...empty, advice: 1 }), /advice is no object/],
    [link({ ...empty, before: {} }), /before\.topology is no object/],
    [link({ ...empty, before: { topology: { servers: [] }, settings: { readPreference: [] } } }), /before\.settings\.readPreference is no object/],
    [link({ ...empty, whatIf: { events: [0] } }), /whatIf\.events\[0\] is no object/],
  ];
  for (const [hash, message] of cases) {
    await assert.rejects(fromHash(hash), (error) => error instanceof BrokenLink && message.test(error.message), hash.slice(0, 60));
  }
});
