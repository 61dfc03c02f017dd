// Cases to begin with. Each shows something that people ask about.
import { CHECKED_MS, killedKey, type Case, type Server, type Settings, type Tags, type Topology, type Workload } from './case.js';

export interface Preset {
  id: string;
  name: string;
  /** What to look at, in a sentence or two. */
  about: string;
  make: () => Case;
}

interface Made {
  rtt: number;
  lag?: number;
  tags?: Tags;
  busy?: number;
  wire?: number;
}

/** A member that was checked just now, and wrote `lag` seconds before. */
function member(address: string, type: string, { rtt, lag, tags, busy, wire = 25 }: Made): Server {
  return {
    address: `${address}:27017`,
    type,
    roundTripTimeMS: rtt,
    ...(tags && { tags }),
    ...(lag !== undefined && { lastWriteDate: CHECKED_MS - lag * 1000, lastUpdateTimeMS: CHECKED_MS }),
    minWireVersion: 0,
    maxWireVersion: wire,
    ...(busy && { operationCount: busy }),
  };
}

function made(topologies: Case['topologies'], settings: Settings, workloads: Workload[]): Case {
  return { topologies, settings: { ...settings, seed: 42 }, shown: 0, killed: {}, workloads, whatIf: { events: [], everySingle: true, everyPair: false }, advice: {} };
}

const alone = (topology: Topology) => [{ name: '', topology }];

const ORDERS: Workload = { name: 'orders', operation: 'write' };

export const PRESETS: readonly Preset[] = [
  {
    id: 'three-data-centres',
    name: 'Three data centres',
    about: 'Reports read from secondaries in America, at most two minutes old. Every stage drops somebody.',
    make: () =>
      made(
        alone({
          setName: 'rs0',
          servers: [
            member('ny1.example.net', 'RSPrimary', { rtt: 1.9, lag: 0.95, tags: { dc: 'ny', region: 'us' } }),
            member('ny2.example.net', 'RSSecondary', { rtt: 2.25, lag: 1.9, tags: { dc: 'ny', region: 'us' }, busy: 3 }),
            member('ny3.example.net', 'RSSecondary', { rtt: 4.1, lag: 0.93, tags: { dc: 'ny', region: 'us' }, busy: 3 }),
            member('sf1.example.net', 'RSSecondary', { rtt: 31, lag: 2.49, tags: { dc: 'sf', region: 'us' } }),
            member('sf2.example.net', 'RSSecondary', { rtt: 30.5, lag: 146.15, tags: { dc: 'sf', region: 'us' } }),
            member('ams1.example.net', 'RSSecondary', { rtt: 81.3, lag: 1.2, tags: { dc: 'ams', region: 'eu' } }),
            member('ams2.example.net', 'RSArbiter', { rtt: 79.6 }),
          ],
        }),
        { readPreference: { mode: 'secondary', tags: [{ region: 'us' }], maxStalenessSeconds: 120 } },
        [ORDERS, { name: 'web', readPreference: { mode: 'nearest', maxStalenessSeconds: 120 } }],
      ),
  },
  {
    id: '2-5-150',
    name: '2, 5 and 150 ms',
    about: 'The textbook case: the window is 15 ms wide from the nearest member on, so the first two share the reads.',
    make: () =>
      made(
        alone({
          setName: 'rs0',
          servers: [
            member('m1.example.net', 'RSPrimary', { rtt: 2, lag: 0.5 }),
            member('m2.example.net', 'RSSecondary', { rtt: 5, lag: 1.2 }),
            member('m3.example.net', 'RSSecondary', { rtt: 150, lag: 2.1 }),
          ],
        }),
        { readPreference: { mode: 'nearest' } },
        [ORDERS],
      ),
  },
  {
    id: 'sharded',
    name: 'Sharded cluster',
    about: 'The driver chooses a mongos by its distance alone. The read preference goes along, and the mongos chooses with it in each shard.',
    make: () =>
      made(
        [
          {
            name: 'mongos',
            topology: {
              servers: [
                member('m1.example.net', 'Mongos', { rtt: 1.4, busy: 4 }),
                member('m2.example.net', 'Mongos', { rtt: 3.2, busy: 1 }),
                member('m3.example.net', 'Mongos', { rtt: 38 }),
              ],
            },
          },
          {
            name: 'shard0',
            topology: {
              setName: 'shard0',
              servers: [
                member('s0a.example.net', 'RSPrimary', { rtt: 0.6, lag: 0.4, tags: { dc: 'ny' } }),
                member('s0b.example.net', 'RSSecondary', { rtt: 0.9, lag: 1.1, tags: { dc: 'ny' } }),
                member('s0c.example.net', 'RSSecondary', { rtt: 34, lag: 1.8, tags: { dc: 'sf' } }),
              ],
            },
          },
          {
            name: 'shard1',
            topology: {
              setName: 'shard1',
              servers: [
                member('s1a.example.net', 'RSSecondary', { rtt: 0.7, lag: 240, tags: { dc: 'ny' } }),
                member('s1b.example.net', 'RSPrimary', { rtt: 33, lag: 0.5, tags: { dc: 'sf' } }),
                member('s1c.example.net', 'RSSecondary', { rtt: 35, lag: 0.9, tags: { dc: 'sf' } }),
              ],
            },
          },
        ],
        { readPreference: { mode: 'secondaryPreferred', tags: [{ dc: 'ny' }, {}], maxStalenessSeconds: 120 } },
        [ORDERS],
      ),
  },
  {
    id: 'atlas',
    name: 'Atlas with analytics nodes',
    about: 'Analytics reads stay on the analytics node. The trailing {} keeps them alive without it, on the operational members.',
    make: () => {
      const tags = (nodeType: string, region: string): Tags => ({
        provider: 'AWS',
        region,
        nodeType,
        workloadType: nodeType === 'ANALYTICS' ? 'ANALYTICAL' : 'OPERATIONAL',
        diskState: 'READY',
      });
      return made(
        alone({
          setName: 'atlas-abc123-shard-0',
          servers: [
            member('shard-00-00.abc123.example.net', 'RSPrimary', { rtt: 1.1, lag: 0.3, tags: tags('ELECTABLE', 'US_EAST_1') }),
            member('shard-00-01.abc123.example.net', 'RSSecondary', { rtt: 1.6, lag: 0.8, tags: tags('ELECTABLE', 'US_EAST_1') }),
            member('shard-00-02.abc123.example.net', 'RSSecondary', { rtt: 12.4, lag: 1.1, tags: tags('ELECTABLE', 'US_EAST_2') }),
            member('shard-00-03.abc123.example.net', 'RSSecondary', { rtt: 74, lag: 1.4, tags: tags('READ_ONLY', 'EU_WEST_1') }),
            member('shard-00-04.abc123.example.net', 'RSSecondary', { rtt: 1.3, lag: 4.2, tags: tags('ANALYTICS', 'US_EAST_1') }),
          ],
        }),
        { readPreference: { mode: 'secondary', tags: [{ nodeType: 'ANALYTICS' }, {}] } },
        [ORDERS, { name: 'web', readPreference: { mode: 'nearest', tags: [{ workloadType: 'OPERATIONAL' }], maxStalenessSeconds: 90 }, weight: 20 }],
      );
    },
  },
  {
    id: 'failover',
    name: 'Failover',
    about: 'The primary is gone, and nobody is elected yet. Writes wait; without a primary, staleness is measured against the freshest secondary.',
    make: () => {
      const lost = member('a.example.net', 'RSPrimary', { rtt: 1.2, lag: 0.2 });
      const shown = made(
        alone({
          setName: 'rs0',
          servers: [
            { address: lost.address, type: 'Unknown', error: 'connection refused' },
            member('b.example.net', 'RSSecondary', { rtt: 2.8, lag: 6.5 }),
            member('c.example.net', 'RSSecondary', { rtt: 7.4, lag: 9.1 }),
            member('d.example.net', 'RSSecondary', { rtt: 3.1, lag: 92 }),
          ],
        }),
        { readPreference: { mode: 'primaryPreferred', maxStalenessSeconds: 90 } },
        [ORDERS],
      );
      return { ...shown, killed: { [killedKey('', lost.address)]: lost } };
    },
  },
];

export function presetById(id: string): Preset | undefined {
  return PRESETS.find((preset) => preset.id === id);
}
