import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { MAX_BITS, MAX_DOCUMENT } from './limits.js';
import { pathAt } from './path.js';
import { normalFormOf } from './read-preference.js';
import { isRecord, membersOf } from './reading.js';
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
  // Picks shall be spread over processes and calls unless the caller wants them
  // to repeat.
  members.push(encode({ ...others, seed: seed === undefined || seed === null ? randomSeed() : checkedSeed(seed) }).slice(1, -1));
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

const SEED_MAX = 2n ** 64n - 1n;

/**
 * A seed that is none of the integers out of range.
 *
 * @param {unknown} seed
 */
function checkedSeed(seed) {
  const inside = typeof seed === 'bigint' ? seed >= 0n && seed <= SEED_MAX : !Number.isInteger(seed) || (Number.isSafeInteger(seed) && Number(seed) >= 0);
  if (!inside) {
    const huge = typeof seed === 'bigint' && BigInt.asIntN(Number(MAX_BITS), seed) !== seed;
    const found = huge ? `one of more than ${MAX_BITS} bits` : String(seed);
    const message = `expected an integer from 0 to ${SEED_MAX}, above ${Number.MAX_SAFE_INTEGER} as a BigInt or a decimal string, found ${found}`;
    throw new ReadPrefError('outOfRange', message, { path: 'seed' });
  }
  return seed;
}

/** 53 random bits: the most that a JSON integer may have here. */
function randomSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
