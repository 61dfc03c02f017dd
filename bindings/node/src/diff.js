import { ask } from './engine.js';
import { encode } from './encode.js';
import { deepFreeze } from './freeze.js';
import { isRecord, membersOf } from './reading.js';
import { topologyText } from './topology.js';
import { operatorsMembers, operatorsOptions, workloadDocuments } from './workloads.js';

/**
 * Who gains and who loses operations between two preferences, two topologies or two sets of
 * options, and why.
 *
 * @param {import('./topology.js').Topology | import('./index.js').TopologyDescription} topology
 * @param {Iterable<import('./index.js').Workload>} workloads
 * @param {import('./index.js').After} after
 * @param {import('./index.js').DiffOptions | null} [options]
 * @returns {import('./index.js').Diff}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function diff(topology, workloads, after, options) {
  const members = operatorsMembers(topology, workloads, operatorsOptions(options, ['after']));
  return deepFreeze(ask('diff', `{${members},"after":${afterText(after)}}`));
}

/** @param {unknown} after */
function afterText(after) {
  if (!isRecord(after, 'after')) return encode(after ?? null, 'after');
  const { topology, workloads, ...others } = membersOf(after, 'after');
  const described = topology === undefined || topology === null ? '' : `"topology":${topologyText(topology, 'after.topology')}`;
  const rest = encode({ ...others, workloads: workloadDocuments(workloads, 'after.workloads') }, 'after').slice(1, -1);
  return `{${[described, rest].filter((text) => text !== '').join(',')}}`;
}
