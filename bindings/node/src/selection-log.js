// The log messages of the Server Selection specification, "Logging".
import { ReadPrefError } from './errors.js';
import { decoupled } from './topology-event.js';

/**
 * What a message is about, besides the topology.
 *
 * @typedef {{selector: string, operation: string, operationId?: number | bigint | string}} Subject
 */

export class SelectionLog {
  #logger;
  #dispatch;
  #describe;
  #isWanted = false;

  /**
   * @param {unknown} logger the option: a function, or an object such as console
   * @param {object} topology
   * @param {(entry: import('./index.js').LogEntry) => void} topology.dispatch to listeners of events
   * @param {() => import('./index.js').TopologyDescription} topology.describe
   */
  constructor(logger, { dispatch, describe }) {
    this.#logger = checkedLogger(logger);
    this.#dispatch = dispatch;
    this.#describe = describe;
  }

  /** From now on somebody listens. */
  want() {
    this.#isWanted = true;
  }

  /** Whether messages are to be made at all. */
  get isOn() {
    return this.#isWanted || this.#logger !== undefined;
  }

  /** @param {Subject} subject */
  started(subject) {
    this.#write('debug', 'Server selection started', subject, {});
  }

  /**
   * @param {Subject} subject
   * @param {number} remainingTimeMS
   */
  waiting(subject, remainingTimeMS) {
    this.#write('info', 'Waiting for suitable server to become available', subject, { remainingTimeMS });
  }

  /**
   * @param {Subject} subject
   * @param {string} address
   */
  succeeded(subject, address) {
    this.#write('debug', 'Server selection succeeded', subject, hostAndPort(address));
  }

  /**
   * @param {Subject} subject
   * @param {unknown} error
   */
  failed(subject, error) {
    // The topology is beside it: of a timeout the explanation would repeat it.
    const [failure] = messageOf(error).split('\n\n');
    this.#write('debug', 'Server selection failed', subject, { failure });
  }

  /**
   * @param {'debug' | 'info'} level
   * @param {string} message
   * @param {Subject} subject
   * @param {Partial<import('./index.js').LogEntry>} more
   */
  #write(level, message, subject, more) {
    if (!this.isOn) return;
    const topologyDescription = this.#describe();
    const entry = Object.freeze({ component: 'serverSelection', level, message, ...subject, topologyDescription, ...more });
    if (this.#isWanted) this.#dispatch(entry);
    decoupled(() => this.#logger?.[level](message, entry));
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** @param {string} address in normal form */
function hostAndPort(address) {
  const [, serverHost, port] = /^(.*):(\d+)$/.exec(address) ?? [];
  return serverHost === undefined ? { serverHost: address } : { serverHost, serverPort: Number(port) };
}

/**
 * @param {any} logger
 * @returns {import('./index.js').Logger | undefined}
 */
function checkedLogger(logger) {
  if (logger === undefined || logger === null) return undefined;
  if (typeof logger === 'function') return { debug: (message, entry) => logger(message, entry), info: (message, entry) => logger(message, entry) };
  if (typeof logger === 'object' && typeof logger.debug === 'function' && typeof logger.info === 'function') return logger;
  throw new ReadPrefError('wrongType', 'expected a function, or an object with the methods debug and info, such as console', { path: 'logger' });
}
