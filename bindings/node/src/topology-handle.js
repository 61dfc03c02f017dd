import { ask, giveUp, running } from './engine.js';
import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { MAX_BATCH } from './limits.js';
import { IN_WORDS } from './picking.js';
import { preferenceHandle } from './preference-handle.js';
import { statusByCode } from './codes.js';

/** @typedef {import('./picking.js').Picking} Picking */

/** Of rp_select's flags. */
const CHECKOUT = 4;

/**
 * A topology that is open in an instance, and what the instance does with it.
 * It does not know the Topology that has it, so that one nobody uses any more can be
 * closed.
 */
export class TopologyHandle {
  #instance;
  #handle;
  #isClosed = false;
  /** The servers that were selected, by id. @type {import('./index.js').Server[]} */
  #servers = [];

  /** @param {string} request of `topology.open` */
  constructor(request) {
    this.#instance = running();
    /** @type {number} */
    this.#handle = ask('topology.open', request, this.#instance).topology;
  }

  /** @throws {ReadPrefError} `handle` where it is closed, or was lost with its instance */
  check() {
    if (this.#isClosed) throw closedError();
    if (this.#instance.isLost) {
      const message = 'the instance of readpref.wasm that held this topology failed (see cause) and was replaced: open the topology again';
      throw new ReadPrefError('handle', message, { path: 'topology', cause: this.#instance.lossCause });
    }
  }

  get isOpen() {
    return !this.#isClosed && !this.#instance.isLost;
  }

  /** Changes with every accepted description. */
  get generation() {
    return this.#guarded(() => this.#instance.generation(this.#handle));
  }

  /**
   * The server of a selection: one call of the engine, and no document where all goes
   * well.
   *
   * @param {unknown} readPreference
   * @param {Picking} picking
   * @param {boolean} checkout
   * @returns {import('./index.js').Server | undefined} undefined where no server is suitable
   * @throws {ReadPrefError} for whatever else went wrong
   */
  pick(readPreference, picking, checkout) {
    const instance = this.#instance;
    if (this.#isClosed || instance.isLost) this.check();
    const preference = preferenceHandle(readPreference, instance);
    const { flags, extras } = picking;
    if (flags === IN_WORDS) throw this.refusal(readPreference, picking);
    let id;
    try {
      id =
        extras === undefined
          ? instance.rawSelect(this.#handle, preference, checkout ? flags | CHECKOUT : flags)
          : instance.selectEx(this.#handle, preference, checkout ? flags | CHECKOUT : flags, extras);
    } catch (cause) {
      throw giveUp(instance, cause);
    }
    if (id >= 0) return this.#servers[id] ?? this.#server(id);
    if (id === statusByCode.noServer) return undefined;
    throw this.refusal(readPreference, picking);
  }

  /**
   * The words for a selection that gave no server. They come from another call of the
   * engine, with documents, which fails as the first one did.
   *
   * @param {unknown} readPreference
   * @param {Picking} picking
   * @returns {ReadPrefError}
   */
  refusal(readPreference, picking) {
    try {
      this.askBoth('topology.select', readPreference, picking.text());
    } catch (error) {
      return /** @type {ReadPrefError} */ (error);
    }
    return new ReadPrefError('internal', 'a selection that failed gave a server when it was asked again');
  }

  /**
   * @param {unknown} readPreference
   * @param {unknown} count
   * @param {Picking} picking
   * @param {boolean} checkout
   * @returns {import('./index.js').Server[]}
   * @throws {ReadPrefError}
   */
  batch(readPreference, count, picking, checkout) {
    this.check();
    const quick = isCount(count) && picking.flags !== IN_WORDS && picking.extras === undefined;
    const ids = quick ? this.#batch(readPreference, count, checkout ? picking.flags | CHECKOUT : picking.flags) : undefined;
    /** @type {Iterable<number>} */
    const all = ids ?? this.#batchInWords(readPreference, count, picking, checkout);
    return Array.from(all, (id) => this.#servers[id] ?? this.#server(id));
  }

  /**
   * @param {unknown} readPreference
   * @param {number} count
   * @param {number} flags
   * @returns {Int32Array | undefined} undefined where it is refused
   */
  #batch(readPreference, count, flags) {
    const preference = preferenceHandle(readPreference, this.#instance);
    const ids = this.#guarded(() => this.#instance.selectBatch(this.#handle, preference, flags, count));
    return typeof ids === 'number' ? undefined : ids;
  }

  /**
   * For what is refused, and for a count that is an integer in another form.
   *
   * @param {unknown} readPreference
   * @param {unknown} count
   * @param {Picking} picking
   * @param {boolean} checkout
   * @returns {number[]}
   */
  #batchInWords(readPreference, count, picking, checkout) {
    const text = `,"count":${encode(count, 'count')},"checkout":${checkout}${picking.text()}`;
    return this.askBoth('topology.select_batch', readPreference, text).ids;
  }

  /**
   * @param {unknown} readPreference
   * @param {Picking} picking
   * @returns {import('./index.js').ExplanationDocument}
   */
  explain(readPreference, picking) {
    this.check();
    return this.askBoth('topology.explain', readPreference, picking.text());
  }

  /**
   * The address of a server by its id.
   *
   * @param {unknown} id
   * @returns {string}
   */
  address(id) {
    const address = isId(id) ? this.#guarded(() => this.#instance.address(this.#handle, id)) : undefined;
    return typeof address === 'string' ? address : this.ask('topology.address', `,"id":${encode(id, 'id')}`).address;
  }

  /**
   * An operation that was checked out has ended.
   *
   * @param {number} id
   */
  release(id) {
    if (!this.isOpen) return;
    try {
      this.#instance.rawRelease(this.#handle, id);
    } catch (cause) {
      throw giveUp(this.#instance, cause);
    }
  }

  /**
   * Runs a method of topologies.
   *
   * @param {string} method
   * @param {string} [members] of its request besides the handle, each with a comma before it
   * @param {string} [key] of the handle
   * @returns {any}
   */
  ask(method, members = '', key = 'topology') {
    this.check();
    return ask(method, `{"${key}":${this.#handle}${members}}`, this.#instance);
  }

  /**
   * Who is to be told when it is lost. That holds on to whom is told: to be ended.
   *
   * @param {() => void} tell
   */
  watch(tell) {
    if (this.isOpen) this.#instance.holders.add(tell);
  }

  /** @param {() => void} tell */
  unwatch(tell) {
    this.#instance.holders.delete(tell);
  }

  /** Closes it; a second time it does nothing. */
  close() {
    if (this.isOpen) this.#guarded(() => this.#instance.rawClose(this.#handle));
    this.#isClosed = true;
  }

  /**
   * Runs a method of a topology and a preference.
   *
   * @param {string} method
   * @param {unknown} readPreference
   * @param {string} members
   * @returns {any}
   */
  askBoth(method, readPreference, members) {
    this.check();
    return this.ask(method, `,"readPreference":${preferenceHandle(readPreference, this.#instance)}${members}`);
  }

  /** @param {number} id which the topology gave */
  #server(id) {
    const server = Object.freeze({ id, address: this.address(id) });
    this.#servers[id] = server;
    return server;
  }

  /**
   * Runs a function of the instance that takes no document.
   *
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  #guarded(call) {
    this.check();
    try {
      return call();
    } catch (cause) {
      throw giveUp(this.#instance, cause);
    }
  }
}

/** The error of a topology that its owner closed. */
export function closedError() {
  return new ReadPrefError('handle', 'this topology is closed', { path: 'topology' });
}

/** @type {(count: unknown) => count is number} */
const isCount = (count) => Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MAX_BATCH;

/** @type {(id: unknown) => id is number} */
const isId = (id) => Number.isInteger(id) && Number(id) >= 0 && Number(id) < 2 ** 31;
