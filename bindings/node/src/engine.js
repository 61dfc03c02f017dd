// The one instance behind everything this package exports. It is made on first
// use, and made anew after a trap. What was open in the old one is lost then, and
// is told so when it is used again: nothing else depends on an earlier call.
import { loadModule } from '#load-module';
import { Instance } from './instance.js';
import { ReadPrefError, errorFrom } from './errors.js';
import { decodeUTF8 } from './utf8.js';
import { decode } from './decode.js';
import { compile, compileSync } from './source.js';

/** @type {WebAssembly.Module | undefined} */
let compiled;

/** @type {Instance | undefined} */
let instance;

/** The start that init() began. @type {Promise<void> | undefined} */
let starting;

/**
 * Starts the engine without holding up the thread, or from another source than the
 * package's file. It need not be called where that is found without waiting: Node.js, Deno, Bun,
 * workerd and the edge.
 *
 * @param {unknown} [source] a URL, a Response, bytes or a WebAssembly.Module, or a promise of one; absent: the
 *   package's own. A function that gives one is called where the engine is not started yet.
 * @returns {Promise<void>}
 * @throws {ReadPrefError} `argument` for another source, and where one is given to an engine that is started
 *   already; `internal` where it cannot be loaded. It may be tried again then.
 */
export async function init(source) {
  if (compiled !== undefined || starting !== undefined) {
    if (!isOptional(source)) throw startedError();
    return starting;
  }
  starting = start(source);
  try {
    await starting;
  } finally {
    starting = undefined;
  }
}

/** @param {unknown} source */
async function start(source) {
  try {
    const given = typeof source === 'function' ? source() : source;
    const module = given === undefined || given === null ? loadModule() : await compile(given);
    const made = await Instance.make(module);
    if (compiled !== undefined) return; // a synchronous call was quicker
    compiled = module;
    instance = made;
  } catch (cause) {
    throw cause instanceof ReadPrefError ? cause : failure(cause, undefined);
  }
}

/**
 * Starts the engine at once. Some browsers refuse that on the main thread.
 *
 * @param {unknown} [source] bytes or a WebAssembly.Module, or a function that gives one; absent: the package's own
 * @throws {ReadPrefError} as init
 */
export function initSync(source) {
  if (compiled !== undefined || (starting !== undefined && !isOptional(source))) {
    if (!isOptional(source)) throw startedError();
    return;
  }
  try {
    const given = typeof source === 'function' ? source() : source;
    const module = given === undefined || given === null ? loadModule() : compileSync(given);
    instance = new Instance(module);
    compiled = module;
  } catch (cause) {
    throw cause instanceof ReadPrefError ? cause : failure(cause, undefined);
  }
}

/** Whether a source may be left unused. @param {unknown} source */
function isOptional(source) {
  return source === undefined || source === null || typeof source === 'function';
}

function startedError() {
  return new ReadPrefError('argument', 'readpref is started already: a source is given once, before all else', { path: 'source' });
}

/**
 * The running instance.
 *
 * @returns {Instance}
 * @throws {ReadPrefError} `internal`: the module is missing, or does not start; `argument`: init() has yet to be called
 */
export function running() {
  if (instance !== undefined) return instance;
  try {
    compiled ??= loadModule();
    return (instance = new Instance(compiled));
  } catch (cause) {
    throw cause instanceof ReadPrefError ? cause : failure(cause, undefined);
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
