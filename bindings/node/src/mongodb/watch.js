import { ReadPrefError } from '#api';
import { Knowledge } from './knowledge.js';
import { isClient, wrongType } from './kinds.js';

/** @type {WeakMap<object, Watch>} */
const watches = new WeakMap();

/** One client that is listened to. */
class Watch {
  #client;
  #knowledge;
  /** @type {[event: string, listener: (event: any) => void][]} */
  #listeners;

  /** @param {import('mongodb').MongoClient} client */
  constructor(client) {
    this.#client = client;
    const knowledge = new Knowledge(client);
    this.#knowledge = knowledge;
    this.#listeners = [
      ['topologyOpening', (event) => knowledge.opening(event)],
      ['topologyDescriptionChanged', (event) => knowledge.changed(event)],
      ['serverHeartbeatSucceeded', (event) => knowledge.heartbeat(event)],
      ['topologyClosed', (event) => knowledge.closed(event)],
    ];
    for (const [event, listener] of this.#listeners) client.on(/** @type {any} */ (event), listener);
    watches.set(client, this);
  }

  /** @param {Watch} it */
  static knowledgeOf(it) {
    return it.#knowledge;
  }

  close() {
    for (const [event, listener] of this.#listeners) this.#client.off(/** @type {any} */ (event), listener);
    if (watches.get(this.#client) === this) watches.delete(this.#client);
  }
}

if (typeof Symbol.dispose === 'symbol') Object.defineProperty(Watch.prototype, Symbol.dispose, { value: Watch.prototype.close, configurable: true, writable: true });

/**
 * Listens to a client from now on: before it connects, or what it knows already is not known here.
 *
 * @param {import('mongodb').MongoClient} client
 * @returns {import('../mongodb.js').Watch} the same one for the same client, until it is closed
 * @throws {ReadPrefError} `wrongType` for what is no client
 */
export function watch(client) {
  if (!isClient(client)) throw wrongType('a MongoClient', client, 'client');
  return /** @type {any} */ (watches.get(client) ?? new Watch(client));
}

/**
 * What is known of a client's deployment.
 *
 * @param {import('mongodb').MongoClient} client
 * @returns {Knowledge}
 */
export function knowledgeOf(client) {
  if (!isClient(client)) throw wrongType('a MongoClient', client, 'client');
  const found = watches.get(client);
  if (found === undefined) throw new ReadPrefError('argument', 'the client is not watched: call watch(client) before it connects', { path: 'client' });
  const knowledge = Watch.knowledgeOf(found);
  if (knowledge.isClosed) throw new ReadPrefError('handle', 'the client is closed', { path: 'client' });
  return knowledge;
}
