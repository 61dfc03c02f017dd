import { ask } from './engine.js';
import { Explanation } from './explanation.js';
import { topologyRequest } from './request.js';
import { Selection } from './selection.js';

/**
 * Selects the member that an operation goes to. Finding none is an answer:
 * `server` is null and `reason` says why.
 *
 * @param {import('./topology.js').Topology | import('./index.js').TopologyDescription} topology
 * @param {import('./read-preference.js').ReadPreference | import('./index.js').ReadPreferenceDocument | import('./index.js').ReadPreferenceMode | null} [readPreference] absent: primary
 * @param {import('./index.js').SelectOptions | null} [options] an absent `seed` is drawn at random
 * @throws {import('./errors.js').ReadPrefError}
 */
export function select(topology, readPreference, options) {
  return new Selection(ask('select', topologyRequest(topology, readPreference, options)));
}

/**
 * Selects, and says of every member which step dropped it, with the figures
 * that decided.
 *
 * @param {import('./topology.js').Topology | import('./index.js').TopologyDescription} topology
 * @param {import('./read-preference.js').ReadPreference | import('./index.js').ReadPreferenceDocument | import('./index.js').ReadPreferenceMode | null} [readPreference] absent: primary
 * @param {import('./index.js').SelectOptions | null} [options] an absent `seed` is drawn at random
 * @throws {import('./errors.js').ReadPrefError}
 */
export function explain(topology, readPreference, options) {
  return new Explanation(ask('explain', topologyRequest(topology, readPreference, options)));
}
