import { ask } from './engine.js';
import { ReadPrefError, errorFrom } from './errors.js';
import { Explanation } from './explanation.js';
import { MAX_SHARDS } from './limits.js';
import { listOf, membersOf, reading } from './reading.js';
import { shardsRequest } from './request.js';
import { Selection } from './selection.js';

/** @typedef {import('./topology.js').Topology | import('./index.js').TopologyDescription} AnyTopology */
/** @typedef {import('./read-preference.js').ReadPreference | import('./index.js').ReadPreferenceDocument | import('./index.js').ReadPreferenceMode} AnyReadPreference */
/** @typedef {Iterable<[string, AnyTopology]> | Readonly<Record<string, AnyTopology>>} Shards */

/**
 * Selects in each shard of a cluster on its own. A shard that has no answer has
 * its error in its place.
 *
 * @param {Shards} shards by name: a Map, or an object
 * @param {AnyReadPreference | null} [readPreference] absent: primary
 * @param {import('./index.js').SelectOptions | null} [options]
 * @returns {Map<string, Selection | import('./errors.js').ReadPrefError>} in the order of shards
 * @throws {import('./errors.js').ReadPrefError} where the request as a whole cannot be read
 */
export function selectShards(shards, readPreference, options) {
  return answers('select', Selection, shards, readPreference, options);
}

/**
 * Explains each shard of a cluster on its own.
 *
 * @param {Shards} shards by name: a Map, or an object
 * @param {AnyReadPreference | null} [readPreference] absent: primary
 * @param {import('./index.js').SelectOptions | null} [options]
 * @returns {Map<string, Explanation | import('./errors.js').ReadPrefError>} in the order of shards
 * @throws {import('./errors.js').ReadPrefError} where the request as a whole cannot be read
 */
export function explainShards(shards, readPreference, options) {
  return answers('explain', Explanation, shards, readPreference, options);
}

/**
 * @template T
 * @param {string} method
 * @param {new (document: any) => T} Answer
 * @param {Shards} shards
 * @param {AnyReadPreference | null | undefined} readPreference
 * @param {import('./index.js').SelectOptions | null | undefined} options
 * @returns {Map<string, T | import('./errors.js').ReadPrefError>}
 */
function answers(method, Answer, shards, readPreference, options) {
  const entries = entriesOf(shards);
  const documents = ask(method, shardsRequest(entries, readPreference, options)).shards;
  return new Map(
    entries.map(([name]) => {
      const document = documents[name];
      return [name, 'error' in document ? errorFrom(document.error) : new Answer(document)];
    }),
  );
}

/**
 * @param {Shards} shards
 * @returns {[string, unknown][]}
 */
function entriesOf(shards) {
  const path = 'shards';
  if (typeof shards !== 'object' || shards === null) {
    throw new ReadPrefError('argument', 'shards are topologies by name: a Map, or an object', { path });
  }
  if (!reading(path, () => Symbol.iterator in shards)) return Object.entries(membersOf(shards, path));
  return reading(path, () =>
    listOf(/** @type {Iterable<[string, AnyTopology]>} */ (shards), MAX_SHARDS).map(([name, topology]) => [name, topology]),
  );
}
