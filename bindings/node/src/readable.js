import { ask } from './engine.js';
import { preferenceText } from './preference-handle.js';
import { topologyMember } from './topology.js';

/**
 * Whether a server can be read from with a preference, as monitoring events ask it.
 *
 * @param {import('./topology.js').Topology | import('./index.js').TopologyDescription} topology
 * @param {import('./topology.js').AnyReadPreference} [readPreference] absent: primary
 * @returns {boolean}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function readable(topology, readPreference) {
  return ask('readable', `{${topologyMember(topology)}"readPreference":${preferenceText(readPreference)}}`).readable;
}

/**
 * Whether a server can be written to.
 *
 * @param {import('./topology.js').Topology | import('./index.js').TopologyDescription} topology
 * @returns {boolean}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function writable(topology) {
  return ask('writable', `{${topologyMember(topology).slice(0, -1)}}`).writable;
}
