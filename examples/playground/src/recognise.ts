// What was pasted: a connection string, what mongosh printed, Extended JSON, a description. Forms are told apart here;
// what is in them is read by the engine.
import { ParseMode, parse as parseShell } from '@mongodb-js/shell-bson-parser';
import { EJSON } from 'bson';
import type { Case, Preference, Server, Settings, Topology } from './case.js';
import { ask, askText, type Answer, type Problem } from './engine.js';
import { shownTopology } from './changes.js';

export interface Recognised {
  /** What it was taken for. */
  what: string;
  change: (before: Case) => Case;
  /** What was left out or ignored, and what the source cannot tell. */
  remarks: string[];
}

/** No parser of programs gets more: it takes seconds, and mongosh prints less. JSON goes to the engine, up to its own limit. */
const MAX_SHELL = 1_000_000;

/** So many documents after each other are no longer what a person copied. */
const MAX_PIECES = 200;

type Document = Record<string, unknown>;

export function recognise(pasted: string): Answer<Recognised> {
  const text = pasted.trim();
  if (text === '') return refused('nothingPasted', '', 'there is nothing to read');
  if (/^mongodb(\+srv)?:\/\//i.test(text)) return ofConnectionString(text);
  if (text.length < MAX_SHELL) {
    if (/^[?&]?\w+=[^\s{}]*$/.test(text)) return ofOptions(text.replace(/^[?&]/, ''));
    const call = /(?:setReadPref|readPref|withReadPref)\s*\(([\s\S]*)\)\s*;?$/.exec(text);
    if (call !== null) {
      const args = valueOf(`[${call[1]}]`);
      return args.problem !== undefined ? { problem: args.problem } : ofMongosh(args.answer as unknown[]);
    }
  }
  // As drivers log it; that may be as long as the engine takes.
  const log = /topology description changed|<TopologyDescription|"newDescription"/i.test(text) ? ofImport([text]) : undefined;
  if (log?.answer !== undefined) return log;
  const value = valueOf(text);
  if (value.problem === undefined) return ofValue(value.answer);
  if (text.length < MAX_SHELL) {
    // Several documents after each other, with mongosh's prompts between them.
    const several = documentsIn(text);
    if (several !== undefined) return ofValue(several);
  }
  return log ?? { problem: value.problem };
}

function documentsIn(text: string): Document[] | undefined {
  const pieces = text
    .replace(/^[^{}\n]*> .*$/gm, '')
    .split(/^(?=\{)/m)
    .filter((piece) => piece.trim() !== '');
  if (pieces.length > MAX_PIECES) return undefined;
  const documents: Document[] = [];
  for (const piece of pieces) {
    const { answer } = valueOf(piece.trim());
    if (!isDocument(answer)) return undefined;
    documents.push(answer);
  }
  return documents.length > 0 ? documents : undefined;
}

/** A value from JSON, or from what mongosh prints. */
function valueOf(text: string): Answer<unknown> {
  try {
    // Not through EJSON, whose dates and numbers the engine reads itself.
    return { answer: JSON.parse(text) as unknown };
  } catch {
    // Then it is what mongosh prints, or nothing.
  }
  const refusal = refusalOf(text);
  if (text.length >= MAX_SHELL || refusal.code === 'documentTooLarge') return { problem: refusal };
  try {
    const value: unknown = parseShell(text, { mode: ParseMode.Loose });
    if (typeof value !== 'object' || value === null) return { problem: refusal };
    return { answer: EJSON.serialize(value, { relaxed: false }) };
  } catch (error) {
    return { problem: { ...refusal, message: `${refusal.message}; nor is it what mongosh prints: ${error instanceof Error ? error.message : String(error)}` } };
  }
}

/** The engine's words for what is no JSON, or too long: the one place where it takes any value is in a reply. */
function refusalOf(text: string): Problem {
  const { problem } = askText('server.parse_hello', `{"address":"any","hello":{"any":${text}}}`);
  if (problem === undefined) return { code: 'invalidJSON', path: '', message: 'this is no document' };
  return { ...problem, path: problem.path.replace(/^hello(\.any\.?)?/, '') };
}

function ofValue(value: unknown): Answer<Recognised> {
  if (Array.isArray(value)) {
    if (typeof value[0] === 'string') return ofMongosh(value);
    if (value.length === 1 && isDocument(value[0])) return ofValue(value[0]);
    if (value.length > 0 && value.every((each) => isDocument(each) && isImported(each))) return ofImport(value);
    if (value.length > 0 && value.every(isDocument)) return ofTopology('a list of members', { servers: value.map((each) => (isReply(each) ? savedReply(each) : each)) });
    return refused('unknownForm', '', 'a list is read as members, or as arguments of setReadPref');
  }
  if (!isDocument(value)) return refused('unknownForm', '', 'this is no connection string, no document and no list');
  if ('topology' in value || isDocument(value.shards)) return ofRequest(value);
  if ('servers' in value) return ofTopology('a topology description', value);
  if (isReply(value)) return ofReply(savedReply(value));
  if ('hello' in value) return ofReply(value);
  if (isImported(value)) return ofImport([value]);
  if ('address' in value) return ofTopology('a server description', { servers: [value] });
  if ('readPreference' in value) return ofPreference('a request without a topology', value.readPreference);
  if ('$readPreference' in value) return ofPreference('a command', value.$readPreference);
  if ('mode' in value) return ofPreference('a read preference', value);
  // The engine says which key it does not know, and which it would have meant.
  const { problem } = ask('explain', value);
  return { problem: problem ?? { code: 'unknownForm', path: '', message: 'this is no document that is known here' } };
}

interface ConnectionString {
  srv: boolean;
  seeds: string[];
  readPreference: Preference;
  options: Document;
  warnings: { code: string; message: string; path: string }[];
}

function ofConnectionString(uri: string): Answer<Recognised> {
  const { answer, problem } = ask<ConnectionString>('parse_uri', { uri });
  if (answer === undefined) return { problem };
  const { readPreference, options, seeds, srv, warnings } = answer;
  const remarks = warnings.map(({ path, message }) => `${path}: ${message}`);
  const settings: Partial<Settings> = { readPreference };
  for (const key of ['localThresholdMS', 'heartbeatFrequencyMS'] as const) if (typeof options[key] === 'number') settings[key] = options[key];
  if (srv) remarks.push('its hosts are in DNS, which this page does not ask: the members stay as they are');
  return {
    answer: {
      what: 'a connection string',
      remarks: [...remarks, ...(srv ? [] : ['members that it names, and were not there, are unknown: a connection string does not say what they are'])],
      change: (before) => {
        const { readPreference: _, localThresholdMS: __, heartbeatFrequencyMS: ___, ...kept } = before.settings;
        const next = { ...before, settings: { ...kept, ...settings } };
        const known = new Map(before.topologies.flatMap(({ topology }) => topology.servers.map((server) => [normal(server.address), server])));
        if (srv || seeds.length === 0 || seeds.some((seed) => known.has(seed))) return next;
        const setName = typeof options.replicaSet === 'string' ? { setName: options.replicaSet } : {};
        return alone(next, { ...setName, servers: seeds.map((address) => ({ address, type: 'Unknown', error: 'not asked' })) });
      },
    },
  };
}

function ofOptions(uriOptions: string): Answer<Recognised> {
  return ofValidated('options of a connection string', { uriOptions });
}

function ofMongosh(args: unknown[]): Answer<Recognised> {
  return ofValidated('arguments of mongosh’s setReadPref', { mongosh: args });
}

function ofPreference(what: string, readPreference: unknown): Answer<Recognised> {
  return ofValidated(what, { readPreference });
}

function ofValidated(what: string, request: Document): Answer<Recognised> {
  const { answer, problem } = ask<{ readPreference: Preference | null; problems: Problem[]; warnings: Problem[] }>('validate', request);
  if (answer === undefined) return { problem };
  const { readPreference, problems, warnings } = answer;
  if (readPreference === null) return { problem: problems[0]! };
  return {
    answer: { what, remarks: warnings.map(({ path, message }) => `${path}: ${message}`), change: (before) => ({ ...before, settings: { ...before.settings, readPreference } }) },
  };
}

/** In the engine's own words: saved replies become descriptions, dates and long integers numbers. */
function described(topology: unknown): Answer<Topology> {
  const opened = ask<{ topology: number }>('topology.open', { topology });
  if (opened.answer === undefined) return opened;
  const answer = ask<{ topology: Topology }>('topology.describe', opened.answer);
  ask('close', { handle: opened.answer.topology });
  return answer.answer === undefined ? answer : { answer: answer.answer.topology };
}

function ofTopology(what: string, value: Document): Answer<Recognised> {
  const { answer, problem } = described(value);
  if (answer === undefined) return { problem };
  return { answer: { what, remarks: remarksOn(answer), change: (before) => alone(before, answer) } };
}

/** What the engine's importer takes beside replies. */
function isImported(value: Document): boolean {
  const { members, shards, map, config, newDescription, topologyDescription, replicationSpecs } = value;
  const keys = [members, map, newDescription, topologyDescription, replicationSpecs];
  return keys.some((key) => key !== undefined) || Array.isArray(shards) || (isDocument(config) && 'members' in config) || isReply(value) || 'hello' in value;
}

interface Note {
  path: string;
  message: string;
}

const SOURCES: Record<string, string> = {
  rsStatus: 'rs.status()',
  rsConf: 'rs.conf()',
  hello: 'replies to hello',
  shardMap: 'a list of shards',
  driverLog: 'a driver’s log',
  atlasCluster: 'a cluster of Atlas',
};

function ofImport(documents: unknown[]): Answer<Recognised> {
  const { answer, problem } = ask<{ sources: string[]; topology?: Topology; shards?: Record<string, Topology>; guessed: Note[]; unknown: Note[]; notes: Note[] }>('import', { documents });
  if (answer === undefined) return { problem };
  const { sources, topology, shards = {}, guessed, unknown, notes } = answer;
  const topologies = topology !== undefined ? [{ name: '', topology }] : Object.entries(shards).map(([name, part]) => ({ name, topology: part }));
  return {
    answer: {
      what: sources.map((source) => SOURCES[source] ?? source).join(' and '),
      remarks: [...guessed.map(({ message }) => `guessed: ${message}`), ...unknown.map(({ message }) => `not known: ${message}`), ...notes.map(({ message }) => message)],
      change: (before) => ({ ...before, topologies, shown: 0, killed: {}, whatIf: { ...before.whatIf, events: [] } }),
    },
  };
}

/** A saved reply joins the members that are there, where it is of the same set. */
function ofReply(reply: Document): Answer<Recognised> {
  const parsed = ask<{ server: Server }>('server.parse_hello', reply);
  if (parsed.answer === undefined) return parsed;
  const { server } = parsed.answer;
  const hosts = [...((server.hosts as string[]) ?? []), ...((server.passives as string[]) ?? []), ...((server.arbiters as string[]) ?? [])];
  return {
    answer: {
      what: 'a reply to hello',
      remarks: ['a reply does not say how far the server is: give it an RTT', ...(hosts.length > 1 ? ['paste the replies of the other members, too: until then they are unknown'] : [])],
      change: (before) => {
        const { servers, ...topology } = shownTopology(before);
        const isThere = servers.some((each) => normal(each.address) === server.address || hosts.includes(normal(each.address)));
        if (!isThere) {
          const others = hosts.filter((host) => host !== server.address).map((address) => ({ address, type: 'Unknown', error: 'not pasted yet' }));
          return alone(before, { ...(typeof server.setName === 'string' && { setName: server.setName }), servers: [server, ...others] });
        }
        const at = servers.findIndex((each) => normal(each.address) === server.address);
        const { type: _, ...derived } = topology;
        const kept = at < 0 ? undefined : servers[at]!.roundTripTimeMS;
        const next = { ...server, ...(kept !== undefined && server.roundTripTimeMS === undefined && { roundTripTimeMS: kept }) };
        return replaceShown(before, { ...derived, servers: at < 0 ? [...servers, next] : servers.map((each, i) => (i === at ? next : each)) });
      },
    },
  };
}

const SETTINGS = ['readPreference', 'operation', 'deprioritized', 'customSelector', 'localThresholdMS', 'heartbeatFrequencyMS', 'wireVersions', 'pick', 'seed'] as const;

function ofRequest(value: Document): Answer<Recognised> {
  // What is wrong with it is the engine's to say; a selection that fails for what it finds is no reason to refuse it.
  const { problem } = ask('explain', value);
  if (problem !== undefined && problem.code !== 'maxStalenessTooSmall' && problem.code !== 'incompatibleWireVersion') return { problem };
  const parts = isDocument(value.topology) ? [['', value.topology] as const] : Object.entries(value.shards as Document);
  const topologies: Case['topologies'] = [];
  for (const [name, part] of parts) {
    const { answer, problem: wrong } = described(part);
    if (answer === undefined) return { problem: wrong };
    topologies.push({ name, topology: answer });
  }
  if (topologies.length === 0) return refused('unknownForm', 'shards', 'there are no shards');
  const settings = Object.fromEntries(SETTINGS.filter((key) => value[key] !== undefined && value[key] !== null).map((key) => [key, plain(value[key])])) as Settings;
  return {
    answer: {
      what: 'a request',
      remarks: topologies.flatMap(({ topology }) => remarksOn(topology)),
      change: (before) => ({ ...before, topologies, settings, shown: 0, killed: {} }),
    },
  };
}

function remarksOn({ servers }: Topology): string[] {
  const without = servers.filter((server) => server.type !== 'Unknown' && server.roundTripTimeMS === undefined).map((server) => server.address);
  return without.length === 0 ? [] : [`there is no RTT of ${without.slice(0, 3).join(', ')}${without.length > 3 ? ` and ${without.length - 3} more` : ''}: give them one`];
}

/** The case with this topology alone, and without what was remembered of others. */
function alone(before: Case, topology: Topology): Case {
  return { ...before, topologies: [{ name: '', topology }], shown: 0, killed: {}, whatIf: { ...before.whatIf, events: [] } };
}

function replaceShown(before: Case, topology: Topology): Case {
  return { ...before, topologies: before.topologies.map((each, i) => (i === before.shown ? { ...each, topology } : each)) };
}

/** Numbers of Extended JSON as numbers, where they are as good. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isDocument(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && /^\$number(Int|Long|Double)$/.test(keys[0]!)) {
    const text = String(value[keys[0]!]);
    return Number.isSafeInteger(Number(text)) || keys[0] === '$numberDouble' ? Number(text) : text;
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

function savedReply(hello: Document): Document {
  const address = [hello.me, hello.primary].find((each) => typeof each === 'string') ?? 'localhost:27017';
  return { address, hello, nowMS: dateMS(hello.localTime) };
}

/** The reply's own clock stands for the client's: what counts is how long ago the last write was. */
function dateMS(date: unknown): unknown {
  if (!isDocument(date) || !('$date' in date)) return undefined;
  const { $date } = date;
  if (typeof $date !== 'string') return $date;
  const time = Date.parse($date);
  return Number.isNaN(time) ? undefined : time;
}

function isReply(value: Document): boolean {
  return 'isWritablePrimary' in value || 'ismaster' in value || ('maxWireVersion' in value && 'ok' in value);
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As the engine compares addresses. */
function normal(address: string): string {
  const lower = address.toLowerCase();
  return /:\d+$/.test(lower) || lower.includes('/') ? lower : `${lower}:27017`;
}

function refused(code: string, path: string, message: string): { problem: Problem } {
  return { problem: { code, path, message } };
}
