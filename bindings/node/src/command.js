import { decoration } from './decoration.js';
import { ask } from './engine.js';
import { encode } from './encode.js';
import { optionsOf } from './picking.js';
import { preferenceText } from './preference-handle.js';
import { topologyMember } from './topology.js';

/** @typedef {import('./topology.js').AnyReadPreference} AnyReadPreference */

/**
 * What a command carries to the server that was selected for it.
 *
 * @param {import('./topology.js').Topology | import('./index.js').TopologyDescription} topology the one it was selected from
 * @param {string} server its address
 * @param {AnyReadPreference} [readPreference] the one it was selected with; absent: primary
 * @param {import('./index.js').CommandOptions | null} [options]
 * @returns {import('./index.js').Decoration}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function command(topology, server, readPreference, options) {
  const members = `${topologyMember(topology)}"readPreference":${preferenceText(readPreference)},`;
  return decoration(ask('command', `{${members}${encode({ server: server ?? null, ...optionsOf(options) }).slice(1)}`));
}
