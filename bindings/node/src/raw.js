import { ask, run } from './engine.js';
import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { decodeUTF8 } from './utf8.js';

/**
 * The raw door: bytes in, bytes out, exactly as every other runtime answers
 * them. An error document is an answer here, told by its `status`, and not
 * thrown. There is no seed but the document's own (absent: 0).
 *
 * @param {string} method
 * @param {Uint8Array | string} [input] a UTF-8 JSON document; absent: empty
 * @returns {import('./index.js').RawAnswer}
 * @throws {ReadPrefError} `argument` for arguments of other types, `internal`
 *   where the module cannot be loaded or trapped
 */
export function callRaw(method, input = '') {
  if (typeof method !== 'string') {
    throw new ReadPrefError('argument', 'callRaw takes the name of a method as a string');
  }
  if (typeof input !== 'string' && !(input instanceof Uint8Array)) {
    throw new ReadPrefError('argument', 'callRaw takes a document as a Uint8Array or a string');
  }
  const { isError, bytes } = run(method, input);
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
