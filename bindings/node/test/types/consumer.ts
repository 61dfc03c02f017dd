// A program of a user, for the type checker: it is compiled in strict mode and
// run, by package.test.js, against the installed tarball.
import {
  Explanation,
  ReadPrefError,
  ReadPreference,
  Selection,
  Topology,
  buildInfo,
  call,
  callRaw,
  explain,
  explainShards,
  methods,
  parseHello,
  select,
  selectShards,
  statusByCode,
  validate,
} from 'readpref';
import type { Code, SelectOptions, ServerDescription, TopologyDescription } from 'readpref';

const description: TopologyDescription = {
  type: 'ReplicaSetWithPrimary',
  setName: 'rs0',
  servers: [
    { address: 'a.example:27017', type: 'RSPrimary', roundTripTimeMS: 2.4, tags: { dc: 'ny' }, lastWriteDate: new Date(0) },
    { address: 'b.example:27017', type: 'RSSecondary', roundTripTimeMS: 5, lastUpdateTimeMS: 1793000000950n },
    { address: 'c.example:27017', hello: { ok: 1, secondary: true, setName: 'rs0', maxWireVersion: 25 }, roundTripTimeMS: 150 },
  ],
};
const topology = new Topology(description);
const preference = new ReadPreference('secondary', { tags: [{ dc: 'sf' }, {}] });
const options: SelectOptions = { seed: 42, pick: 'leastBusyOfTwo', customSelector: { keepOnly: ['b.example:27017'] } };

const selection: Selection = select(topology, preference, options);
const address: string | undefined = selection.server?.address;
const explanation: Explanation = explain(topology, { mode: 'nearest' });
const text: string = explanation.text;
const near: string | undefined = select(topology, 'nearest').server?.address ?? explain(description, 'secondary').server?.address;

const results: string[] = [];
for (const [shard, answer] of selectShards({ one: topology, two: description }, preference)) {
  results.push(answer instanceof ReadPrefError ? answer.code : `${shard} ${answer.server?.address}`);
}
const explained = explainShards(new Map([['one', topology]])).get('one');
const passes = explained instanceof Explanation ? explained.passes.length : 0;

let code: Code = 'noServer';
try {
  new ReadPreference('primary', { maxStalenessSeconds: 120 });
} catch (error) {
  if (error instanceof ReadPrefError) {
    code = error.code;
    const least: number | undefined = error.minimumSeconds;
    void least;
  }
}
const status: -24 = statusByCode.hedgeWithPrimary;
const server: ServerDescription = parseHello({ address: 'd.example', hello: { ok: 1 } });
const roundTrip: number | undefined = server.roundTripTimeMS;
const normal = validate({ uriOptions: 'readPreference=nearest' }).readPreference?.toDocument().mode;
const bare: boolean = validate({ mode: 'nearest', tags: [{ dc: 'ny' }] }).valid && validate(preference).valid && validate({ readPreference: preference }).valid;
const raw: Uint8Array = callRaw('build_info').bytes;
const version: string = buildInfo().version;
const name: string | undefined = methods()[0]?.name;
const anything = call('select', { topology: description });
void [text, near, bare, passes, status, roundTrip, raw, name, anything];

// @ts-expect-error no such mode
void (() => new ReadPreference('secondry'));
// @ts-expect-error nor here
void (() => select(topology, 'secondry'));
// @ts-expect-error options are an object
void (() => new ReadPreference('secondary', [{ dc: 'ny' }]));
// @ts-expect-error no form has this name
void (() => validate({ uri: 'mongodb://a.example' }));
// @ts-expect-error a misspelt option
void (() => select(topology, preference, { localThreshold: 15 }));
// @ts-expect-error tags are strings
void (() => new ReadPreference('secondary', { tags: [{ dc: 5 }] }));
// @ts-expect-error results are not made by users
void (() => new Selection());
// @ts-expect-error results cannot be changed
void (() => (selection.server = null));
// @ts-expect-error a server has an address
void (() => new Topology({ servers: [{ type: 'Mongos' }] }));

console.log(JSON.stringify({ address, code, normal, version, results }));
