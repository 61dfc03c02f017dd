import { Topology } from 'readpref';

const SET_NAME = 'regions';

/** How long an endpoint may take to say how it is, and to answer a request, in milliseconds. */
const CHECK_TIMEOUT_MS = 5000;
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * The endpoints as a replica set that readpref discovers: their health checks are its `hello` replies, and what requests
 * meet its errors. Nothing that does I/O is kept: another request may not use it.
 */
export class Replicas {
  /** By address. @type {Map<string, URL>} */
  #urls;
  #heartbeatFrequencyMS;
  /** When it is to be checked again, by address. @type {Map<string, number>} */
  #dueAt = new Map();

  /** @param {{REPLICAS: string, LOCAL_THRESHOLD_MS?: string, HEARTBEAT_FREQUENCY_MS?: string}} env */
  constructor(env) {
    this.#urls = new Map(JSON.parse(env.REPLICAS).map((text) => [addressOf(new URL(text)), new URL(text)]));
    this.#heartbeatFrequencyMS = Number(env.HEARTBEAT_FREQUENCY_MS ?? 10_000);
    this.topology = new Topology(
      { seeds: [...this.#urls.keys()], replicaSet: SET_NAME },
      { localThresholdMS: Number(env.LOCAL_THRESHOLD_MS ?? 15), heartbeatFrequencyMS: this.#heartbeatFrequencyMS },
    );
    // One that failed is to be checked before its time.
    this.topology.addEventListener('effect', ({ detail: { effect, address } }) => {
      if (effect === 'requestCheck') this.#dueAt.set(address, 0);
    });
  }

  /**
   * Checks the endpoints whose time has come: beside the request that comes by, or before it, where nothing is known.
   *
   * @param {(promise: Promise<unknown>) => void} waitUntil
   */
  async checkWhereDue(waitUntil) {
    const now = Date.now();
    const isFirst = this.topology.servers.every(({ type, lastUpdateTimeMS = 0 }) => type === 'Unknown' && lastUpdateTimeMS === 0);
    // A request that comes while the first checks are under way makes its own: it may not wait for another's.
    const due = [...this.#urls.keys()].filter((address) => isFirst || (this.#dueAt.get(address) ?? 0) <= now);
    for (const address of due) this.#dueAt.set(address, now + this.#heartbeatFrequencyMS);
    const checks = Promise.all(due.map((address) => this.#check(address)));
    if (isFirst) await checks;
    else waitUntil(checks);
  }

  /** @param {string} address */
  async #check(address) {
    const start = performance.now();
    try {
      const response = await fetch(new URL('/health', this.#urls.get(address)), { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
      const roundTripTimeMS = performance.now() - start;
      if (!response.ok) throw new Error(`/health has the status ${response.status}`);
      this.topology.onHello(address, helloOf(await response.json(), address, [...this.#urls.keys()]), { roundTripTimeMS });
    } catch (error) {
      this.topology.onHello(address, null, { error: error.message });
    }
  }

  /**
   * Passes a request on.
   *
   * @param {string} address
   * @param {Request} request
   */
  send(address, request) {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(new URL(pathname + search, this.#urls.get(address)), request), { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  }

  /**
   * A request failed.
   *
   * @param {string} address
   * @param {Error} error
   */
  failed(address, error) {
    const kind = error.name === 'TimeoutError' ? 'networkTimeout' : 'network';
    this.topology.onError(address, { kind, error: error.message });
  }
}

/** @param {URL} url */
function addressOf({ protocol, hostname, port }) {
  return `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
}

/**
 * A health check as a reply to `hello`: `{"role": "primary", "region": "eu", "term": 7, "lastWriteDate": 1793000000000}`.
 *
 * @param {{role?: unknown, region?: unknown, term?: unknown, lastWriteDate?: unknown}} health
 * @param {string} address
 * @param {string[]} hosts
 */
function helloOf({ role, region, term, lastWriteDate }, address, hosts) {
  const isPrimary = role === 'primary';
  return {
    ok: 1,
    setName: SET_NAME,
    me: address,
    hosts,
    isWritablePrimary: isPrimary,
    secondary: role === 'secondary',
    tags: { region },
    maxWireVersion: 25,
    // Of two that call themselves primary the one of the higher term is.
    ...(isPrimary ? { setVersion: 1, electionId: { $oid: Number(term ?? 1).toString(16).padStart(24, '0') } } : {}),
    ...(lastWriteDate === undefined ? {} : { lastWrite: { lastWriteDate: { $date: new Date(lastWriteDate).toISOString() } } }),
  };
}
