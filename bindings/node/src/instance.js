import { createWasi } from './wasi.js';
import { decodeUTF8, encodeUTF8 } from './utf8.js';
import { MAX_DOCUMENT } from './limits.js';

/** The version of the ABI that this package speaks; a later minor one only adds to it. */
const ABI_MAJOR = 1;
const ABI_MINOR = 0;

/** What a buffer has room for from the beginning. */
const LEAST_ROOM = 64 * 1024;

/** Lengths are 32 bits wide in the module; what does not fit is over every limit anyway. */
const MAX_UINT32 = 0xffffffff;

/** Of a method's name, in UTF-16 units: more than any has, so that a longer one need not be encoded to be refused. */
const MAX_NAME = 1000;

/** How much of the module's last words is kept. */
const MAX_LINES = 20;

const IN = 0;
const OUT = 1;

/** @typedef {ReturnType<typeof createHost>} Host */

/** What a module asks of its host, and what it printed there. */
function createHost() {
  /** @type {string[]} */
  const lines = [];
  const wasi = createWasi((line) => {
    if (lines.length < MAX_LINES) lines.push(line);
  });
  return { lines, ...wasi };
}

/**
 * One running module with its memory. It is single-threaded, as JavaScript is,
 * and of no more use once anything was thrown out of it.
 */
export class Instance {
  /** @readonly @type {string[]} what the module printed: Go's panic message, at its end */
  lines;

  /** Whether something was thrown out of it, and every handle in it is lost. */
  isLost = false;

  /** What it was given up for. @type {Error | undefined} */
  lossCause;

  /** Whom to tell when it is lost. @type {Set<() => void>} */
  holders = new Set();

  /** The open preferences, by their documents. @type {Map<string, import('./preference-handle.js').OpenPreference>} */
  preferences = new Map();

  /** @type {{address: number, size: number}[]} the buffers as last asked for */
  #buffers = [
    { address: 0, size: 0 },
    { address: 0, size: 0 },
  ];

  #memory;
  #view = new Uint8Array();

  /** @type {(topology: number, preference: number, flags: number, input: number, inputLength: number) => number} */
  #selectEx;
  /** @type {(topology: number, preference: number, flags: number, ids: number, count: number) => number} */
  #selectBatch;
  /** @type {(topology: number, id: number, out: number, capacity: number) => number} */
  #address;

  /**
   * Instantiates off the main thread, which some browsers insist upon.
   *
   * @param {WebAssembly.Module} module
   * @returns {Promise<Instance>}
   */
  static async make(module) {
    const host = createHost();
    return new Instance(module, host, await WebAssembly.instantiate(module, host.imports));
  }

  /** @param {[module: WebAssembly.Module, host?: Host, made?: WebAssembly.Instance]} given */
  constructor(...[module, host = createHost(), made = new WebAssembly.Instance(module, host.imports)]) {
    this.lines = host.lines;
    const exports = /** @type {any} */ (made.exports);
    /** @type {WebAssembly.Memory} */
    this.#memory = exports.memory;
    host.attach(this.#memory);
    exports._initialize();

    /** rp_abi_version: major << 16 | minor. @readonly @type {() => number} */
    this.abiVersion = exports.rp_abi_version;
    /**
     * rp_call as it is: the length of the answer, or minus that of the error document.
     * @readonly
     * @type {(method: number, methodLength: number, input: number, inputLength: number, out: number, capacity: number) => number}
     */
    this.rawCall = exports.rp_call;
    /** rp_buffer as it is: an address, or 0 where it refuses. @readonly @type {(which: number, capacity: number) => number} */
    this.rawBuffer = (which, capacity) => exports.rp_buffer(which, capacity) >>> 0;
    /** rp_select as it is: an id, or a negative status. @readonly @type {(topology: number, preference: number, flags: number) => number} */
    this.rawSelect = exports.rp_select;
    /** rp_release as it is: 0, or a negative status. @readonly @type {(topology: number, id: number) => number} */
    this.rawRelease = exports.rp_release;
    /** rp_generation, which is 0 for no open handle. @readonly @type {(topology: number) => number} */
    this.generation = (topology) => exports.rp_generation(topology) >>> 0;
    /** rp_close as it is: 0, or a negative status. @readonly @type {(handle: number) => number} */
    this.rawClose = exports.rp_close;

    this.#selectEx = exports.rp_select_ex;
    this.#selectBatch = exports.rp_select_batch;
    this.#address = exports.rp_address;

    const version = this.abiVersion() >>> 0;
    if (version >>> 16 !== ABI_MAJOR || (version & 0xffff) < ABI_MINOR) {
      throw new Error(`readpref.wasm has ABI ${version >>> 16}.${version & 0xffff}, this package speaks ${ABI_MAJOR}.${ABI_MINOR}`);
    }
  }

  /**
   * Tells all holders that their handles are lost. They hear of it later, and not
   * in the middle of what they were doing, or with a full stack.
   *
   * @param {Error} cause
   */
  lose(cause) {
    this.lossCause = cause;
    for (const tell of this.holders) queueMicrotask(tell);
    this.holders.clear();
  }

  /**
   * The module's memory. It may grow, and then moves, in every call: a view is
   * good until the next one.
   */
  memory() {
    if (this.#view.buffer !== this.#memory.buffer) this.#view = new Uint8Array(this.#memory.buffer);
    return this.#view;
  }

  /**
   * Runs a method on a document.
   *
   * @param {string} method
   * @param {Uint8Array | string} input
   * @returns {{isError: boolean, bytes: Uint8Array}} bytes belong to the caller
   */
  call(method, input) {
    const name = encodeUTF8(method.slice(0, MAX_NAME));
    // A string has at least as many bytes as UTF-16 units, so one that is too
    // long need not be encoded to be refused.
    const bytes = typeof input === 'string' && input.length <= MAX_DOCUMENT ? encodeUTF8(input) : input;
    const length = Math.min(bytes.length, MAX_UINT32);

    let at = this.#room(IN, name.length + length);
    let bytesAt = at + name.length;
    if (at === 0 || typeof bytes === 'string') {
      // More than a method and a document may have. The engine has the words for
      // that: it sees the true lengths, and refuses without reading.
      at = bytesAt = this.#room(IN, 0);
      this.memory().set(name, at);
    } else {
      this.memory().set(name, at);
      this.memory().set(bytes, bytesAt);
    }

    for (let room = 0; ; ) {
      const out = this.#room(OUT, room);
      if (out === 0) throw new Error(`readpref.wasm refused a buffer for an answer of ${room} bytes`);
      const n = this.rawCall(at, name.length, bytesAt, length, out, this.#buffers[OUT].size);
      const answerLength = Math.abs(n);
      if (answerLength <= this.#buffers[OUT].size) {
        return { isError: n < 0, bytes: this.memory().slice(out, out + answerLength) };
      }
      room = answerLength;
    }
  }

  /**
   * rp_select_ex: rp_select with a document of deprioritized servers and a custom selector.
   *
   * @param {number} topology
   * @param {number} preference
   * @param {number} flags
   * @param {string} document
   * @returns {number} an id, or a negative status
   */
  selectEx(topology, preference, flags, document) {
    const bytes = document.length <= MAX_DOCUMENT ? encodeUTF8(document) : document;
    let at = this.#room(IN, bytes.length);
    // As in call: one that is too long is refused by its length, unread.
    if (at === 0 || typeof bytes === 'string') at = this.#room(IN, 0);
    else this.memory().set(bytes, at);
    return this.#selectEx(topology, preference, flags, at, bytes.length);
  }

  /**
   * rp_select_batch: as many ids as asked for, or a negative status.
   *
   * @param {number} topology
   * @param {number} preference
   * @param {number} flags
   * @param {number} count
   * @returns {Int32Array | number}
   */
  selectBatch(topology, preference, flags, count) {
    const out = this.#room(OUT, count * Int32Array.BYTES_PER_ELEMENT);
    if (out === 0) throw new Error(`readpref.wasm refused a buffer for ${count} ids`);
    const n = this.#selectBatch(topology, preference, flags, out, count);
    return n < 0 ? n : new Int32Array(this.#memory.buffer, out, n).slice();
  }

  /**
   * rp_address: the address of a server, or a negative status.
   *
   * @param {number} topology
   * @param {number} id
   * @returns {string | number}
   */
  address(topology, id) {
    for (let room = 0; ; ) {
      const out = this.#room(OUT, room);
      if (out === 0) throw new Error(`readpref.wasm refused a buffer for an address of ${room} bytes`);
      const n = this.#address(topology, id, out, this.#buffers[OUT].size);
      if (n < 0) return n;
      if (n <= this.#buffers[OUT].size) return decodeUTF8(this.memory().subarray(out, out + n));
      room = n;
    }
  }

  /**
   * The address of a buffer with room for so many bytes, or 0 where the module
   * refuses. The module is asked only where the buffer has to grow.
   *
   * @param {number} which
   * @param {number} bytes
   */
  #room(which, bytes) {
    const buffer = this.#buffers[which];
    const size = Math.max(bytes, LEAST_ROOM);
    if (size > buffer.size) {
      const address = size > MAX_UINT32 ? 0 : this.rawBuffer(which, size);
      if (address === 0) return 0;
      buffer.address = address;
      buffer.size = size;
    }
    return buffer.address;
  }
}
