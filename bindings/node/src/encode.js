import { ReadPrefError } from './errors.js';
import { MAX_DOCUMENT } from './limits.js';
import { pathAt } from './path.js';

/**
 * Deeper than any document may nest. What lies deeper still is left out: the
 * engine refuses the document before it gets there.
 */
const DEPTH_CUT = 100;

/** Thrown to stop once the text is longer than any document may be. */
const tooLong = Symbol('tooLong');

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * A value as JSON text. Unlike JSON.stringify it changes nothing silently: what
 * has no JSON form is an error that says where. BigInt and Date are written so
 * that they arrive as they are.
 *
 * Text that comes back longer than MAX_DOCUMENT is cut off somewhere behind that,
 * for the engine to refuse.
 *
 * @param {unknown} value
 * @param {string} [path] of the value within the document it will be part of
 * @returns {string}
 * @throws {ReadPrefError} `invalidJSON`
 */
export function encode(value, path = '') {
  const encoder = new Encoder(path);
  try {
    encoder.value(value);
  } catch (error) {
    if (error !== tooLong) {
      if (error instanceof ReadPrefError) throw error;
      // A getter, a toJSON or a proxy of the caller's.
      throw new ReadPrefError('invalidJSON', 'reading the value threw an error: see cause', { path: encoder.path(), cause: error });
    }
  }
  return encoder.text;
}

class Encoder {
  text = '';
  /** @type {(string | number)[]} */
  #keys = [];
  /** @type {object[]} */
  #within = [];
  #root;

  /** @param {string} root */
  constructor(root) {
    this.#root = root;
  }

  path() {
    return pathAt(this.#root, this.#keys);
  }

  /** @param {string} piece */
  #add(piece) {
    this.text += piece;
    if (this.text.length > MAX_DOCUMENT) throw tooLong;
  }

  /**
   * @param {string} what
   * @returns {never}
   */
  #refuse(what) {
    throw new ReadPrefError('invalidJSON', `${what} has no JSON form`, { path: this.path() });
  }

  /** @param {any} v */
  value(v) {
    // Dates have a toJSON that would lose that they are dates.
    if (typeof v === 'object' && typeof v?.toJSON === 'function' && !(v instanceof Date)) {
      v = v.toJSON(String(this.#keys.at(-1) ?? ''));
    }
    switch (typeof v) {
      case 'string':
        return this.#string(v);
      case 'number':
        return Number.isFinite(v) ? this.#add(String(v)) : this.#refuse(String(v));
      case 'boolean':
        return this.#add(String(v));
      case 'bigint':
        return this.#add(bigint(v));
      case 'object':
        return v === null ? this.#add('null') : this.#object(v);
      case 'symbol':
        return this.#refuse('a symbol');
      default:
        return this.#refuse(typeof v === 'function' ? 'a function' : 'undefined');
    }
  }

  /** @param {string} s */
  #string(s) {
    if (s.length > MAX_DOCUMENT) {
      this.text += ' '.repeat(MAX_DOCUMENT + 1);
      throw tooLong;
    }
    this.#add(JSON.stringify(s));
  }

  /** @param {any} v */
  #object(v) {
    if (v instanceof Date) {
      const ms = v.getTime();
      return Number.isNaN(ms) ? this.#refuse('an invalid Date') : this.#add(`{"$date":{"$numberLong":"${ms}"}}`);
    }
    const list = Array.isArray(v);
    if (!list && !isPlain(v)) this.#refuse(describe(v));
    if (this.#within.includes(v)) this.#refuse('a value that contains itself');
    if (this.#within.length >= DEPTH_CUT) return this.#add(list ? '[]' : '{}');
    this.#within.push(v);
    if (list) this.#list(v);
    else this.#members(v);
    this.#within.pop();
  }

  /** @param {unknown[]} v */
  #list(v) {
    this.#add('[');
    for (let i = 0; i < v.length; i++) {
      if (i > 0) this.#add(',');
      this.#keys.push(i);
      this.value(v[i]);
      this.#keys.pop();
    }
    this.#add(']');
  }

  /** @param {Record<string, unknown>} v */
  #members(v) {
    let separator = '{';
    for (const key of Object.keys(v)) {
      this.#keys.push(key);
      const member = v[key];
      // As in every JavaScript interface, undefined is absent.
      if (member !== undefined) {
        this.#add(separator);
        this.#string(key);
        this.#add(':');
        this.value(member);
        separator = ',';
      }
      this.#keys.pop();
    }
    this.#add(separator === '{' ? '{}' : '}');
  }
}

/**
 * A BigInt as an integer; as Extended JSON where a double would not hold it; and
 * beyond 64 signed bits as the decimal string that a seed may be.
 *
 * @param {bigint} v
 */
function bigint(v) {
  if (v >= BigInt(Number.MIN_SAFE_INTEGER) && v <= BigInt(Number.MAX_SAFE_INTEGER)) return String(v);
  return v >= INT64_MIN && v <= INT64_MAX ? `{"$numberLong":"${v}"}` : `"${v}"`;
}

/**
 * Whether an object is a record of members, from whatever realm.
 *
 * @param {object} v
 */
function isPlain(v) {
  const prototype = Object.getPrototypeOf(v);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** @param {object} v */
function describe(v) {
  const name = Object.prototype.toString.call(v).slice(8, -1);
  const className = name === 'Object' ? v.constructor?.name || 'class' : name;
  return `a ${className} object`;
}
