import { ask } from './engine.js';
import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { deepFreeze } from './freeze.js';
import { reading } from './reading.js';
import { seedOf } from './seed.js';
import { checkedSignal } from './waiting.js';
import { operatorsOptions, operatorsMembers } from './workloads.js';

/** @typedef {import('./topology.js').Topology | import('./index.js').TopologyDescription} AnyTopology */

/** A piece takes about a tenth of a second. */
const PIECE = 100_000;

/** Of a whole simulation; the engine counts no further. */
const MAX_PICKS = 2 ** 40;

/**
 * Where operations go: the share of each server, which reads fail, and why.
 *
 * @param {AnyTopology} topology
 * @param {Iterable<import('./index.js').Workload>} workloads
 * @param {import('./index.js').SimulateOptions | null} [options]
 * @returns {import('./index.js').Simulation}
 * @throws {ReadPrefError}
 */
export function simulate(topology, workloads, options) {
  return deepFreeze(ask('simulate', `{${operatorsMembers(topology, workloads, seeded(operatorsOptions(options)))}}`));
}

/**
 * The same, in pieces between which other work goes on.
 *
 * @param {AnyTopology} topology
 * @param {Iterable<import('./index.js').Workload>} workloads
 * @param {import('./index.js').SimulateAsyncOptions} options
 * @returns {Promise<import('./index.js').Simulation>}
 * @throws {ReadPrefError}
 */
export async function simulateAsync(topology, workloads, options) {
  const { picks, state, onProgress, signal, ...others } = operatorsOptions(options);
  const total = checkedPicks(picks);
  if (onProgress !== undefined && onProgress !== null && typeof onProgress !== 'function') {
    throw new ReadPrefError('wrongType', 'expected a function', { path: 'onProgress' });
  }
  const ended = reading('signal', () => checkedSignal(signal));
  const members = operatorsMembers(topology, workloads, seeded(others));
  let from = state;
  for (let done = 0; ; ) {
    if (ended?.aborted) throw ended.reason;
    const piece = Math.min(total - done, PIECE);
    const answer = ask('simulate', `{${members},${encode({ picks: piece, state: from }).slice(1)}`);
    done += piece;
    from = answer.state;
    const isEnough = onProgress?.(done, total) === false;
    if (isEnough || done >= total) return deepFreeze(answer);
    await otherWork();
  }
}

/**
 * How many picks: more than the engine takes at once.
 *
 * @param {unknown} picks
 * @returns {number}
 */
function checkedPicks(picks) {
  const total = typeof picks === 'bigint' ? Number(picks) : picks;
  if (typeof total !== 'number' || !Number.isInteger(total)) throw new ReadPrefError('wrongType', 'expected an integer', { path: 'picks' });
  if (total < 1 || total > MAX_PICKS) throw new ReadPrefError('outOfRange', `expected an integer from 1 to ${MAX_PICKS}, found ${total}`, { path: 'picks' });
  return total;
}

/** Lets whatever waits for the thread run. */
function otherWork() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/**
 * The same question has the same answer, unless another seed is given.
 *
 * @param {Record<string, unknown>} members
 */
function seeded({ seed, ...others }) {
  return seed === undefined || seed === null ? others : { ...others, seed: seedOf(seed) };
}
