import { dispose } from './dispose.js';
import { inspectCustom, shown } from './inspect.js';

/**
 * A server with an operation under way on it, which its topology counts until it is
 * released: by release(), or at the end of the block of a `using` declaration.
 */
export class Checkout {
  #server;
  /** @type {import('./topology-handle.js').TopologyHandle | undefined} until it is released */
  #handle;

  /**
   * @param {import('./index.js').Server} server
   * @param {import('./topology-handle.js').TopologyHandle} handle
   */
  constructor(server, handle) {
    this.#server = server;
    this.#handle = handle;
  }

  /** The server, as selectSync gives it. */
  get server() {
    return this.#server;
  }

  get id() {
    return this.#server.id;
  }

  get address() {
    return this.#server.address;
  }

  get isReleased() {
    return this.#handle === undefined;
  }

  /**
   * The operation has ended, in whatever way. It does nothing a second time, or where
   * the topology is closed or lost.
   */
  release() {
    const handle = this.#handle;
    this.#handle = undefined;
    handle?.release(this.#server.id);
  }

  [dispose]() {
    this.release();
  }

  toJSON() {
    return this.#server;
  }

  [inspectCustom]() {
    return shown(this, { ...this.#server, isReleased: this.isReleased });
  }
}
