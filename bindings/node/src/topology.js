import { ask } from './engine.js';
import { Changes } from './changes.js';
import { Checkout } from './checkout.js';
import { decoration } from './decoration.js';
import { textOf } from './description-text.js';
import { decode } from './decode.js';
import { dispose } from './dispose.js';
import { encode } from './encode.js';
import { Explanation } from './explanation.js';
import { deepFreeze } from './freeze.js';
import { ReadPrefError } from './errors.js';
import { inspectCustom, shown } from './inspect.js';
import { MAX_DOCUMENT, MAX_SERVERS } from './limits.js';
import { milliseconds } from './milliseconds.js';
import { optionsOf, pickingOf } from './picking.js';
import { readPreferenceOf } from './preference-handle.js';
import { isRecord, listOf, membersOf, reading } from './reading.js';
import { SelectionLog } from './selection-log.js';
import { seedOf } from './seed.js';
import { ServerSelectionTimeoutError } from './timeout-error.js';
import { checkedFlag, idOf, identified, named, recordOf, withoutArguments } from './topology-arguments.js';
import { TopologyEvent } from './topology-event.js';
import { TopologyHandle, closedError } from './topology-handle.js';
import { parseURI } from './uri.js';
import { Waiting, checkedSignal } from './waiting.js';

/** @typedef {import('./read-preference.js').ReadPreference | import('./index.js').ReadPreferenceDocument | import('./index.js').ReadPreferenceMode | null} AnyReadPreference */
/** @typedef {import('./index.js').IntegerInput} IntegerInput */

/** The specification's serverSelectionTimeoutMS. */
const SERVER_SELECTION_TIMEOUT_MS = 30_000;

/** @type {readonly import('./index.js').Warning[]} */
const NO_WARNINGS = Object.freeze([]);

/**
 * The description of any topology that selection takes, as JSON text.
 *
 * @type {(topology: unknown, path: string) => string}
 */
export let topologyText;

/**
 * The member of a request that is a topology, with a comma behind it. One that is absent
 * is left out, for the engine to say so.
 *
 * @param {unknown} topology
 */
export function topologyMember(topology) {
  return topology === undefined || topology === null ? '' : `"topology":${topologyText(topology, 'topology')},`;
}

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
  #isShutDown = false;
  #serverSelectionTimeoutMS = SERVER_SELECTION_TIMEOUT_MS;
  /** Of an operation whose own is not given. @type {number | undefined} */
  #timeoutMS;
  #readPreference = readPreferenceOf(undefined);
  /** @type {readonly import('./index.js').Warning[]} */
  #warnings = NO_WARNINGS;
  /** @type {SelectionLog} */
  #log;
  #watchers = 0;
  #lost = () => this.#lose();

  #waiting = new Waiting({
    requestChecks: () => this.#requestChecks(),
    begins: () => this.#watch(1),
    ends: () => this.#watch(-1),
  });

  #changes = new Changes({
    pull: () => (this.#isDiscovered ? this.#opened().ask('topology.events') : { events: [], last: 0, dropped: 0, more: false }),
    acknowledge: (upto) => this.#opened().ask('topology.events_ack', `,"upto":${upto}`),
    dispatch: (change) => this.dispatchEvent(new TopologyEvent('event' in change ? change.event : 'effect', change)),
    begins: () => this.#watch(1),
    ends: () => this.#watch(-1),
  });

  /**
   * @param {import('./index.js').TopologySource} source a description, a connection string, or seeds
   * @param {import('./index.js').TopologyOptions | null} [options]
   * @throws {ReadPrefError} for a value that is no object or has no JSON form; with options, a
   *   connection string or seeds, for whatever else is wrong with it
   */
  constructor(source, options) {
    super();
    const given = /** @type {unknown} */ (source);
    const isRequest = OpenRequest.is(given);
    const { serverSelectionTimeoutMS, logger, ...settings } = optionsOf(options);
    this.#log = new SelectionLog(logger, {
      dispatch: (entry) => this.dispatchEvent(new TopologyEvent('log', entry)),
      describe: () => this.toJSON(),
    });
    const timeoutMS = milliseconds(serverSelectionTimeoutMS, 'serverSelectionTimeoutMS');
    if (isRequest) {
      this.#open({ ...given.members, ...settings });
    } else if (typeof given === 'string') {
      this.#open({ uri: given, ...settings });
    } else if (isRecord(given, 'topology') && reading('topology', () => 'uri' in given || 'seeds' in given)) {
      this.#open({ ...membersOf(given, ''), ...settings });
    } else {
      // What has no servers to show is refused at once, in the engine's words.
      if (given === undefined || given === null) ask('select', '{}');
      this.#text = textOf(given, 'topology');
      if (this.#text[0] !== '{' || this.#text.length > MAX_DOCUMENT) ask('select', `{"topology":${this.#text}}`);
      if (options !== undefined && options !== null) this.#openDescription(settings);
    }
    if (timeoutMS !== undefined) this.#serverSelectionTimeoutMS = timeoutMS;
  }

  /**
   * Opens a topology from a document, such as describe() gave: another process, or a
   * new instance of the engine, goes on from there.
   *
   * @param {import('./index.js').TopologyOpenRequest} request the document of `topology.open`
   * @param {import('./index.js').TopologyOptions | null} [options] what they say wins
   * @throws {ReadPrefError}
   */
  static open(request, options) {
    if (!isRecord(request, '')) {
      throw new ReadPrefError('argument', 'open takes an object such as describe() gives, {topology: {servers: […]}} or {uri: "mongodb://…"}');
    }
    return new Topology(/** @type {any} */ (new OpenRequest(membersOf(request, ''))), options);
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
    const generation = this.#isDiscovered ? this.#opened().generation : 0;
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
    const isGone = this.#isDiscovered && !this.#handle?.isOpen;
    return shown(this, isGone ? { isOpen: false } : this.toJSON());
  }

  // ---- Selection ----

  /**
   * Selects a server among those that are known now.
   *
   * @param {AnyReadPreference} [readPreference] absent: that of the connection string, or primary
   * @param {import('./index.js').PickOptions | null} [options]
   * @returns {import('./index.js').Server} frozen, and the same one for the same server each time
   * @throws {ReadPrefError} `noServer` where none is suitable, and for what is wrong with the arguments
   */
  selectSync(readPreference, options) {
    const picking = pickingOf(options);
    const handle = this.#handle ?? this.#opened();
    const preference = readPreference ?? this.#readPreference;
    const server = handle.pick(preference, picking, false);
    if (server === undefined) throw handle.refusal(preference, picking);
    return server;
  }

  /**
   * Selects a server, and waits until one is suitable: at most serverSelectionTimeoutMS, or
   * options.timeoutMS where that is less and not 0.
   *
   * @param {AnyReadPreference} [readPreference] absent: that of the connection string, or primary
   * @param {import('./index.js').SelectServerOptions | null} [options]
   * @returns {Promise<any>} a server as selectSync gives it; with options.checkout a Checkout
   * @throws {ServerSelectionTimeoutError} where none was suitable in time
   * @throws {ReadPrefError} at once, for what waiting does not help against
   */
  async select(readPreference, options) {
    const { timeoutMS, signal, checkout, operationName, operationId, ...others } = membersOf(recordOf(options), '');
    const picking = pickingOf(others);
    const isCheckout = checkedFlag(checkout, 'checkout');
    const preference = readPreferenceOf(readPreference ?? this.#readPreference);
    const wanted = this.#wanted(preference, picking, isCheckout);
    const limit = milliseconds(timeoutMS, 'timeoutMS') ?? this.#timeoutMS ?? 0;
    wanted.timeoutMS = limit > 0 ? Math.min(limit, this.#serverSelectionTimeoutMS) : this.#serverSelectionTimeoutMS;
    wanted.signal = reading('signal', () => checkedSignal(signal));
    if (!this.#log.isOn) return this.#waiting.select(wanted);

    const selector = others.operation === 'write' ? 'write' : String(preference);
    const subject = { selector, operation: named(operationName ?? others.operation ?? 'read', 'operationName'), ...identified(operationId) };
    wanted.waits = (remainingMS) => this.#log.waiting(subject, remainingMS);
    this.#log.started(subject);
    try {
      const found = await this.#waiting.select(wanted);
      this.#log.succeeded(subject, found.address);
      return found;
    } catch (error) {
      this.#log.failed(subject, error);
      throw error;
    }
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
    return this.#opened().batch(readPreference ?? this.#readPreference, count, pickingOf(others), checkedFlag(checkout, 'checkout'));
  }

  /**
   * Selects as selectSync does, and counts an operation on the server until it is
   * released.
   *
   * @param {AnyReadPreference} [readPreference] absent: that of the connection string, or primary
   * @param {import('./index.js').PickOptions | null} [options]
   * @returns {Checkout}
   * @throws {ReadPrefError} as selectSync
   */
  checkout(readPreference, options) {
    const picking = pickingOf(options);
    const handle = this.#opened();
    const preference = readPreference ?? this.#readPreference;
    const server = handle.pick(preference, picking, true);
    if (server === undefined) throw handle.refusal(preference, picking);
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
    return this.#opened().ask('topology.release', `,"id":${encode(idOf(server), 'id')}`).operationCount;
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
   * @param {AnyReadPreference} [readPreference] absent: that of the connection string, or primary
   * @param {import('./index.js').PickOptions | null} [options]
   * @throws {ReadPrefError}
   */
  explain(readPreference, options) {
    return new Explanation(this.#opened().explain(readPreference ?? this.#readPreference, pickingOf(options)));
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
    this.#waiting.changed();
    return generation;
  }

  /**
   * What a check of a server gave. For topologies that were made of a connection string or
   * seeds, as all that follows.
   *
   * @param {string} address
   * @param {Readonly<Record<string, unknown>> | null} [reply] to hello; `{}`: none came; absent, with a
   *   round-trip time alone: a sample of a probe that only measures
   * @param {import('./index.js').HelloOptions | null} [options]
   * @returns {import('./index.js').HelloOutcome}
   * @throws {ReadPrefError}
   */
  onHello(address, reply, options) {
    const given = withoutArguments(options, ['topology', 'address', 'hello'], 'options are an object, {roundTripTimeMS: 5.2}; for a failed check, {error: "…"} beside the reply null');
    const isProbe = (reply === undefined || reply === null) && (given.error === undefined || given.error === null);
    const now = isProbe || given.nowMS !== undefined ? {} : { nowMS: Date.now() };
    return this.#step('topology.hello', { address: address ?? null, hello: reply ?? undefined, ...given, ...now });
  }

  /**
   * What an operation of the application met.
   *
   * @param {string} address
   * @param {import('./index.js').ApplicationError} error
   * @returns {import('./index.js').ErrorOutcome}
   * @throws {ReadPrefError}
   */
  onError(address, error) {
    const given = withoutArguments(error, ['topology', 'address'], 'an operation\'s error is an object, {kind: "network", generation: 0}');
    const now = given.nowMS === undefined ? { nowMS: Date.now() } : {};
    return this.#step('topology.error', { address: address ?? null, ...given, ...now });
  }

  /**
   * What a scan of the SRV records gave, for a topology that was made of a `mongodb+srv://`
   * connection string.
   *
   * @param {readonly import('./index.js').SRVRecord[]} records `[]`: the scan failed
   * @returns {import('./index.js').SRVOutcome}
   * @throws {ReadPrefError}
   */
  onSRV(records) {
    return this.#step('topology.srv', { srv: records ?? null });
  }

  /**
   * Ends discovery: the closing events come, and no server is suitable any more. What
   * waits for a server fails at once.
   *
   * @returns {number} the generation
   * @throws {ReadPrefError}
   */
  shutdown() {
    const { generation } = this.#opened().ask('topology.shutdown');
    this.#isShutDown = true;
    this.#waiting.fail(shutDownError());
    this.#changes.deliver();
    this.#changes.end();
    return generation;
  }

  // ---- What happened, and what is to be done ----

  /**
   * All that happens, and is to be done, from now on and since somebody listened last.
   * It ends when the topology is closed.
   *
   * @returns {AsyncIterableIterator<import('./index.js').Change>}
   */
  events() {
    this.#opened().check();
    return this.#changes.read();
  }

  [Symbol.asyncIterator]() {
    return this.events();
  }

  /**
   * What waits in the engine, for hosts that ask instead of listening. It forgets
   * nothing.
   *
   * @returns {import('./index.js').PendingEvents}
   * @throws {ReadPrefError}
   */
  pendingEvents() {
    return deepFreeze(this.#opened().ask('topology.events'));
  }

  /**
   * Forgets what pendingEvents gave.
   *
   * @param {IntegerInput} upto its `last`
   * @throws {ReadPrefError} `outOfRange` for a number that was not given yet
   */
  acknowledgeEvents(upto) {
    this.#opened().ask('topology.events_ack', `,"upto":${encode(upto ?? null, 'upto')}`);
  }

  /**
   * @param {string} type
   * @param {any} listener
   * @param {any} [options]
   * @override
   */
  addEventListener(type, listener, options) {
    super.addEventListener(type, listener, options);
    if (type === 'log') this.#log.want();
    else if (!this.#isClosed) this.#changes.want();
  }

  // ---- Commands ----

  /**
   * What a command carries to the server that was selected for it.
   *
   * @param {import('./index.js').Server | number} server the server, or its id
   * @param {AnyReadPreference} [readPreference] the one it was selected with
   * @param {import('./index.js').CommandOptions | null} [options]
   * @returns {import('./index.js').Decoration}
   * @throws {ReadPrefError}
   */
  command(server, readPreference, options) {
    const members = `,${encode({ id: idOf(server), ...optionsOf(options) }).slice(1, -1)}`;
    return decoration(this.#opened().askBoth('topology.command', readPreference ?? this.#readPreference, members));
  }

  // ---- The end ----

  /**
   * Closes it. A discovered topology tells its listeners of its end before. Every use
   * afterwards is the error `handle`; closing again does nothing.
   */
  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    net?.unregister(this);
    const handle = this.#handle;
    try {
      if (this.#isDiscovered && this.#changes.isFlowing && !this.#isShutDown && handle?.isOpen) this.shutdown();
    } finally {
      handle?.close();
      this.#waiting.fail(closedError());
      this.#changes.end();
    }
  }

  get isClosed() {
    return this.#isClosed;
  }

  /** That of the connection string it was made of, else primary: what an absent one stands for. */
  get readPreference() {
    return this.#readPreference;
  }

  /** Of the connection string that it was made of. */
  get warnings() {
    return this.#warnings;
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
    this.#openText(encode({ ...others, seed: seedOf(seed) }));
    if (others.uri === undefined || others.uri === null) return;
    const { readPreference, options, warnings } = parseURI(/** @type {string} */ (others.uri));
    this.#warnings = warnings;
    this.#readPreference = /** @type {import('./read-preference.js').ReadPreference} */ (readPreference);
    this.#timeoutMS = /** @type {number | undefined} */ (options.timeoutMS);
    this.#serverSelectionTimeoutMS = /** @type {number | undefined} */ (options.serverSelectionTimeoutMS) ?? SERVER_SELECTION_TIMEOUT_MS;
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

  get #isDiscovered() {
    return this.#text === undefined;
  }

  /**
   * One step of discovery.
   *
   * @param {string} method
   * @param {Record<string, unknown>} members of its request besides the handle
   */
  #step(method, members) {
    const handle = this.#opened();
    const generation = handle.generation;
    const outcome = deepFreeze(handle.ask(method, `,${encode(members).slice(1, -1)}`));
    if (outcome.generation !== generation) this.#waiting.changed();
    this.#changes.deliver();
    return outcome;
  }

  /** While a selection waits: its host is asked to check all servers at once. */
  #requestChecks() {
    // Monitors that are yet to be started begin with a check.
    if (!this.#changes.isFlowing) return;
    for (const { address } of this.describe().topology.servers) this.#changes.tell({ effect: 'requestCheck', address });
  }

  /**
   * What a selection is to the waiting.
   *
   * @param {import('./read-preference.js').ReadPreference} preference
   * @param {import('./picking.js').Picking} picking
   * @param {boolean} isCheckout
   * @returns {import('./waiting.js').Wanted<import('./index.js').Server | Checkout>}
   */
  #wanted(preference, picking, isCheckout) {
    const handle = this.#opened();
    return {
      attempt: () => {
        const server = handle.pick(preference, picking, isCheckout);
        if (server === undefined && this.#isShutDown) throw shutDownError();
        return server !== undefined && isCheckout ? new Checkout(server, handle) : server;
      },
      late: (waitedMS) => {
        const refusal = handle.refusal(preference, picking);
        if (refusal.code !== 'noServer') return refusal;
        return new ServerSelectionTimeoutError(refusal.message, waitedMS, new Explanation(handle.explain(preference, picking)));
      },
      timeoutMS: 0,
      signal: undefined,
      waits: () => {},
    };
  }

  /**
   * Somebody waits for what the engine's instance holds, or does no more.
   *
   * @param {1 | -1} change
   */
  #watch(change) {
    this.#watchers += change;
    if (this.#watchers === 0) this.#handle?.unwatch(this.#lost);
    else this.#handle?.watch(this.#lost);
  }

  /** The engine's instance failed. */
  #lose() {
    try {
      this.#opened().check();
    } catch (error) {
      this.#waiting.fail(error);
      this.#changes.end(error);
    }
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

/** The error of a topology whose discovery was ended. */
function shutDownError() {
  return new ReadPrefError('noServer', 'the topology was shut down');
}
