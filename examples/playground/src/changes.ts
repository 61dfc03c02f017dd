// What a person can do to a case. Each gives a new case, and leaves the old one as it was.
import { CHECKED_MS, killedKey, type Case, type Server, type Settings, type Topology } from './case.js';

function withTopology(shown: Case, change: (topology: Topology) => Topology): Case {
  return { ...shown, topologies: shown.topologies.map((each, i) => (i === shown.shown ? { ...each, topology: change(each.topology) } : each)) };
}

export function shownTopology(shown: Case): Topology {
  return (shown.topologies[shown.shown] ?? shown.topologies[0])!.topology;
}

function shownName(shown: Case): string {
  return (shown.topologies[shown.shown] ?? shown.topologies[0])!.name;
}

/** Without the keys that are undefined: to the engine they would be absent anyway, and a link is shorter. */
function tidy<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

export function changeMember(shown: Case, index: number, change: Partial<Server>): Case {
  const before = shownTopology(shown).servers[index]!;
  const renamed = change.address !== undefined && change.address !== before.address;
  const settings = renamed ? renameIn(shown.settings, before.address, change.address!) : shown.settings;
  const next = withTopology({ ...shown, settings }, (topology) => withDerivedType({ ...topology, servers: topology.servers.map((server, i) => (i === index ? tidy({ ...server, ...change }) : server)) }));
  const killed = shown.killed[killedKey(shownName(shown), before.address)];
  if (!renamed || killed === undefined) return next;
  const { [killedKey(shownName(shown), before.address)]: _, ...others } = shown.killed;
  return { ...next, killed: { ...others, [killedKey(shownName(shown), change.address!)]: { ...killed, address: change.address! } } };
}

function renameIn(settings: Settings, from: string, to: string): Settings {
  const rename = (addresses: string[]) => addresses.map((address) => (address === from ? to : address));
  return tidy({
    ...settings,
    deprioritized: settings.deprioritized && rename(settings.deprioritized),
    customSelector: settings.customSelector && { keepOnly: rename(settings.customSelector.keepOnly) },
  });
}

/** A topology's type follows from its servers, where it can; one that was given stops doing so when a member changes its role. */
function withDerivedType(topology: Topology): Topology {
  if (topology.type !== 'ReplicaSetWithPrimary' && topology.type !== 'ReplicaSetNoPrimary') return topology;
  if (!topology.servers.some((server) => /^RS(Primary|Secondary|Arbiter|Other)$/.test(server.type))) return { ...topology, type: 'ReplicaSetNoPrimary' };
  const { type: _, ...rest } = topology;
  return rest as Topology;
}

export function addMember(shown: Case): Case {
  const { servers } = shownTopology(shown);
  const taken = new Set(servers.map((server) => server.address.toLowerCase()));
  let number = servers.length + 1;
  while (taken.has(`new${number}.example:27017`)) number++;
  const type = servers.some((server) => server.type === 'Mongos') ? 'Mongos' : servers.some((server) => server.type === 'RSPrimary') || servers.length > 0 ? 'RSSecondary' : 'RSPrimary';
  const server: Server = { address: `new${number}.example:27017`, type, roundTripTimeMS: 10 };
  if (type !== 'Mongos') Object.assign(server, { lastWriteDate: CHECKED_MS - 1000, lastUpdateTimeMS: CHECKED_MS });
  return withTopology(shown, (topology) => withDerivedType({ ...topology, servers: [...topology.servers, server] }));
}

export function removeMember(shown: Case, index: number): Case {
  return withTopology(shown, (topology) => withDerivedType({ ...topology, servers: topology.servers.filter((_, i) => i !== index) }));
}

export function moveMember(shown: Case, from: number, to: number): Case {
  return withTopology(shown, (topology) => {
    const servers = [...topology.servers];
    const [moved] = servers.splice(from, 1);
    if (moved !== undefined) servers.splice(to, 0, moved);
    return { ...topology, servers };
  });
}

/** The member does not answer any more: its client knows nothing of it but its address. */
export function killMember(shown: Case, index: number): Case {
  const server = shownTopology(shown).servers[index]!;
  const next = withTopology(shown, (topology) =>
    withDerivedType({ ...topology, servers: topology.servers.map((each, i) => (i === index ? { address: server.address, type: 'Unknown', error: 'connection refused' } : each)) }),
  );
  return { ...next, killed: { ...shown.killed, [killedKey(shownName(shown), server.address)]: server } };
}

/**
 * The member answers again, with what it had before. A primary that another has replaced comes back as a secondary,
 * as it would.
 */
export function reviveMember(shown: Case, index: number): Case {
  const { servers } = shownTopology(shown);
  const key = killedKey(shownName(shown), servers[index]!.address);
  const { [key]: before, ...killed } = shown.killed;
  if (before === undefined) return shown;
  const replaced = before.type === 'RSPrimary' && servers.some((server) => server.type === 'RSPrimary');
  const revived = replaced ? { ...before, type: 'RSSecondary' } : before;
  return { ...withTopology(shown, (topology) => withDerivedType({ ...topology, servers: servers.map((server, i) => (i === index ? revived : server)) })), killed };
}

export function isKilled(shown: Case, index: number): boolean {
  const server = shownTopology(shown).servers[index];
  return server !== undefined && shown.killed[killedKey(shownName(shown), server.address)] !== undefined;
}

export function changeSettings(shown: Case, change: Partial<Settings>): Case {
  return { ...shown, settings: tidy({ ...shown.settings, ...change }) };
}

export function changePreference(shown: Case, change: Partial<NonNullable<Settings['readPreference']>>): Case {
  return changeSettings(shown, { readPreference: tidy({ ...shown.settings.readPreference, ...change }) });
}

export function deprioritize(shown: Case, address: string, on: boolean): Case {
  const others = (shown.settings.deprioritized ?? []).filter((each) => each !== address);
  const deprioritized = on ? [...others, address] : others;
  return changeSettings(shown, { deprioritized: deprioritized.length > 0 ? deprioritized : undefined });
}
