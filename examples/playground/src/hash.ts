// A case as the hash of a URL: its JSON, deflated, in base64url, behind the number of this format.
import type { Case, Settings, Topology } from './case.js';

const FORMAT = '1.';

/** Longer than any case that browsers keep in an address; far less than would hold up the page. */
const MAX_HASH = 200_000;
const MAX_JSON = 4_000_000;

export class BrokenLink extends Error {}

/** @throws {BrokenLink} where the case is too large for a link */
export async function toHash(shown: Case): Promise<string> {
  const json = JSON.stringify(shown);
  if (json.length > MAX_JSON) throw new BrokenLink('this case is too large for a link');
  const bytes = await through(new Blob([json]).stream(), new CompressionStream('deflate-raw'), Infinity);
  const hash = FORMAT + base64url(bytes);
  if (hash.length > MAX_HASH) throw new BrokenLink('this case is too large for a link');
  return hash;
}

/** @throws {BrokenLink} with a message for people */
export async function fromHash(hash: string): Promise<Case> {
  const text = hash.replace(/^#/, '');
  if (!text.startsWith(FORMAT)) throw new BrokenLink(`the part behind # begins with ${JSON.stringify(text.slice(0, 8))}, not with "${FORMAT}"`);
  if (text.length > MAX_HASH) throw new BrokenLink(`the part behind # has ${text.length} characters, and ${MAX_HASH} are the most`);
  let json;
  try {
    const bytes = fromBase64url(text.slice(FORMAT.length));
    json = new TextDecoder('utf-8', { fatal: true }).decode(await through(new Blob([bytes]).stream(), new DecompressionStream('deflate-raw'), MAX_JSON));
  } catch (error) {
    if (error instanceof BrokenLink) throw error;
    throw new BrokenLink('it was cut off or changed on its way');
  }
  return checked(parse(json));
}

async function through(stream: ReadableStream<Uint8Array<ArrayBuffer>>, transform: CompressionStream | DecompressionStream, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.pipeThrough(transform as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > max) {
      await reader.cancel();
      throw new BrokenLink(`it unpacks to more than ${max} characters`);
    }
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BrokenLink('what it holds is no JSON');
  }
}

/**
 * Checks the frame of a case: what the page itself walks through. What is inside of topologies, preferences and
 * events is the engine's to judge, and it says so with a code and a path.
 */
function checked(value: unknown): Case {
  const found = object(value, 'it');
  const topologies = list(found.topologies, 'topologies').map((each, i) => {
    const { name, topology } = object(each, `topologies[${i}]`);
    return { name: text(name, `topologies[${i}].name`), topology: topologyOf(topology, `topologies[${i}].topology`) };
  });
  if (topologies.length === 0) throw new BrokenLink('it has no topology');
  const settings = settingsOf(found.settings, 'settings');
  const shown = typeof found.shown === 'number' && topologies[found.shown] !== undefined ? found.shown : 0;
  const killed = object(found.killed ?? {}, 'killed');
  for (const [key, server] of Object.entries(killed)) object(server, `killed[${JSON.stringify(key)}]`);
  const workloads = list(found.workloads ?? [], 'workloads').map((workload, i) => object(workload, `workloads[${i}]`)) as Case['workloads'];
  const whatIf = object(found.whatIf ?? {}, 'whatIf');
  const events = list(whatIf.events ?? [], 'whatIf.events').map((event, i) => object(event, `whatIf.events[${i}]`)) as unknown as Case['whatIf']['events'];
  const advice = object(found.advice ?? {}, 'advice') as Case['advice'];
  const clients = typeof found.clients === 'number' || typeof found.clients === 'string' ? found.clients : undefined;
  const before = found.before === undefined ? undefined : object(found.before, 'before');
  return {
    topologies,
    settings,
    shown,
    killed: killed as Case['killed'],
    workloads,
    whatIf: { events, everySingle: whatIf.everySingle === true, everyPair: whatIf.everyPair === true },
    advice,
    ...(clients !== undefined && { clients }),
    ...(before !== undefined && { before: { topology: topologyOf(before.topology, 'before.topology'), settings: settingsOf(before.settings, 'before.settings') } }),
  };
}

function topologyOf(value: unknown, path: string): Topology {
  list(object(value, path).servers, `${path}.servers`).forEach((server, i) => {
    const { address, type } = object(server, `${path}.servers[${i}]`);
    text(address, `${path}.servers[${i}].address`);
    text(type, `${path}.servers[${i}].type`);
  });
  return value as Topology;
}

function settingsOf(value: unknown, path: string): Settings {
  const settings = object(value, path);
  if (settings.readPreference !== undefined) {
    const { tags = [] } = object(settings.readPreference, `${path}.readPreference`);
    list(tags, `${path}.readPreference.tags`);
  }
  texts(settings.deprioritized ?? [], `${path}.deprioritized`);
  if (settings.customSelector !== undefined) texts(object(settings.customSelector, `${path}.customSelector`).keepOnly, `${path}.customSelector.keepOnly`);
  return settings as Settings;
}

function texts(value: unknown, path: string): void {
  list(value, path).forEach((each) => text(each, path));
}

function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BrokenLink(`${path} is no object`);
  return value as Record<string, unknown>;
}

function list(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw new BrokenLink(`${path} is no list`);
  return value;
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new BrokenLink(`${path} is no text`);
  return value;
}
