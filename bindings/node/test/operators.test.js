// simulate, whatIf and advise. Expected values are counted by hand from the rules of
// docs/json.md, or are those of its examples.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadPrefError, ReadPreference, Topology, advise, call, diff, importTopology, simulate, simulateAsync, whatIf } from 'readpref';

const a = 'a.example:27017';
const b = 'b.example:27017';
const c = 'c.example:27017';

// docs/json.md, "simulate".
/** @type {import('readpref').TopologyDescription} */
const three = {
  setName: 'rs0',
  servers: [
    { address: a, type: 'RSPrimary', roundTripTimeMS: 2 },
    { address: b, type: 'RSSecondary', roundTripTimeMS: 5, operationCount: 3 },
    { address: c, type: 'RSSecondary', roundTripTimeMS: 9.5 },
  ],
};
// And its clients.
/** @type {import('readpref').TopologyDescription} */
const two = {
  servers: [
    { address: a, type: 'RSPrimary', roundTripTimeMS: 1 },
    { address: b, type: 'RSSecondary', roundTripTimeMS: 1 },
  ],
};
// docs/json.md, "what_if".
/** @type {import('readpref').TopologyDescription} */
const zones = {
  setName: 'rs0',
  servers: [
    { address: a, type: 'RSPrimary', roundTripTimeMS: 2, tags: { dc: 'ny' } },
    { address: b, type: 'RSSecondary', roundTripTimeMS: 5, tags: { dc: 'ny' } },
    { address: c, type: 'RSSecondary', roundTripTimeMS: 30, tags: { dc: 'sf' } },
  ],
};
/** @type {import('readpref').Workload} */
const web = { name: 'web', readPreference: 'nearest', weight: 3 };

/** @type {(act: () => unknown, code: string, path: string) => void} */
function refused(act, code, path) {
  assert.throws(act, (/** @type {any} */ error) => {
    assert.ok(error instanceof ReadPrefError);
    assert.deepEqual([error.code, error.path], [code, path]);
    return true;
  });
}

test('exact shares', () => {
  const found = simulate(three, [web, { name: 'orders', operation: 'write' }, { name: 'reports', readPreference: new ReadPreference('secondary', { tags: [{ use: 'reports' }] }) }]);
  assert.equal(found.picks, null);
  assert.equal(found.state, undefined);
  // Of six ordered pairs a and c win three each: 375,000 of a million reads, three of four being web's.
  assert.deepEqual(found.servers, [
    { index: 0, address: a, type: 'RSPrimary', readsPPM: 375_000, writesPPM: 1_000_000, operationsPPM: 500_000 },
    { index: 1, address: b, type: 'RSSecondary', readsPPM: 0, writesPPM: 0, operationsPPM: 0 },
    { index: 2, address: c, type: 'RSSecondary', readsPPM: 375_000, writesPPM: 0, operationsPPM: 300_000 },
  ]);
  assert.deepEqual(found.failed, { readsPPM: 250_000, writesPPM: 0, operationsPPM: 200_000 });
  assert.deepEqual(found.workloads[0], {
    name: 'web',
    operation: 'read',
    readPreference: { mode: 'nearest' },
    weight: 3,
    servers: [
      { index: 0, address: a, sharePPM: 500_000 },
      { index: 1, address: b, sharePPM: 0 },
      { index: 2, address: c, sharePPM: 500_000 },
    ],
    failedPPM: 0,
    roundTripTimeMS: 5.75,
  });
  assert.equal(found.workloads[2]?.reason?.code, 'noTagSetMatches');
  assert.ok(found.text.startsWith('topology  ReplicaSetWithPrimary rs0, 3 servers\n'));
  assert.ok(Object.isFrozen(found) && Object.isFrozen(found.workloads[0]?.servers));
  assert.ok(simulate(three, [web], { format: 'markdown' }).text.startsWith('- topology: '));
});

test('picks with clients: while b works for 11 ms, a has ten operations of 1 ms', () => {
  const found = simulate(two, [{ readPreference: 'nearest' }], { picks: 24, clients: 2, serviceTimesMS: { 'B.example': 10 } });
  assert.equal(found.picks, 24);
  assert.deepEqual(found.workloads[0]?.servers, [
    { index: 0, address: a, picks: 22, sharePPM: 916_667 },
    { index: 1, address: b, picks: 2, sharePPM: 83_333 },
  ]);
});

test('the seed is 0 unless it is given', () => {
  /** @param {bigint | number} [seed] */
  const once = (seed) => simulate(two, [web], { picks: 1000, ...(seed === undefined ? {} : { seed }) });
  assert.deepEqual(once(), once(0));
  assert.notDeepEqual(once(), once(1));
  assert.equal(once(2n ** 64n - 1n).picks, 1000);
  refused(() => once(2n ** 64n), 'outOfRange', 'seed');
});

test('pieces are one simulation, and other work goes on between them', async () => {
  const workloads = /** @type {import('readpref').Workload[]} */ ([web, { operation: 'write' }]);
  /** @type {Omit<import('readpref').SimulateOptions, 'picks'>} */
  const options = { clients: 5, serviceTimesMS: { [a]: 0.5 }, seed: 2n ** 64n - 1n, pick: 'random' };
  const whole = simulate(two, workloads, { ...options, picks: 250_000 });
  /** @type {number[][]} */
  const told = [];
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 0);
  const found = await simulateAsync(two, workloads, { ...options, picks: 250_000n, onProgress: (done, picks) => void told.push([done, picks]) });
  clearInterval(ticking);
  assert.deepEqual(told, [[100_000, 250_000], [200_000, 250_000], [250_000, 250_000]]);
  assert.ok(ticks > 0);
  assert.deepEqual(found, whole);

  // Stopped, and gone on from there.
  const part = await simulateAsync(two, workloads, { ...options, picks: 2 ** 40, onProgress: (done) => done < 200_000 });
  assert.equal(part.picks, 200_000);
  assert.deepEqual(await simulateAsync(two, workloads, { ...options, picks: 50_000, state: part.state ?? '' }), whole);
});

test('a simulation in pieces is ended by a signal, and by what onProgress throws', async () => {
  const ended = new AbortController();
  const mine = new Error('mine');
  const going = simulateAsync(two, [web], { picks: 2 ** 40, signal: ended.signal, onProgress: () => void ended.abort(mine) });
  await assert.rejects(going, mine);
  await assert.rejects(simulateAsync(two, [web], { picks: 1, signal: AbortSignal.abort(mine) }), mine);
  const throwing = simulateAsync(two, [web], { picks: 1, onProgress: () => { throw mine; } });
  await assert.rejects(throwing, mine);
});

test('what is wrong with a simulation in pieces', async () => {
  /** @type {[any, string, string][]} */
  const cases = [
    [undefined, 'wrongType', 'picks'],
    [{}, 'wrongType', 'picks'],
    [{ picks: 0.5 }, 'wrongType', 'picks'],
    [{ picks: 0 }, 'outOfRange', 'picks'],
    [{ picks: 2n ** 41n }, 'outOfRange', 'picks'],
    [{ picks: 1, state: '1' }, 'outOfRange', 'state'],
    [{ picks: 1, onProgress: 5 }, 'wrongType', 'onProgress'],
    [{ picks: 1, signal: {} }, 'wrongType', 'signal'],
    [{ picks: 1, clients: 0 }, 'outOfRange', 'clients'],
    [{ picks: 1, client: 5 }, 'unknownKey', 'client'],
    [5, 'argument', ''],
  ];
  for (const [options, code, path] of cases) {
    await assert.rejects(simulateAsync(two, [web], options), (/** @type {any} */ error) => {
      assert.deepEqual([error.code, error.path], [code, path]);
      return error instanceof ReadPrefError;
    });
  }
});

test('workloads and topologies are checked alike', () => {
  for (const ask of [simulate, (/** @type {any} */ t, /** @type {any} */ w, /** @type {any} */ o) => whatIf(t, w, null, o), advise]) {
    const wrong = /** @type {any} */ (ask);
    refused(() => wrong(two, []), 'outOfRange', 'workloads');
    refused(() => wrong(two), 'missingKey', 'workloads');
    refused(() => wrong(two, 'nearest'), 'wrongType', 'workloads');
    refused(() => wrong(two, {}), 'wrongType', 'workloads');
    refused(() => wrong(two, [5]), 'wrongType', 'workloads[0]');
    refused(() => wrong(two, [web, new Map([['readPreference', 'nearest']])]), 'invalidJSON', 'workloads[1]');
    refused(() => wrong(two, [Promise.resolve(web)]), 'invalidJSON', 'workloads[0]');
    refused(() => wrong(two, [Proxy.revocable({}, {})].map((one) => (one.revoke(), one.proxy))), 'wrongType', 'workloads[0]');
    refused(() => wrong(two, [web, { weight: 0 }]), 'outOfRange', 'workloads[1].weight');
    refused(() => wrong(two, [{ weight: -1 }]), 'outOfRange', 'workloads[0].weight');
    refused(() => wrong(two, [{ readPreference: 'farthest' }]), 'unknownMode', 'workloads[0].readPreference.mode');
    refused(() => wrong(two, new Array(101).fill(web)), 'limitExceeded', 'workloads[100]');
    refused(() => wrong(undefined, [web]), 'missingKey', 'topology');
    refused(() => wrong({ servers: [] }, [web]), 'outOfRange', 'topology.servers');
    refused(() => wrong(two, [web], { workloads: [] }), 'unknownKey', 'workloads');
    refused(() => wrong(two, [web], { localThreshold: 1 }), 'unknownKey', 'localThreshold');
    refused(() => wrong(two, [web], 5), 'argument', '');
    assert.deepEqual(wrong(new Topology(two), new Set([web])), wrong(two, [web]));
  }
});

test('what becomes of operations', () => {
  const found = whatIf(
    zones,
    [{ name: 'orders', operation: 'write' }, { name: 'reports', readPreference: { mode: 'secondaryPreferred', tags: [{ dc: 'sf' }, {}] } }],
    [{ type: 'primarySteppedDown' }, { type: 'zoneDown', tags: { dc: 'ny' } }, { type: 'memberDown', address: 'C.example' }],
  );
  assert.equal(found.before.primary, a);
  assert.deepEqual(found.before.outcomes[0], { name: 'orders', operation: 'write', readPreference: { mode: 'primary' }, weight: 1, status: 'served', servers: [a] });
  // docs/json.md, "what_if".
  assert.deepEqual(
    found.scenarios.map(({ name, phase, primary }) => [name, phase, primary]),
    [
      ['primary steps down', 'noPrimary', null],
      ['primary steps down', 'elected', b],
      ['primary steps down', 'elected', c],
      ['{dc: ny} down', 'noMajority', null],
      ['C.example down', 'asBefore', a],
    ],
  );
  assert.equal(found.scenarios[0]?.outcomes[0]?.reason?.code, 'noCandidate');
  assert.deepEqual(found.scenarios[2]?.outcomes, [
    { status: 'degraded', servers: [c], why: ['slower'] },
    { status: 'degraded', servers: [a, b], why: ['laterTagSet'] },
  ]);
  assert.ok(found.text.includes('FAILS: noCandidate'));
  assert.ok(Object.isFrozen(found.scenarios));
});

test('every event, and every option of whatIf', () => {
  /** @type {Record<string, import('readpref').PossibleEvent>} */
  const events = {
    'a.example down': { type: 'memberDown', address: 'a.example' },
    '{dc: sf} down': { type: 'zoneDown', tags: { dc: 'sf' } },
    'network split, seen from {dc: ny}': { type: 'networkSplit', tags: { dc: 'ny' } },
    '{dc: ny} + 2.5 ms RTT': { type: 'zoneSlower', tags: { dc: 'ny' }, roundTripTimeMS: 2.5 },
    'd.example added': { type: 'memberAdded', server: { address: 'd.example', type: 'RSSecondary' } },
    'b.example has {dc: la}': { type: 'tagsChanged', address: 'b.example', tags: { dc: 'la' } },
  };
  for (const [name, event] of Object.entries(events)) {
    assert.deepEqual([...new Set(whatIf(zones, [web], [event]).scenarios.map((one) => one.name))], [name]);
  }
  const names = (/** @type {import('readpref').WhatIfOptions} */ options) => [...new Set(whatIf(zones, [web], [], options).scenarios.map((one) => one.name))];
  assert.deepEqual(names({}), []);
  assert.deepEqual(names({ everySingle: true }), [`${a} down`, `${b} down`, `${c} down`]);
  assert.deepEqual(names({ everyPair: true }), [`${a} down and ${b} down`, `${a} down and ${c} down`, `${b} down and ${c} down`]);
  const wrong = /** @type {any} */ (whatIf);
  refused(() => wrong(zones, [web], [{ type: 'memberDown', address: 'x.example' }]), 'outOfRange', 'events[0]');
  refused(() => wrong(zones, [web], [{ type: 'memberLags', address: 'b.example', lagSeconds: 60 }]), 'outOfRange', 'events[0]');
  refused(() => wrong(zones, [web], 'memberDown'), 'wrongType', 'events');
  refused(() => wrong(zones, [web], [], { atOnce: 4 }), 'outOfRange', 'atOnce');
  refused(() => wrong(zones, [web], [], { events: [] }), 'unknownKey', 'events');
});

test('advice', () => {
  const found = advise(three, [{ readPreference: { mode: 'secondary', maxStalenessSeconds: 60 } }]);
  // docs/json.md, "advise".
  assert.deepEqual(found.findings[0], {
    code: 'maxStalenessTooSmall',
    severity: 'error',
    workload: 0,
    path: 'workloads[0].readPreference.maxStalenessSeconds',
    message: 'maxStalenessSeconds 60 is too small: this topology allows 90 or more (90, and heartbeatFrequencyMS 10000 + 10 s)',
    fix: 'raise maxStalenessSeconds, or lower heartbeatFrequencyMS',
    see: 'Max Staleness specification, "Smallest allowed value for maxStalenessSeconds"',
  });
  const codes = (/** @type {import('readpref').Workload} */ workload, /** @type {import('readpref').AdviseOptions} */ options = {}) =>
    advise(three, [{ readPreference: 'secondaryPreferred', ...workload }], options).findings.map((one) => one.code);
  assert.ok(codes({ writesBack: true }).includes('writesBackStaleReads'));
  assert.ok(codes({ transaction: true }).includes('transactionNotPrimary'));
  assert.ok(codes({}, { directConnection: true }).includes('directConnectionPreference'));
  assert.ok(codes({}, { flowControl: false }).includes('flowControlOff'));
  assert.deepEqual(codes({ readPreference: 'primary', writesBack: true, transaction: true }, { flowControl: false }), []);
});

test('who gains and who loses', () => {
  // docs/json.md, "diff": before, a and b have half of web's reads each, and those of reports fail.
  /** @type {import('readpref').TopologyDescription} */
  const described = {
    setName: 'rs0',
    servers: [
      { address: a, type: 'RSPrimary', roundTripTimeMS: 2 },
      { address: b, type: 'RSSecondary', roundTripTimeMS: 5, tags: { use: 'reports' } },
    ],
  };
  /** @type {(use: string) => import('readpref').Workload} */
  const reports = (use) => ({ name: 'reports', readPreference: { mode: 'secondary', tags: [{ use }] } });
  const found = diff(described, [web, reports('report')], { workloads: [{ ...web, readPreference: 'primaryPreferred' }, reports('reports')] });
  assert.equal(found.changed, true);
  assert.deepEqual(
    found.servers.map((one) => one.change.readsPPM),
    [375_000, -125_000],
  );
  assert.deepEqual(found.failed.change, { readsPPM: -250_000, writesPPM: 0, operationsPPM: -250_000 });
  assert.deepEqual(found.workloads[1]?.servers, [
    {
      address: b,
      before: { sharePPM: 0, stage: 'tagSets', why: 'tags[0] needs use=report, has use=reports' },
      after: { sharePPM: 1_000_000, stage: 'inLatencyWindow', why: 'the only server in the latency window' },
      changePPM: 1_000_000,
    },
  ]);
  assert.ok(Object.isFrozen(found.servers));

  assert.equal(diff(three, [web], { pick: 'random' }).changed, true);
  assert.equal(diff(three, [web], { pick: 'random' }, { pick: 'random' }).changed, false);
  assert.deepEqual(
    diff(three, [web], { topology: new Topology(two) }).servers.map((one) => one.after === null),
    [false, false, true],
  );
  const wrong = /** @type {any} */ (diff);
  refused(() => wrong(three, [web]), 'missingKey', 'after');
  refused(() => wrong(three, [web], 5), 'wrongType', 'after');
  refused(() => wrong(three, [web], {}), 'outOfRange', 'after');
  refused(() => wrong(three, [web], { workloads: [] }), 'outOfRange', 'after.workloads');
  refused(() => wrong(three, [web], { workloads: [{ weight: 0 }] }), 'outOfRange', 'after.workloads[0].weight');
  refused(() => wrong(three, [web], { topology: { servers: [] } }), 'outOfRange', 'after.topology.servers');
  refused(() => wrong(three, [web], { pick: 'random' }, { after: {} }), 'unknownKey', 'after');
});

test('what was saved is imported', () => {
  // docs/json.md, "import".
  const found = importTopology([{ map: { config: 'cfg/c1.example:27019', shardA: 'rsA/a1.example:27018,a2.example:27018' }, ok: 1 }]);
  assert.deepEqual(found.sources, ['shardMap']);
  assert.equal(found.topology, undefined);
  assert.deepEqual(found.shards?.shardA?.servers, [
    { address: 'a1.example:27018', type: 'RSPrimary' },
    { address: 'a2.example:27018', type: 'RSSecondary' },
  ]);
  assert.deepEqual(found.guessed.map((note) => note.code), ['typeGuessed', 'typeGuessed']);
  assert.ok(Object.isFrozen(found.unknown));
  const wrong = /** @type {any} */ (importTopology);
  refused(() => wrong(), 'missingKey', 'documents');
  refused(() => wrong([]), 'outOfRange', 'documents');
  refused(() => wrong('text'), 'wrongType', 'documents');
  refused(() => wrong([{ servers: [] }]), 'unknownValue', 'documents[0]');
});

test('the answers are those of the raw door', () => {
  /** @type {import('readpref').Workload[]} */
  const workloads = [{ readPreference: { mode: 'nearest' } }];
  assert.deepEqual(simulate(three, workloads), call('simulate', { topology: three, workloads }));
  assert.deepEqual(whatIf(zones, workloads, [], { everySingle: true }), call('what_if', { topology: zones, workloads, everySingle: true }));
  assert.deepEqual(advise(zones, workloads), call('advise', { topology: zones, workloads }));
});
