// What init() and initSync() take: where readpref.wasm comes from.
import { ReadPrefError } from './errors.js';

const MAGIC = [0x00, 0x61, 0x73, 0x6d];

/** How much of something else is shown. */
const SHOWN = 40;

/**
 * Compiles a module, while it comes where the host can do that.
 *
 * @param {unknown} given a URL, a Response, bytes, a WebAssembly.Module, or a promise of one
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(given) {
  const source = await given;
  if (typeof source === 'string' || isA(source, 'URL')) {
    const response = await fetch(/** @type {string | URL} */ (source));
    return ofResponse(response);
  }
  if (isA(source, 'Response')) return ofResponse(/** @type {Response} */ (source));
  const ready = moduleOrBytes(source);
  return ready instanceof WebAssembly.Module ? ready : WebAssembly.compile(ready);
}

/**
 * Compiles a module at once.
 *
 * @param {unknown} source bytes or a WebAssembly.Module
 * @returns {WebAssembly.Module}
 */
export function compileSync(source) {
  const ready = moduleOrBytes(source);
  return ready instanceof WebAssembly.Module ? ready : new WebAssembly.Module(ready);
}

/**
 * @param {unknown} source
 * @returns {WebAssembly.Module | Uint8Array<ArrayBuffer>}
 * @throws {ReadPrefError} `argument` for what is neither
 */
function moduleOrBytes(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source)) return checked(new Uint8Array(/** @type {ArrayBuffer} */ (source.buffer), source.byteOffset, source.byteLength), 'what init was given');
  if (isA(source, 'ArrayBuffer')) return checked(new Uint8Array(/** @type {ArrayBuffer} */ (source)), 'what init was given');
  // A Module of another realm, which this one's compiler takes for what it is.
  if (isA(source, 'WebAssembly.Module')) return /** @type {WebAssembly.Module} */ (source);
  throw new ReadPrefError('argument', 'init takes a URL, a Response, bytes or a WebAssembly.Module, and initSync bytes or a WebAssembly.Module', { path: 'source' });
}

/** @param {Response} response */
async function ofResponse(response) {
  const where = response.url === '' ? 'the response' : response.url;
  if (!response.ok) throw new Error(`${where} is answered with the status ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  // compileStreaming takes this type alone.
  if (/^application\/wasm$/i.test(type) && typeof WebAssembly.compileStreaming === 'function') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(checked(new Uint8Array(await response.arrayBuffer()), type === '' ? where : `${where} (${type})`));
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} where
 */
function checked(bytes, where) {
  if (MAGIC.every((byte, i) => bytes[i] === byte)) return bytes;
  const begins = JSON.stringify(new TextDecoder().decode(bytes.subarray(0, SHOWN)));
  throw new Error(`${where} is no WebAssembly module: it begins with ${begins}`);
}

/** @type {(value: unknown, name: string) => boolean} */
function isA(value, name) {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}
