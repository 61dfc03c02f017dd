import { createWasi } from './wasi.js';
import { encodeUTF8 } from './utf8.js';
import { MAX_DOCUMENT } from './limits.js';

/** The major version of the ABI that this package speaks. */
const ABI_MAJOR = 1;

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

/**
 * One running module with its memory. It is single-threaded, as JavaScript is,
 * and of no more use once anything was thrown out of it.
 */
export class Instance {
  /** @type {string[]} what the module printed: Go's panic message, at its end */
  lines = [];

  /** @type {{address: number, size: number}[]} the buffers as last asked for */
  #buffers = [
    { address: 0, size: 0 },
    { address: 0, size: 0 },
  ];

  #memory;
  #view = new Uint8Array();

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const wasi = createWasi((line) => {
      if (this.lines.length < MAX_LINES) this.lines.push(line);
    });
    const exports = /** @type {any} */ (new WebAssembly.Instance(module, wasi.imports).exports);
    /** @type {WebAssembly.Memory} */
    this.#memory = exports.memory;
    wasi.attach(this.#memory);
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

    const version = this.abiVersion() >>> 0;
    if (version >>> 16 !== ABI_MAJOR) {
      throw new Error(`readpref.wasm has ABI ${version >>> 16}.${version & 0xffff}, this package speaks ${ABI_MAJOR}`);
    }
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
