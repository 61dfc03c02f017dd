import { encode, isPlain } from './encode.js';
import { isRecord, listOf, membersOf, reading } from './reading.js';
import { topologyMember } from './topology.js';
import { withoutArguments } from './topology-arguments.js';

/** The most workloads, and the most events, that the engine takes. */
const MOST = 100;

/**
 * The members of a request of one of the methods for operators, as text.
 *
 * @param {unknown} topology
 * @param {unknown} workloads
 * @param {Record<string, unknown>} others members besides these
 */
export function operatorsMembers(topology, workloads, others) {
  const asked = encode(workloadDocuments(workloads, 'workloads') ?? null, 'workloads');
  const rest = encode(others).slice(1, -1);
  return `${topologyMember(topology)}"workloads":${asked}${rest === '' ? '' : `,${rest}`}`;
}

/**
 * Options of the caller's that do not repeat an argument.
 *
 * @param {unknown} options
 * @param {string[]} [more] arguments besides those that all have
 */
export function operatorsOptions(options, more = []) {
  return withoutArguments(options, ['topology', 'workloads', ...more], 'options are an object, {format: "markdown"}');
}

/**
 * What an iterable of the caller's holds, each made into something. What is none stays as
 * it is, for the engine to refuse.
 *
 * @param {unknown} given
 * @param {string} path
 * @param {(item: unknown, path: string) => unknown} make
 * @param {number} [most] how many the engine takes
 * @returns {unknown}
 */
export function mapped(given, path, make, most = MOST) {
  if (typeof given !== 'object' || given === null) return given;
  const list = reading(path, () => (Symbol.iterator in given ? listOf(/** @type {Iterable<unknown>} */ (given), most) : undefined));
  return list === undefined ? given : list.map((item, i) => make(item, `${path}[${i}]`));
}

/**
 * @param {unknown} workloads
 * @param {string} path
 */
export function workloadDocuments(workloads, path) {
  return mapped(workloads, path, workloadDocument);
}

/**
 * The document of a workload, whose read preference may be its mode alone.
 *
 * @param {unknown} workload
 * @param {string} path
 */
function workloadDocument(workload, path) {
  // What has no JSON form is refused with that; a Map or a promise copied would be the workload {}.
  if (!isRecord(workload, path) || !reading(path, () => isPlain(workload))) return workload;
  const members = membersOf(workload, path);
  if (typeof members.readPreference === 'string') members.readPreference = { mode: members.readPreference };
  return members;
}
