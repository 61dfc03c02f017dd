// What the page shows: one request to the engine, and what the page itself has to remember beside it.
// The request is the document of docs/json.md as it is sent, so whatever can be asked can be shown.

export type Tags = Record<string, string>;

/** A member as the engine takes it. What was typed and is no number stays as it was typed: the engine says what is wrong with it. */
export interface Server {
  address: string;
  type: string;
  roundTripTimeMS?: number | string;
  /** A string is what was typed and names no tags. */
  tags?: Tags | string;
  lastWriteDate?: number | string;
  lastUpdateTimeMS?: number;
  minWireVersion?: number | string;
  maxWireVersion?: number | string;
  operationCount?: number | string;
  error?: string;
  [other: string]: unknown;
}

export interface Topology {
  type?: string;
  setName?: string;
  servers: Server[];
  [other: string]: unknown;
}

export interface Preference {
  mode?: string;
  tags?: (Tags | string)[];
  maxStalenessSeconds?: number | string;
  hedge?: unknown;
}

/** What is asked for each topology: everything in a request but the topologies. */
export interface Settings {
  readPreference?: Preference;
  operation?: string;
  deprioritized?: string[];
  customSelector?: { keepOnly: string[] };
  localThresholdMS?: number | string;
  heartbeatFrequencyMS?: number | string;
  wireVersions?: { min: number; max: number };
  pick?: string;
  seed?: number | string;
}

export interface Workload {
  name?: string;
  readPreference?: Preference;
  operation?: string;
  weight?: number;
}

/** An event of what_if, as docs/json.md has it. */
export interface WhatIfEvent {
  type: string;
  [key: string]: unknown;
}

export interface Case {
  /** Topologies by name. One that is called "" stands alone; several are answered each on its own, as the shards of a cluster. */
  topologies: { name: string; topology: Topology }[];
  settings: Settings;
  /** Which of the topologies is shown. */
  shown: number;
  /** What members were before they were killed, by topology and address. */
  killed: Record<string, Server>;
  /** Beside the read that is shown, for what-if and advice. */
  workloads: Workload[];
  whatIf: { events: WhatIfEvent[]; everySingle: boolean; everyPair: boolean };
  /** What advice is told, which no topology says. */
  advice: { directConnection?: boolean; flowControl?: boolean; writesBack?: boolean; transaction?: boolean };
  /** How many operations are in progress at once in the simulated picks; undefined: the operation counts stay. */
  clients?: number | string | undefined;
  /** What this case is compared with. */
  before?: { topology: Topology; settings: Settings } | undefined;
}

/** When the members of a made-up case were checked: any fixed point will do. */
export const CHECKED_MS = 1_793_000_000_000;

export const MODES = ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'] as const;

export const OPERATIONS = ['read', 'write', 'aggregateWithWriteStage'] as const;

export const PICKS = ['leastBusyOfTwo', 'random', 'roundRobin'] as const;

/** The name under which a killed member is kept. */
export function killedKey(topologyName: string, address: string): string {
  return `${topologyName}/${address}`;
}

/** The request of `select` and `explain` about one topology. */
export function requestOf(shown: Topology, settings: Settings) {
  return { topology: shown, ...settings };
}

/** The whole case as one request, to be given to any runtime. */
export function wholeRequest({ topologies, settings }: Case) {
  const [first] = topologies;
  if (topologies.length === 1 && first !== undefined && first.name === '') return requestOf(first.topology, settings);
  return { shards: Object.fromEntries(topologies.map(({ name, topology }) => [name, topology])), ...settings };
}
