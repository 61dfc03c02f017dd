import { ReadPrefError } from './errors.js';
import { MAX_BITS, MAX_DOCUMENT } from './limits.js';
import { pathAt } from './path.js';
import { cut } from './plain.js';
import { reading } from './reading.js';

/**
 * Deeper than any document may nest. What lies deeper still is left out: the
 * engine refuses the document before it gets there.
 */
const DEPTH_CUT = 100;

/** So many pieces of text are joined at a time: an array of all would be longer than the text. */
const PIECES = 4096;

/** Of a class's name in a message, in bytes. */
const MAX_NAME = 64;

/** Thrown to stop once the text is longer than any document may be. */
const tooLong = Symbol('tooLong');

/**
 * A value as JSON text. Unlike JSON.stringify it changes nothing silently: what
 * has no JSON form is an error that says where. BigInt and Date are written so
 * that they arrive as they are.
 *
 * Reading ends where the text is longer than MAX_DOCUMENT. What comes back then is
 * longer than that too, for the engine to refuse.
 *
 * @param {unknown} value
 * @param {string} [path] of the value within the document it will be part of
 * @returns {string}
 * @throws {ReadPrefError} `invalidJSON`; `outOfRange` for a huge integer; `wrongType`
 *   where the caller's own code throws
 */
export function encode(value, path = '') {
  const encoder = new Encoder(path);
  const written = reading(
    () => encoder.path(),
    () => {
      try {
        encoder.value(value);
        return true;
      } catch (error) {
        if (error !== tooLong) throw error;
        return false;
      }
    },
  );
  return written ? encoder.text() : ' '.repeat(MAX_DOCUMENT + DEPTH_CUT);
}

class Encoder {
  /** @type {string[]} */
  #joined = [];
  /** @type {string[]} */
  #pieces = [];
  #length = 0;
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

  text() {
    return this.#joined.join('') + this.#pieces.join('');
  }

  /** @param {string} piece */
  #add(piece) {
    this.#expect(piece.length);
    this.#length += piece.length;
    if (this.#pieces.push(piece) < PIECES) return;
    this.#joined.push(this.#pieces.join(''));
    this.#pieces.length = 0;
  }

  /**
   * Stops where the document has no room for at least so much more.
   *
   * @param {number} length
   */
  #expect(length) {
    if (this.#length + length > MAX_DOCUMENT) throw tooLong;
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
        return this.#integer(v);
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
    this.#expect(s.length);
    this.#add(JSON.stringify(s));
  }

  /**
   * A BigInt as the integer that it is; a seed that a double would not hold as the
   * decimal string that it is to be.
   *
   * @param {bigint} v
   */
  #integer(v) {
    if (BigInt.asIntN(Number(MAX_BITS), v) !== v) {
      throw new ReadPrefError('outOfRange', `an integer of more than ${MAX_BITS} bits is out of range`, { path: this.path() });
    }
    const seed = this.#root === '' && this.#keys.length === 1 && this.#keys[0] === 'seed';
    this.#add(seed && v > BigInt(Number.MAX_SAFE_INTEGER) ? `"${v}"` : String(v));
  }

  /** @param {any} v */
  #object(v) {
    if (v instanceof Date) {
      // A class of the caller's may have another getTime, which gives anything.
      const ms = Date.prototype.getTime.call(v);
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
    // Read once: a proxy may give another length each time, and any.
    const length = Number(v.length);
    // Each element has a character at least, and a comma or the bracket behind it.
    this.#expect(2 * length);
    this.#add('[');
    const at = this.#keys.push(0) - 1;
    for (let i = 0; i < length; i++) {
      if (i > 0) this.#add(',');
      this.#keys[at] = i;
      this.value(v[i]);
    }
    this.#keys.pop();
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
 * Whether an object is a record of members, from whatever realm.
 *
 * @param {object} v
 */
export function isPlain(v) {
  const prototype = Object.getPrototypeOf(v);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** @param {object} v */
function describe(v) {
  const name = Object.prototype.toString.call(v).slice(8, -1);
  const className = name === 'Object' ? v.constructor?.name || 'class' : name;
  return `a ${cut(String(className), MAX_NAME)} object`;
}
