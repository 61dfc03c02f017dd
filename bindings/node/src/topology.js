import { ask } from './engine.js';
import { decode } from './decode.js';
import { encode } from './encode.js';
import { deepFreeze } from './freeze.js';
import { ReadPrefError } from './errors.js';
import { inspectCustom, shown } from './inspect.js';
import { MAX_DOCUMENT, MAX_SERVERS } from './limits.js';
import { listOf, reading } from './reading.js';

/**
 * The description of any topology that selection takes, as JSON text.
 *
 * @type {(topology: unknown, path: string) => string}
 */
export let topologyText;

/**
 * What is known about a deployment and its members. Immutable.
 *
 * It is a description only, encoded once for any number of selections; the
 * engine checks it in each, and names places from the topology on:
 * `topology.servers[0].type`.
 */
export class Topology {
  static {
    topologyText = (topology, path) =>
      typeof topology === 'object' && topology !== null && #text in topology ? topology.#text : textOf(topology, path);
  }

  #text;
  /** @type {import('./index.js').TopologyDescription | undefined} */
  #description;

  /**
   * @param {import('./index.js').TopologyDescription} description
   * @throws {ReadPrefError} for a value that is no object or has no JSON form
   */
  constructor(description) {
    // What has no servers to show is refused at once, in the engine's words.
    if (description === undefined || description === null) ask('select', '{}');
    this.#text = textOf(description, 'topology');
    if (this.#text[0] !== '{' || this.#text.length > MAX_DOCUMENT) ask('select', `{"topology":${this.#text}}`);
    Object.freeze(this);
  }

  /**
   * From one saved reply per member, as `EJSON.stringify(db.hello())` printed it.
   *
   * @param {Iterable<import('./index.js').SavedReply>} replies
   * @throws {ReadPrefError} `argument` for what cannot be iterated; as the constructor
   */
  static fromHellos(replies) {
    const path = 'topology.servers';
    const servers = reading(path, () => {
      if (typeof replies?.[Symbol.iterator] !== 'function') {
        throw new ReadPrefError('argument', 'fromHellos takes an iterable of saved replies, one per member', { path });
      }
      return listOf(replies, MAX_SERVERS);
    });
    return new Topology({ servers });
  }

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
   * The description.
   *
   * @returns {import('./index.js').TopologyDescription}
   */
  toJSON() {
    return (this.#description ??= deepFreeze(decode(this.#text)));
  }

  /** The description as JSON, with integers that a double does not hold as Extended JSON. */
  toString() {
    return JSON.stringify(this.toJSON());
  }

  [inspectCustom]() {
    return shown(this, this.toJSON());
  }
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
