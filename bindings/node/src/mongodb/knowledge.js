import { convert, deepFreeze } from './description.js';
import { RoundTripTimes } from './round-trip-times.js';

/**
 * What a client's events said of its deployment. The driver has no public door to the description that it selects from:
 * an event gives it whole where something in it changed, and heartbeats what changes without an event, which is the
 * round-trip times and the last writes.
 */
export class Knowledge {
  #client;
  /** The driver's. @type {import('mongodb').TopologyDescription | undefined} */
  #latest;
  /** What became of it, once it was asked for. @type {import('../index.js').TopologyDescription | undefined} */
  #description;
  /** @type {number | undefined} */
  #topologyId;
  /** Since the description came, by address. @type {Map<string, import('./description.js').News>} */
  #news = new Map();
  /** By address. @type {Map<string, RoundTripTimes>} */
  #roundTripTimes = new Map();
  #isClosed = false;
  /** What the driver's clock is ahead of this one. Of mongodb 6 it is another: both are monotonic. */
  #aheadMS = -Infinity;

  /** @param {import('mongodb').MongoClient} client */
  constructor(client) {
    this.#client = client;
  }

  /** Whether the client was closed, and not opened again. */
  get isClosed() {
    return this.#isClosed;
  }

  /** The driver's own description; undefined before the client has connected. */
  get latest() {
    return this.#latest;
  }

  /** Frozen, and the same one until there is something new. */
  get description() {
    this.#description ??= this.#latest === undefined ? unheard(this.#client.options) : convert(this.#latest, this.#news);
    return this.#description;
  }

  /** @param {import('mongodb').TopologyOpeningEvent} event */
  opening({ topologyId }) {
    this.#topologyId = topologyId;
    this.#isClosed = false;
    this.#latest = this.#description = undefined;
    this.#news.clear();
    this.#roundTripTimes.clear();
  }

  /** @param {import('mongodb').TopologyClosedEvent} event */
  closed({ topologyId }) {
    // A client that failed to connect closes its topology, and may have the next one already.
    if (this.#topologyId === undefined || this.#topologyId === topologyId) this.#isClosed = true;
  }

  /** @param {import('mongodb').TopologyDescriptionChangedEvent} event */
  changed({ topologyId, newDescription }) {
    this.#topologyId = topologyId;
    this.#latest = newDescription;
    this.#description = undefined;
    this.#news.clear();
    // The newest server description was made just now, as a rule, and never later.
    for (const { lastUpdateTime } of newDescription.servers.values()) this.#aheadMS = Math.max(this.#aheadMS, lastUpdateTime - nowMS());
    for (const address of this.#roundTripTimes.keys()) if (!newDescription.servers.has(address)) this.#roundTripTimes.delete(address);
    for (const { address, roundTripTime, minRoundTripTime } of newDescription.servers.values()) {
      if (roundTripTime >= 0) this.#timesOf(address).align(roundTripTime, minRoundTripTime);
      else this.#roundTripTimes.get(address)?.failed();
    }
  }

  /** @param {import('mongodb').ServerHeartbeatSucceededEvent} event */
  heartbeat({ connectionId: address, duration, reply }) {
    const times = this.#timesOf(address);
    times.add(duration);
    const server = this.#latest?.servers.get(address);
    // Of a server that is not known yet, or is another now, an event comes with all of it.
    if (server === undefined || isOlder(reply?.topologyVersion, server.topologyVersion)) return;
    this.#description = undefined;
    this.#news.set(address, {
      roundTripTime: times.average(),
      minRoundTripTime: times.minimum(),
      lastUpdateTime: nowMS() + this.#aheadMS,
      lastWriteDate: reply?.lastWrite?.lastWriteDate,
    });
  }

  /** @param {string} address */
  #timesOf(address) {
    let times = this.#roundTripTimes.get(address);
    if (times === undefined) this.#roundTripTimes.set(address, (times = new RoundTripTimes()));
    return times;
  }
}

/** By the process's monotonic clock. */
function nowMS() {
  return Math.floor(performance.now());
}

/**
 * A reply that the driver passes over.
 *
 * @param {any} version
 * @param {any} known
 */
function isOlder(version, known) {
  if (!version || !known || String(version.processId) !== String(known.processId)) return false;
  try {
    return BigInt(String(version.counter)) < BigInt(String(known.counter));
  } catch {
    // A server may say anything, and what is thrown here would reach the driver.
    return false;
  }
}

/**
 * The deployment of a client that has said nothing yet: its connection string.
 *
 * @param {import('mongodb').MongoClient['options']} options
 * @returns {import('../index.js').TopologyDescription}
 */
function unheard({ hosts, replicaSet, directConnection, loadBalanced }) {
  const error = 'no event of this client was heard: it has not connected, or did so before watch(client)';
  const servers = [...new Set((hosts ?? []).map(String))].map((address) => ({ address, type: /** @type {const} */ ('Unknown'), error }));
  const type = directConnection ? 'Single' : replicaSet ? 'ReplicaSetNoPrimary' : loadBalanced ? 'LoadBalanced' : 'Unknown';
  return deepFreeze({ type, ...(replicaSet ? { setName: replicaSet } : {}), servers });
}
