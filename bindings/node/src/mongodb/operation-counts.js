import { isClient, wrongType } from './kinds.js';

/**
 * How many commands a client has in progress at each server. The client has to be made with `monitorCommands: true`.
 */
export class OperationCounts {
  /** @type {Map<string, number>} */
  #counts = new Map();
  /** @type {import('mongodb').MongoClient} */
  #client;
  #started = (/** @type {import('mongodb').CommandStartedEvent} */ { address }) => this.#add(address, 1);
  #ended = (/** @type {import('mongodb').CommandSucceededEvent | import('mongodb').CommandFailedEvent} */ { address }) => this.#add(address, -1);

  /** @param {import('mongodb').MongoClient} client */
  constructor(client) {
    if (!isClient(client)) throw wrongType('a MongoClient', client, 'client');
    this.#client = client;
    client.on('commandStarted', this.#started).on('commandSucceeded', this.#ended).on('commandFailed', this.#ended);
  }

  /** @param {string} address as the driver writes it: in lower case and with a port */
  get(address) {
    return this.#counts.get(address) ?? 0;
  }

  [Symbol.iterator]() {
    return new Map(this.#counts)[Symbol.iterator]();
  }

  close() {
    this.#client.off('commandStarted', this.#started).off('commandSucceeded', this.#ended).off('commandFailed', this.#ended);
  }

  /** @param {string} address @param {number} number */
  #add(address, number) {
    // Never below 0: a command may have started before anybody listened.
    const count = Math.max(this.get(address) + number, 0);
    if (count > 0) this.#counts.set(address, count);
    else this.#counts.delete(address);
  }
}

if (typeof Symbol.dispose === 'symbol') Object.defineProperty(OperationCounts.prototype, Symbol.dispose, { value: OperationCounts.prototype.close, configurable: true, writable: true });
