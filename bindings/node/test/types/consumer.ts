// A program of a user, for the type checker: it is compiled in strict mode and
// run, by package.test.js, against the installed tarball.
import {
  Checkout,
  Explanation,
  ReadPrefError,
  ReadPreference,
  Selection,
  ServerSelectionTimeoutError,
  Topology,
  advise,
  buildInfo,
  call,
  callRaw,
  command,
  diff,
  effectivePreference,
  explain,
  explainShards,
  importTopology,
  methods,
  parseHello,
  parseURI,
  pollSRV,
  readable,
  resolveSRV,
  rtt,
  select,
  selectShards,
  simulate,
  simulateAsync,
  statusByCode,
  toURI,
  validate,
  whatIf,
  writable,
} from 'readpref';
import type { Change, Code, Effect, PossibleEvent, SelectOptions, Server, ServerDescription, TopologyDescription, TopologyState, Workload } from 'readpref';

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

// What operators ask.
const workloads: Workload[] = [{ readPreference: 'nearest', weight: 3 }, { name: 'reports', readPreference: preference }, { operation: 'write' }];
const loss: PossibleEvent = { type: 'memberDown', address: 'b.example:27017' };
const share: number | undefined = simulate(topology, workloads, { seed: 1n }).servers[0]?.readsPPM;
const state: string | undefined = (await simulateAsync(topology, workloads, { picks: 10, onProgress: (done, picks) => done < picks })).state;
const lost: readonly string[] | undefined = whatIf(topology, workloads, [loss], { everySingle: true }).scenarios[0]?.outcomes[0]?.why;
const severity: 'info' | 'warning' | 'error' | undefined = advise(description, workloads, { flowControl: false }).findings[0]?.severity;
const gain: number | undefined = diff(topology, workloads, { workloads: [{}, {}, {}] }, { pick: 'random' }).servers[0]?.change.readsPPM;
const imported: TopologyDescription | undefined = importTopology([{ ok: 1, isWritablePrimary: true, setName: 'rs0' }]).topology;
void [imported, gain, share, state, lost, severity];
// @ts-expect-error a zone has tags
void (() => whatIf(topology, workloads, [{ type: 'zoneDown', address: 'a' }]));
// @ts-expect-error pieces of how many picks?
void (() => simulateAsync(topology, workloads, {}));

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

// Open topologies.
const counts: number[] = [];
{
  using live = new Topology(description, { seed: 1n, localThresholdMS: 15, logger: console });
  const one: Server = live.selectSync(preference, { operation: 'read', deprioritized: ['x.example'] });
  {
    using server: Checkout = live.checkout('primary');
    counts.push(Number(live.describe().topology.servers[0]?.operationCount));
    void server.address.length;
  }
  counts.push(Number(live.describe().topology.servers[0]?.operationCount ?? 0));
  const many: Server[] = live.batch('nearest', 3, { checkout: true });
  for (const server of many) void live.release(server);
  const state: TopologyState = live.describe();
  Topology.open(state).close();
  const generation: number = live.update(description);
  void [one.id, generation, live.address(one.id), live.explain('nearest').text];
}
const discovered = new Topology('mongodb://a.example', { serverSelectionTimeoutMS: 5 });
discovered.addEventListener('effect', (event) => {
  const effect: Effect = event.detail;
  if (effect.effect === 'poolClear') void effect.generation.toFixed();
});
discovered.addEventListener('log', ({ detail }) => void detail.message.length, { once: true });
const waited: Promise<Server> = discovered.select(preference, { timeoutMS: 5, signal: AbortSignal.timeout(1000) });
const counted: Promise<Checkout> = discovered.select(null, { checkout: true });
// The timers of a selection keep no process alive; sockets would.
const alive = setInterval(() => {}, 1000);
const failures = await Promise.allSettled([waited, counted]);
clearInterval(alive);
const timedOut = failures.every((f) => f.status === 'rejected' && f.reason instanceof ServerSelectionTimeoutError && f.reason.explanation.text !== '');
const iterable: AsyncIterable<Change> = discovered;
const reading = discovered.events();
const accepted: boolean = discovered.onHello('a.example', { ok: 1 }, { roundTripTimeMS: 1.5 }).accepted;
const retry: boolean = discovered.onError('a.example', { kind: 'network', generation: 0 }).deprioritize;
for await (const change of reading) {
  if ('event' in change && change.event === 'serverDescriptionChanged') void change.newDescription.type;
  if ('effect' in change && change.effect === 'scanSRV') void change.afterMS;
  break;
}
const target: EventTarget = discovered;
void [accepted, retry, target, iterable];
void [parseURI('mongodb://a.example').readPreference.mode, toURI('nearest'), rtt([1, null]).averagesMS, readable(topology, 'nearest'), writable(description)];
void [command(topology, 'a.example', preference).$readPreference?.mode, effectivePreference({ command: 'find', clientReadPreference: preference }).from];
void (() => [resolveSRV('mongodb+srv://a.example.com', { srv: [] }).rescanMS, pollSRV('mongodb+srv://a.example.com', [], { current: [] }).added]);

// @ts-expect-error a timeout is a number
void (() => discovered.select('nearest', { timeoutMS: '5' }));
// @ts-expect-error checkouts are not made by users
void (() => new Checkout());
// @ts-expect-error a selection has no timeout here
void (() => discovered.selectSync('nearest', { timeoutMS: 5 }));
// @ts-expect-error an effect has no such member
discovered.addEventListener('effect', ({ detail }) => void detail.event);
// @ts-expect-error servers cannot be changed
void (() => (discovered.selectSync().id = 1));
// @ts-expect-error where discovery begins
void (() => new Topology({ seed: ['a.example'] }));
// @ts-expect-error what an error was
void (() => discovered.onError('a.example', { kind: 'timeout' }));

console.log(JSON.stringify({ address, code, normal, version, results, counts, timedOut }));
