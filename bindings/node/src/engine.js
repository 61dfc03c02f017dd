// The one instance behind everything this package exports. It is made on first
// use, and made anew after a trap: no answer depends on an earlier one.
import { loadModule } from '#load-module';
import { Instance } from './instance.js';
import { ReadPrefError, errorFrom } from './errors.js';
import { decodeUTF8 } from './utf8.js';
import { decode } from './decode.js';

/** @type {WebAssembly.Module | undefined} */
let compiled;

/** @type {Instance | undefined} */
let instance;

/**
 * Runs a method on a document.
 *
 * @param {string} method
 * @param {Uint8Array | string} input
 * @returns {{isError: boolean, bytes: Uint8Array}}
 * @throws {ReadPrefError} `internal`: the module is missing, or trapped
 */
export function run(method, input) {
  try {
    compiled ??= loadModule();
    instance ??= new Instance(compiled);
    return instance.call(method, input);
  } catch (cause) {
    // Whatever was thrown out of it, the Go runtime inside was left half-way. It
    // goes first: where the stack is full, the next line may throw again.
    const broken = instance;
    instance = undefined;
    const lastWords = broken?.lines.length ? `: ${broken.lines[0]}` : '';
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ReadPrefError('internal', `readpref.wasm failed: ${message}${lastWords}`, { cause });
  }
}

/**
 * Runs a method on a document's text and returns the answer's value.
 *
 * @param {string} method
 * @param {string} text
 * @returns {any}
 * @throws {ReadPrefError} what the error document says
 */
export function ask(method, text) {
  const { isError, bytes } = run(method, text);
  const document = decode(decodeUTF8(bytes));
  if (isError) throw errorFrom(document.error);
  return document;
}
