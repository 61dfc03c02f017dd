import { ask } from './engine.js';
import { deepFreeze } from './freeze.js';
import { operatorsMembers, operatorsOptions } from './workloads.js';

/**
 * What is unwise about the read preferences of an application, for a deployment.
 *
 * @param {import('./topology.js').Topology | import('./index.js').TopologyDescription} topology
 * @param {Iterable<import('./index.js').Workload>} workloads
 * @param {import('./index.js').AdviseOptions | null} [options]
 * @returns {import('./index.js').Advice}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function advise(topology, workloads, options) {
  return deepFreeze(ask('advise', `{${operatorsMembers(topology, workloads, operatorsOptions(options))}}`));
}
