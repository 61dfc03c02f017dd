// The one instance behind everything this package exports. It is made on first
// use, and made anew after a trap. What was open in the old one is lost then, and
// is told so when it is used again: nothing else depends on an earlier call.
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
 * The running instance.
 *
 * @returns {Instance}
 * @throws {ReadPrefError} `internal`: the module is missing, or does not start
 */
export function running() {
  if (instance !== undefined) return instance;
  try {
    compiled ??= loadModule();
    return (instance = new Instance(compiled));
  } catch (cause) {
    throw failure(cause, undefined);
  }
}

/**
 * Gives up an instance that something was thrown out of: the Go runtime inside was
 * left half-way.
 *
 * @param {Instance} broken
 * @param {unknown} cause what was thrown
 * @returns {ReadPrefError}
 */
export function giveUp(broken, cause) {
  // This goes first: where the stack is full, the next line may throw again.
  if (instance === broken) instance = undefined;
  broken.isLost = true;
  const error = failure(cause, broken.lines[0]);
  broken.lose(error);
  return error;
}

/**
 * @param {unknown} cause
 * @param {string | undefined} lastWords
 */
function failure(cause, lastWords) {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ReadPrefError('internal', `readpref.wasm failed: ${message}${lastWords === undefined ? '' : `: ${lastWords}`}`, { cause });
}

/**
 * Runs a method on a document.
 *
 * @param {string} method
 * @param {Uint8Array | string} input
 * @param {Instance} [on] absent: the running one
 * @returns {{isError: boolean, bytes: Uint8Array}}
 * @throws {ReadPrefError} `internal`: the module is missing, or trapped
 */
export function run(method, input, on = running()) {
  try {
    return on.call(method, input);
  } catch (cause) {
    throw giveUp(on, cause);
  }
}

/**
 * Runs a method on a document's text and returns the answer's value.
 *
 * @param {string} method
 * @param {string} text
 * @param {Instance} [on] absent: the running one
 * @returns {any}
 * @throws {ReadPrefError} what the error document says
 */
export function ask(method, text, on) {
  const { isError, bytes } = run(method, text, on);
  const document = decode(decodeUTF8(bytes));
  if (isError) throw errorFrom(document.error);
  return document;
}
