import { ask } from './engine.js';
import { deepFreeze } from './freeze.js';
import { mapped, operatorsMembers, operatorsOptions } from './workloads.js';

/**
 * What becomes of operations when something is lost, or changes.
 *
 * @param {import('./topology.js').Topology | import('./index.js').TopologyDescription} topology
 * @param {Iterable<import('./index.js').Workload>} workloads
 * @param {Iterable<import('./index.js').PossibleEvent> | null} [events]
 * @param {import('./index.js').WhatIfOptions | null} [options]
 * @returns {import('./index.js').WhatIf}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function whatIf(topology, workloads, events, options) {
  const others = { events: mapped(events ?? undefined, 'events', (event) => event), ...operatorsOptions(options, ['events']) };
  return deepFreeze(ask('what_if', `{${operatorsMembers(topology, workloads, others)}}`));
}
