import { ask } from './engine.js';
import { Checkout } from './checkout.js';
import { decode } from './decode.js';
import { dispose } from './dispose.js';
import { encode } from './encode.js';
import { Explanation } from './explanation.js';
import { deepFreeze } from './freeze.js';
import { ReadPrefError } from './errors.js';
import { inspectCustom, shown } from './inspect.js';
import { MAX_DOCUMENT, MAX_SERVERS } from './limits.js';
import { optionsOf, pickingOf } from './picking.js';
import { isRecord, listOf, membersOf, reading } from './reading.js';
import { seedOf } from './seed.js';
import { TopologyHandle, closedError } from './topology-handle.js';

/** @typedef {import('./read-preference.js').ReadPreference | import('./index.js').ReadPreferenceDocument | import('./index.js').ReadPreferenceMode | null} AnyReadPreference */
/** @typedef {import('./index.js').IntegerInput} IntegerInput */

/**
 * The description of any topology that selection takes, as JSON text.
 *
 * @type {(topology: unknown, path: string) => string}
 */
export let topologyText;

/** Closes the handles of topologies that were forgotten. Not every runtime has one. */
const net = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry(closeForgotten) : undefined;

/** What a constructor's request is told by: the document of `topology.open` as it is. */
class OpenRequest {
  /** Whether a value is one, told without running code of its own. @param {unknown} value @returns {value is OpenRequest} */
  static is(value) {
    return typeof value === 'object' && value !== null && #made in value;
  }

  #made = true;

  /** @param {Record<string, unknown>} members */
  constructor(members) {
    this.members = members;
  }
}

/**
 * What is known about a deployment and its members, and selection among them.
 *
 * From a description alone it is only that at first, encoded once for any number of
 * selections; the engine checks it in the first, and names places from the topology on:
 * `topology.servers[0].type`. It is opened in the engine when it is first used by a
 * method of its own, and from then on until close() keeps ids and operation counts of
 * its servers.
 */
export class Topology extends EventTarget {
  static {
    topologyText = (topology, path) =>
      typeof topology === 'object' && topology !== null && #isTopology in topology ? topology.#descriptionText() : textOf(topology, path);
  }

  #isTopology = true;
  /** The description that its owner gave; undefined where the engine discovers it. @type {string | undefined} */
  #text;
  /** The present description, once it is asked for. @type {{generation: number, value: any} | undefined} */
  #description;
  /** @type {TopologyHandle | undefined} */
  #handle;
  #isClosed = false;

  /**
   * @param {import('./index.js').TopologyDescription} source a description, a connection string, or seeds
   * @param {import('./index.js').TopologyOptions | null} [options]
   * @throws {ReadPrefError} for a value that is no object or has no JSON form; with options, a
   *   connection string or seeds, for whatever else is wrong with it
   */
  constructor(source, options) {
    super();
    const given = /** @type {unknown} */ (source);
    const settings = optionsOf(options);
    if (OpenRequest.is(given)) {
      this.#open(given.members);
    } else if (isRecord(given, 'topology') && reading('topology', () => 'uri' in given || 'seeds' in given)) {
      this.#open({ ...membersOf(given, ''), ...settings });
    } else {
      // What has no servers to show is refused at once, in the engine's words.
      if (given === undefined || given === null) ask('select', '{}');
      this.#text = textOf(given, 'topology');
      if (this.#text[0] !== '{' || this.#text.length > MAX_DOCUMENT) ask('select', `{"topology":${this.#text}}`);
      if (options !== undefined && options !== null) this.#openDescription(settings);
    }
  }

  /**
   * Opens a topology from a document, such as describe() gave: another process, or a
   * new instance of the engine, goes on from there.
   *
   * @param {import('./index.js').TopologyOpenRequest} request the document of `topology.open`
   * @throws {ReadPrefError}
   */
  static open(request) {
    if (!isRecord(request, '')) {
      throw new ReadPrefError('argument', 'open takes an object such as describe() gives, {topology: {servers: […]}} or {uri: "mongodb://…"}');
    }
    return new Topology(/** @type {any} */ (new OpenRequest(membersOf(request, ''))));
  }

  /**
   * From one saved reply per member, as `EJSON.stringify(db.hello())` printed it.
   *
   * @param {Iterable<import('./index.js').SavedReply>} replies
   * @param {import('./index.js').TopologyOptions | null} [options]
   * @throws {ReadPrefError} `argument` for what cannot be iterated; as the constructor
   */
  static fromHellos(replies, options) {
    const path = 'topology.servers';
    const servers = reading(path, () => {
      if (typeof replies?.[Symbol.iterator] !== 'function') {
        throw new ReadPrefError('argument', 'fromHellos takes an iterable of saved replies, one per member', { path });
      }
      return listOf(replies, MAX_SERVERS);
    });
    return new Topology({ servers }, options);
  }

  // ---- What is known ----

  /** The type as described; undefined where it is left to be derived from the servers. */
  get type() {
    return this.toJSON().type ?? undefined;
  }

  get setName() {
    return this.toJSON().setName ?? undefined;
  }

  /** The members as described, in order. */
  get servers() {
    return this.toJSON().servers ?? [];
  }

  /**
   * Changes with every description that the engine accepted; to compare for inequality.
   *
   * @returns {number}
   */
  get generation() {
    return this.#opened().generation;
  }

  /**
   * The present description, settings, operation counts and random state, as open()
   * takes them.
   *
   * @returns {import('./index.js').TopologyState}
   */
  describe() {
    return deepFreeze(this.#opened().ask('topology.describe'));
  }

  /**
   * The description: the last one that its owner gave, or what was discovered.
   *
   * @returns {import('./index.js').TopologyDescription}
   */
  toJSON() {
    const generation = this.#text === undefined ? this.#opened().generation : 0;
    if (this.#description === undefined || this.#description.generation !== generation) {
      const value = this.#text === undefined ? this.describe().topology : deepFreeze(decode(this.#text));
      this.#description = { generation, value };
    }
    return this.#description.value;
  }

  /**
   * The description as JSON, with integers that a double does not hold as Extended JSON.
   *
   * @override
   */
  toString() {
    return JSON.stringify(this.toJSON());
  }

  get [Symbol.toStringTag]() {
    return 'Topology';
  }

  [inspectCustom]() {
    const isGone = this.#text === undefined && !this.#handle?.isOpen;
    return shown(this, isGone ? { isOpen: false } : this.toJSON());
  }

  // ---- Selection ----

  /**
   * Selects a server among those that are known now.
   *
   * @param {AnyReadPreference} [readPreference] absent: primary
   * @param {import('./index.js').PickOptions | null} [options]
   * @returns {import('./index.js').Server} frozen, and the same one for the same server each time
   * @throws {ReadPrefError} `noServer` where none is suitable, and for what is wrong with the arguments
   */
  selectSync(readPreference, options) {
    const picking = pickingOf(options);
    const handle = this.#handle ?? this.#opened();
    const server = handle.pick(readPreference, picking, false);
    if (server === undefined) throw handle.refusal(readPreference, picking);
    return server;
  }

  /**
   * Many selections at once, all of the same description, or none.
   *
   * @param {AnyReadPreference | undefined} readPreference
   * @param {IntegerInput} count from 1 to 1,048,576
   * @param {import('./index.js').BatchOptions | null} [options]
   * @returns {import('./index.js').Server[]}
   * @throws {ReadPrefError} as selectSync
   */
  batch(readPreference, count, options) {
    const { checkout, ...others } = membersOf(recordOf(options), '');
    return this.#opened().batch(readPreference, count, pickingOf(others), checkedFlag(checkout, 'checkout'));
  }

  /**
   * Selects as selectSync does, and counts an operation on the server until it is
   * released.
   *
   * @param {AnyReadPreference} [readPreference] absent: primary
   * @param {import('./index.js').PickOptions | null} [options]
   * @returns {Checkout}
   * @throws {ReadPrefError} as selectSync
   */
  checkout(readPreference, options) {
    const picking = pickingOf(options);
    const handle = this.#opened();
    const server = handle.pick(readPreference, picking, true);
    if (server === undefined) throw handle.refusal(readPreference, picking);
    return new Checkout(server, handle);
  }

  /**
   * An operation that was checked out, by a batch, has ended. Checkout has its own
   * release().
   *
   * @param {import('./index.js').Server | number} server the server, or its id
   * @returns {import('./index.js').Integer} how many operations are left on it
   * @throws {ReadPrefError} `argument` for an id that this topology never gave
   */
  release(server) {
    const id = isRecord(server, 'id') ? reading('id', () => /** @type {import('./index.js').Server} */ (server).id) : server;
    return this.#opened().ask('topology.release', `,"id":${encode(id, 'id')}`).operationCount;
  }

  /**
   * The address of a server by its id, also of one that is gone from the description.
   *
   * @param {number} id
   * @returns {string} in lower case and with a port
   * @throws {ReadPrefError} `argument` for an id that this topology never gave
   */
  address(id) {
    return this.#opened().address(id);
  }

  /**
   * What the next selectSync with the same arguments does, and why.
   *
   * @param {AnyReadPreference} [readPreference] absent: primary
   * @param {import('./index.js').PickOptions | null} [options]
   * @throws {ReadPrefError}
   */
  explain(readPreference, options) {
    return new Explanation(this.#opened().explain(readPreference, pickingOf(options)));
  }

  // ---- Change ----

  /**
   * Replaces the description. Servers keep their ids, and their operation counts
   * unless the description gives them.
   *
   * @param {import('./index.js').TopologyDescription} description
   * @returns {number} the new generation
   * @throws {ReadPrefError} where it is refused; nothing has changed then
   */
  update(description) {
    const handle = this.#opened();
    const text = textOf(description, 'topology');
    const { generation } = handle.ask('topology.update', `,"topology":${text}`, 'handle');
    this.#text = text;
    this.#description = undefined;
    return generation;
  }

  /** Closes it. Every use afterwards is the error `handle`; closing again does nothing. */
  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    net?.unregister(this);
    this.#handle?.close();
  }

  get isClosed() {
    return this.#isClosed;
  }

  [dispose]() {
    this.close();
  }

  // ---- The handle ----

  /** @returns {TopologyHandle} */
  #opened() {
    if (this.#handle !== undefined) return this.#handle;
    if (this.#isClosed) throw closedError();
    return this.#openDescription({});
  }

  /** @param {Record<string, unknown>} members of the request of `topology.open` */
  #open(members) {
    const { seed, ...others } = members;
    const isDescription = others.topology !== undefined && others.topology !== null && !('uri' in others) && !('seeds' in others);
    if (isDescription) {
      const { topology, ...settings } = others;
      this.#text = topologyText(topology, 'topology');
      return this.#openDescription({ ...settings, seed });
    }
    return this.#openText(encode({ ...others, seed: seedOf(seed) }));
  }

  /** @param {Record<string, unknown>} settings */
  #openDescription({ seed, ...settings }) {
    return this.#openText(`{"topology":${this.#text},${encode({ ...settings, seed: seedOf(seed) }).slice(1)}`);
  }

  /** @param {string} request */
  #openText(request) {
    const handle = new TopologyHandle(request);
    net?.register(this, handle, this);
    return (this.#handle = handle);
  }

  #descriptionText() {
    if (this.#isClosed) throw closedError();
    return this.#text ?? JSON.stringify(this.toJSON());
  }
}

/** @param {TopologyHandle} handle */
function closeForgotten(handle) {
  try {
    handle.close();
  } catch {
    // The instance failed: whoever uses it next is told.
  }
}

/**
 * @param {unknown} options
 * @returns {object}
 */
function recordOf(options) {
  if (options === undefined || options === null) return {};
  if (!isRecord(options, '')) throw new ReadPrefError('argument', 'options are an object, {checkout: true}');
  return options;
}

/**
 * @param {unknown} flag
 * @param {string} path
 * @returns {boolean}
 */
function checkedFlag(flag, path) {
  if (flag === undefined || flag === null) return false;
  if (typeof flag !== 'boolean') throw new ReadPrefError('wrongType', 'expected true or false', { path });
  return flag;
}

/**
 * A description as JSON text. What holds a topology and is none is refused: the
 * whole request, as it is saved.
 *
 * @param {unknown} description
 * @param {string} path
 */
function textOf(description, path) {
  const text = encode(description, path);
  reading(path, () => {
    const { toJSON } = /** @type {{toJSON?: unknown}} */ (description);
    if (text[0] !== '{' || typeof toJSON === 'function') return;
    const keys = Object.keys(/** @type {object} */ (description));
    if (keys.includes('topology') && !keys.includes('servers')) {
      throw new ReadPrefError('unknownKey', 'this is a whole request: give its request.topology, and its request.readPreference to select or explain', {
        path: `${path}.topology`,
      });
    }
  });
  return text;
}
