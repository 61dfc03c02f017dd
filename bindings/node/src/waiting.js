import { ReadPrefError } from './errors.js';

/** The spec's minHeartbeatFrequencyMS: servers are not checked more often than that. */
const CHECK_INTERVAL_MS = 500;

/** The longest that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A selection that may wait.
 *
 * @template T
 * @typedef {object} Wanted
 * @property {() => T | undefined} attempt selects among what is known now: undefined where no server is suitable
 * @property {(waitedMS: number) => unknown} late makes the error of a selection that waited in vain
 * @property {number} timeoutMS 0: do not wait
 * @property {AbortSignal | undefined} signal
 * @property {(remainingMS: number) => void} waits told once, when it begins to wait
 */

/**
 * The selections of a topology that wait for a server: multi-threaded selection of the
 * Server Selection specification. Each is tried again whenever the topology changed.
 *
 * A selection is tried and joins the waiting in one step, and a change tries all, so
 * that none is missed.
 */
export class Waiting {
  /** @type {Set<Waiter<any>>} */
  #waiters = new Set();
  #requestChecks;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #checkTimer;
  #begins;
  #ends;

  /**
   * @param {object} topology
   * @param {() => void} topology.requestChecks asks for a check of every server, now
   * @param {() => void} topology.begins the first begins to wait
   * @param {() => void} topology.ends the last has ended
   */
  constructor({ requestChecks, begins, ends }) {
    this.#requestChecks = requestChecks;
    this.#begins = begins;
    this.#ends = ends;
  }

  /**
   * @template T
   * @param {Wanted<T>} wanted
   * @returns {Promise<T>}
   */
  select(wanted) {
    return new Promise((resolve, reject) => {
      const { signal } = wanted;
      if (signal?.aborted) throw signal.reason;
      const start = performance.now();
      const found = wanted.attempt();
      if (found !== undefined) return resolve(found);
      if (wanted.timeoutMS === 0) throw wanted.late(0);
      const waiter = new Waiter(wanted, start, resolve, reject, () => this.#end(waiter));
      this.#waiters.add(waiter);
      if (this.#waiters.size === 1) this.#begins();
      wanted.waits(waiter.remainingMS());
      // The host may answer at once, and so end the waiting.
      if (this.#checkTimer === undefined) this.#check();
    });
  }

  /** The topology has changed: tries all again, in the order in which they came. */
  changed() {
    for (const waiter of [...this.#waiters]) waiter.attempt();
  }

  /**
   * Ends all.
   *
   * @param {unknown} error
   */
  fail(error) {
    for (const waiter of [...this.#waiters]) waiter.reject(error);
  }

  /** @param {Waiter<any>} waiter */
  #end(waiter) {
    this.#waiters.delete(waiter);
    if (this.#waiters.size > 0) return;
    clearTimeout(this.#checkTimer);
    this.#checkTimer = undefined;
    this.#ends();
  }

  /** Asks for checks, and again and again while a selection waits. */
  #check() {
    this.#checkTimer = timer(CHECK_INTERVAL_MS, () => this.#check());
    this.#requestChecks();
  }
}

/** @template T */
class Waiter {
  #wanted;
  #start;
  #resolve;
  #reject;
  #end;
  #isSettled = false;
  /** @type {ReturnType<typeof setTimeout>} */
  #timer;
  #abort = () => this.reject(/** @type {AbortSignal} */ (this.#wanted.signal).reason);

  /**
   * @param {Wanted<T>} wanted
   * @param {number} start
   * @param {(found: T) => void} resolve
   * @param {(error: unknown) => void} reject
   * @param {() => void} end
   */
  constructor(wanted, start, resolve, reject, end) {
    this.#wanted = wanted;
    this.#start = start;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#end = end;
    this.#timer = this.#arm();
    wanted.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  remainingMS() {
    return Math.max(0, Math.ceil(this.#start + this.#wanted.timeoutMS - performance.now()));
  }

  attempt() {
    if (this.#isSettled) return;
    try {
      const found = this.#wanted.attempt();
      if (found !== undefined && this.#settle()) this.#resolve(found);
    } catch (error) {
      this.reject(error);
    }
  }

  /** @param {unknown} error */
  reject(error) {
    if (this.#settle()) this.#reject(error);
  }

  #arm() {
    // It keeps a process alive: whoever awaits a selection gets its answer.
    return setTimeout(() => {
      if (this.remainingMS() > 0) this.#timer = this.#arm();
      else this.#expire();
    }, Math.min(this.remainingMS(), MAX_TIMER_MS));
  }

  #expire() {
    let error;
    try {
      error = this.#wanted.late(this.#wanted.timeoutMS);
    } catch (instead) {
      error = instead;
    }
    this.reject(error);
  }

  /** Whether this is its end. */
  #settle() {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#wanted.signal?.removeEventListener('abort', this.#abort);
    this.#end();
    return true;
  }
}

/**
 * A timer that keeps no process alive, where the runtime knows such.
 *
 * @param {number} ms
 * @param {() => void} run
 */
function timer(ms, run) {
  const made = setTimeout(run, ms);
  if (typeof made === 'object') made.unref?.();
  return made;
}

/**
 * @param {unknown} signal
 * @returns {AbortSignal | undefined}
 * @throws {ReadPrefError}
 */
export function checkedSignal(signal) {
  if (signal === undefined || signal === null) return undefined;
  const { aborted, addEventListener, removeEventListener } = /** @type {any} */ (signal);
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function' || typeof removeEventListener !== 'function') {
    throw new ReadPrefError('wrongType', 'expected an AbortSignal', { path: 'signal' });
  }
  return /** @type {AbortSignal} */ (signal);
}
