import { ReadPrefError } from './errors.js';
import { MAX_BITS } from './limits.js';

const SEED_MAX = 2n ** 64n - 1n;

/**
 * The seed of a request: the caller's, or a random one. Picks shall be spread over
 * processes and calls unless the caller wants them to repeat.
 *
 * @param {unknown} seed
 */
export function seedOf(seed) {
  return seed === undefined || seed === null ? randomSeed() : checkedSeed(seed);
}

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
  const words = new Uint32Array(2);
  try {
    crypto.getRandomValues(words);
  } catch (cause) {
    // workerd has no randomness at global scope.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ReadPrefError('argument', `none is given, and none can be drawn here: ${why}`, { path: 'seed', cause });
  }
  const [high, low] = words;
  return (high >>> 11) * 2 ** 32 + low;
}
