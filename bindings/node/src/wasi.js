// The part of WASI preview 1 that Go's runtime asks of a host. readpref itself
// needs none of it: it opens no file, reads no clock and connects nowhere.

// https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md#-errno-variant
const ESUCCESS = 0;
const EBADF = 8;
const EFAULT = 21;
const EINVAL = 28;

const CLOCK_REALTIME = 0;
const CLOCK_MONOTONIC = 1;

const EVENT_CLOCK = 0;
const SUBSCRIPTION_SIZE = 48;
const EVENT_SIZE = 32;

const IOVEC_SIZE = 8;

/** What the Web Crypto API gives at most in one call. */
const RANDOM_CHUNK = 65536;

/** Thrown out of the instance when the module ends itself. */
export class ModuleExit extends Error {
  /** @param {number} code */
  constructor(code) {
    super(`the module exited with code ${code}`);
    this.name = 'ModuleExit';
  }
}

/**
 * Makes the import object of one instance.
 *
 * @param {(line: string) => void} onLine called with every line that the module
 *   prints, which it does only when it is about to end: Go's panic message
 * @returns {{imports: WebAssembly.Imports, attach(memory: WebAssembly.Memory): void}}
 *   attach gives it the instance's memory; nothing may be called before
 */
export function createWasi(onLine) {
  /** @type {WebAssembly.Memory} */
  let memory;
  // Memory moves when it grows, so views live no longer than one call.
  const view = () => new DataView(memory.buffer);
  /** @type {(p: number, n: number) => Uint8Array<ArrayBuffer>} */
  const bytes = (p, n) => new Uint8Array(/** @type {ArrayBuffer} */ (memory.buffer), p, n);
  const standardOutputs = new Map([1, 2].map((fd) => [fd, lineSplitter(onLine)]));

  /** @type {Record<string, (...args: any[]) => number>} */
  const functions = {
    args_sizes_get: (count, size) => writeSizes(view(), count >>> 0, size >>> 0),
    args_get: () => ESUCCESS,
    environ_sizes_get: (count, size) => writeSizes(view(), count >>> 0, size >>> 0),
    environ_get: () => ESUCCESS,

    clock_time_get(clock, _precision, out) {
      let nanoseconds;
      if (clock === CLOCK_REALTIME) {
        nanoseconds = BigInt(Date.now()) * 1_000_000n;
      } else if (clock === CLOCK_MONOTONIC) {
        // Go takes a monotonic clock at zero for a broken one.
        nanoseconds = BigInt(Math.floor(performance.now() * 1000) + 1) * 1000n;
      } else {
        return EINVAL;
      }
      view().setBigUint64(out >>> 0, nanoseconds, true);
      return ESUCCESS;
    },

    random_get(p, n) {
      const end = (p >>> 0) + (n >>> 0);
      bytes(p >>> 0, n >>> 0); // all of it, or nothing is written
      for (let at = p >>> 0; at < end; at += RANDOM_CHUNK) {
        fillRandom(bytes(at, Math.min(RANDOM_CHUNK, end - at)));
      }
      return ESUCCESS;
    },

    sched_yield: () => ESUCCESS,

    // Go sleeps between looks at a lock. There is no other thread to wait for, so
    // every sleep has elapsed at once; and there is no file to become ready.
    poll_oneoff(subscriptions, events, count, written) {
      if (count === 0) return EINVAL;
      const v = view();
      for (let i = 0; i < count; i++) {
        const subscription = (subscriptions >>> 0) + i * SUBSCRIPTION_SIZE;
        const event = (events >>> 0) + i * EVENT_SIZE;
        const type = v.getUint8(subscription + 8);
        bytes(event, EVENT_SIZE).fill(0);
        v.setBigUint64(event, v.getBigUint64(subscription, true), true);
        v.setUint16(event + 8, type === EVENT_CLOCK ? ESUCCESS : EBADF, true);
        v.setUint8(event + 10, type);
      }
      v.setUint32(written >>> 0, count, true);
      return ESUCCESS;
    },

    fd_write(fd, iovecs, count, written) {
      const write = standardOutputs.get(fd);
      if (write === undefined) return EBADF;
      const v = view();
      let total = 0;
      for (let i = 0; i < count; i++) {
        const iovec = (iovecs >>> 0) + i * IOVEC_SIZE;
        const part = bytes(v.getUint32(iovec, true), v.getUint32(iovec + 4, true));
        write(part);
        total += part.length;
      }
      v.setUint32(written >>> 0, total, true);
      return ESUCCESS;
    },

    proc_exit(code) {
      throw new ModuleExit(code);
    },
  };

  /** @type {Record<string, (...args: any[]) => number>} */
  const guarded = {};
  for (const [name, f] of Object.entries(functions)) {
    guarded[name] = (...args) => {
      try {
        return f(...args);
      } catch (error) {
        // A view beyond the end of memory.
        if (error instanceof RangeError) return EFAULT;
        throw error;
      }
    };
  }
  return {
    imports: { wasi_snapshot_preview1: guarded },
    attach(m) {
      memory = m;
    },
  };
}

/**
 * Go seeds its hash tables when it starts, which may be in a worker's global scope, where
 * workerd has no randomness to give. No pick depends on it: they have seeds of their own.
 *
 * @param {Uint8Array<ArrayBuffer>} part
 */
function fillRandom(part) {
  try {
    crypto.getRandomValues(part);
  } catch {
    for (let i = 0; i < part.length; i++) part[i] = i * 37 + 11;
  }
}

/** @type {(v: DataView, count: number, size: number) => number} */
function writeSizes(v, count, size) {
  v.setUint32(count, 0, true);
  v.setUint32(size, 0, true);
  return ESUCCESS;
}

/**
 * Collects bytes to lines: Go prints a panic in small pieces, and a character
 * may be cut in two.
 *
 * @param {(line: string) => void} onLine
 * @returns {(part: Uint8Array) => void}
 */
function lineSplitter(onLine) {
  const decoder = new TextDecoder();
  let rest = '';
  return (part) => {
    const pieces = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = /** @type {string} */ (pieces.pop());
    pieces.forEach(onLine);
  };
}
