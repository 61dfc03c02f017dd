import { ask } from './engine.js';
import { encode } from './encode.js';
import { deepFreeze } from './freeze.js';

/**
 * The average of a server's round-trip times: a fifth of each new sample, and four
 * fifths of the average before.
 *
 * @param {readonly (import('./index.js').DecimalInput | null)[]} samplesMS in order; null where the server
 *   became Unknown in between, which forgets all
 * @param {import('./index.js').DecimalInput | null} [roundTripTimeMS] the average before them
 * @returns {import('./index.js').RoundTripTimes}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function rtt(samplesMS, roundTripTimeMS) {
  return deepFreeze(ask('rtt', encode({ roundTripTimeMS, samplesMS: samplesMS ?? null })));
}
