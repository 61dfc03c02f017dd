import { ask, run } from './engine.js';
import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { decodeUTF8 } from './utf8.js';

// As the language made them: an object cannot say anything else of itself.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const kindOf = getter(Symbol.toStringTag);
const bufferOf = getter('buffer');
const offsetOf = getter('byteOffset');
const lengthOf = getter('byteLength');

/** @param {string | symbol} name */
function getter(name) {
  return /** @type {() => any} */ (Object.getOwnPropertyDescriptor(typedArray, name)?.get);
}

/**
 * @param {unknown} input
 * @returns {Uint8Array}
 */
function bytesOf(input) {
  if (kindOf.call(input) !== 'Uint8Array') {
    throw new ReadPrefError('argument', 'callRaw takes a document as a Uint8Array or a string');
  }
  try {
    return new Uint8Array(bufferOf.call(input), offsetOf.call(input), lengthOf.call(input));
  } catch (cause) {
    throw new ReadPrefError('argument', 'the bytes of the document were transferred away: their ArrayBuffer is detached', { cause });
  }
}

/**
 * The raw door: bytes in, bytes out, exactly as every other runtime answers
 * them. An error document is an answer here, told by its `status`, and not
 * thrown. There is no seed but the document's own (absent: 0).
 *
 * @param {string} method
 * @param {Uint8Array | string} [input] a UTF-8 JSON document; absent: empty
 * @returns {import('./index.js').RawAnswer}
 * @throws {ReadPrefError} `argument` for arguments of other types and for bytes that
 *   were transferred away, `internal`
 *   where the module cannot be loaded or trapped
 */
export function callRaw(method, input = '') {
  if (typeof method !== 'string') {
    throw new ReadPrefError('argument', 'callRaw takes the name of a method as a string');
  }
  const { isError, bytes } = run(method, typeof input === 'string' ? input : bytesOf(input));
  return { status: isError ? JSON.parse(decodeUTF8(bytes)).error.status : 0, bytes };
}

/**
 * The raw door for values: encodes one as JSON, and decodes the answer. There is
 * no seed but the value's own (absent: 0).
 *
 * @param {string} method
 * @param {unknown} [value] absent: an empty document
 * @returns {any}
 * @throws {ReadPrefError} for an error document, and for a value without a JSON form
 */
export function call(method, value) {
  if (typeof method !== 'string') {
    throw new ReadPrefError('argument', 'call takes the name of a method as a string');
  }
  return ask(method, value === undefined ? '' : encode(value));
}
