import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { MAX_DOCUMENT } from './limits.js';
import { pathAt } from './path.js';
import { normalFormOf } from './read-preference.js';
import { isRecord, membersOf } from './reading.js';
import { seedOf } from './seed.js';
import { topologyText } from './topology.js';

/** What is an argument of its own, and may not come in as an option. */
const arguments_ = ['topology', 'shards', 'readPreference'];

/**
 * The text of a request of `select` or `explain` about one topology.
 *
 * @param {unknown} topology
 * @param {unknown} readPreference
 * @param {import('./index.js').SelectOptions | null | undefined} options
 */
export function topologyRequest(topology, readPreference, options) {
  const members = topology === undefined || topology === null ? [] : [`"topology":${topologyText(topology, 'topology')}`];
  return request(members, readPreference, options);
}

/**
 * The same about several shards.
 *
 * @param {[string, unknown][]} shards
 * @param {unknown} readPreference
 * @param {import('./index.js').SelectOptions | null | undefined} options
 */
export function shardsRequest(shards, readPreference, options) {
  const texts = [];
  let length = 0;
  for (const [name, topology] of shards) {
    if (typeof name !== 'string') throw new ReadPrefError('argument', 'the name of a shard is a string', { path: 'shards' });
    const text = `${encode(name)}:${topologyText(topology, pathAt('shards', [name]))}`;
    texts.push(text);
    length += text.length;
    // Many that are long each would be longer than any string may be.
    if (length > MAX_DOCUMENT) break;
  }
  return request([`"shards":{${texts.join(',')}}`], readPreference, options);
}

/**
 * @param {string[]} members
 * @param {unknown} readPreference
 * @param {import('./index.js').SelectOptions | null | undefined} options
 */
function request(members, readPreference, options) {
  if (readPreference !== undefined) {
    members.push(`"readPreference":${encode(documentOf(readPreference), 'readPreference')}`);
  }
  if (options !== undefined && options !== null && !isRecord(options, '')) throw new ReadPrefError('argument', 'options are an object');
  const { seed, ...others } = membersOf(options ?? {}, '');
  for (const key of arguments_) {
    if (key in others) throw new ReadPrefError('unknownKey', 'an argument of its own, and no option', { path: key });
  }
  members.push(encode({ ...others, seed: seedOf(seed) }).slice(1, -1));
  return `{${members.join(',')}}`;
}

/**
 * The document of a preference that may be given as its mode alone.
 *
 * @param {unknown} readPreference
 */
function documentOf(readPreference) {
  if (typeof readPreference === 'string') return { mode: readPreference };
  return normalFormOf(readPreference) ?? readPreference;
}
