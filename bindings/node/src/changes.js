import { deepFreeze } from './freeze.js';

/** How many events wait for one reader at most; effects are not counted, and never dropped. */
const MAX_WAITING = 10_000;

/**
 * @typedef {import('./index.js').Change} Change
 * @typedef {import('./index.js').PendingEvents} PendingEvents
 */

/**
 * What a topology tells: takes it from the engine's queue when somebody listens, and
 * gives it to the listeners of events and to the readers of iterators, in order.
 */
export class Changes {
  #pull;
  #acknowledge;
  #dispatch;
  #begins;
  #ends;
  #isWanted = false;
  #isFlowing = false;
  #isDelivering = false;
  #hasEnded = false;
  /** @type {Set<Reader>} */
  #readers = new Set();

  /**
   * @param {object} topology
   * @param {() => PendingEvents} topology.pull
   * @param {(upto: number) => void} topology.acknowledge
   * @param {(change: Change) => void} topology.dispatch to listeners of events
   * @param {() => void} topology.begins the first reader begins
   * @param {() => void} topology.ends the last has ended
   */
  constructor({ pull, acknowledge, dispatch, begins, ends }) {
    this.#begins = begins;
    this.#ends = ends;
    this.#pull = pull;
    this.#acknowledge = acknowledge;
    this.#dispatch = dispatch;
  }

  /** Whether somebody ever listened. */
  get isWanted() {
    return this.#isWanted;
  }

  /** Whether somebody listens, and was given what waited. */
  get isFlowing() {
    return this.#isFlowing && !this.#hasEnded;
  }

  /** From now on somebody listens: what waits comes after the present step, when all who begin in it do. */
  want() {
    if (this.#isWanted) return;
    this.#isWanted = true;
    queueMicrotask(() => {
      this.#isFlowing = true;
      try {
        this.deliver();
      } catch (error) {
        this.end(error); // the topology was lost meanwhile
      }
    });
  }

  /** Delivers what waits. A listener may cause more, which comes behind it. */
  deliver() {
    if (!this.#isFlowing || this.#isDelivering || this.#hasEnded) return;
    this.#isDelivering = true;
    try {
      for (;;) {
        const { events, last, dropped } = this.#pull();
        if (events.length === 0 && dropped === 0) return;
        this.#acknowledge(last);
        if (dropped > 0) this.tell({ event: 'eventsDropped', dropped });
        for (const change of events) this.tell(change);
      }
    } finally {
      this.#isDelivering = false;
    }
  }

  /** @param {Change} change */
  tell(change) {
    deepFreeze(change);
    this.#dispatch(change);
    for (const reader of this.#readers) reader.push(change);
  }

  /**
   * Nothing comes any more.
   *
   * @param {unknown} [error] what readers are told after what they have not read yet
   */
  end(error) {
    this.#hasEnded = true;
    for (const reader of this.#readers) reader.end(error);
  }

  /**
   * @returns {AsyncIterableIterator<Change>} all that comes from now on, or waits
   */
  read() {
    const reader = new Reader(() => {
      if (this.#readers.delete(reader) && this.#readers.size === 0) this.#ends();
    });
    if (this.#hasEnded) {
      reader.end();
      return reader;
    }
    this.#readers.add(reader);
    if (this.#readers.size === 1) this.#begins();
    this.want();
    return reader;
  }
}

/** @implements {AsyncIterableIterator<Change>} */
class Reader {
  /** @type {Change[]} */
  #waiting = [];
  #events = 0;
  #dropped = 0;
  /** @type {{resolve: (result: IteratorResult<Change>) => void, reject: (error: unknown) => void}[]} */
  #asked = [];
  /** @type {{error: unknown} | undefined} */
  #ended;
  #leave;

  /** @param {() => void} leave */
  constructor(leave) {
    this.#leave = leave;
  }

  /** @param {Change} change */
  push(change) {
    const asked = this.#asked.shift();
    if (asked !== undefined) return asked.resolve({ value: change, done: false });
    this.#waiting.push(change);
    if ('event' in change && ++this.#events > MAX_WAITING) this.#drop();
  }

  /** @param {unknown} [error] */
  end(error) {
    if (this.#ended !== undefined) return;
    // An error is told once.
    const [first, ...others] = this.#asked.splice(0);
    this.#ended = { error: first === undefined ? error : undefined };
    if (first === undefined) return;
    this.#leave();
    if (error === undefined) first.resolve({ value: undefined, done: true });
    else first.reject(error);
    for (const asked of others) asked.resolve({ value: undefined, done: true });
  }

  /** @returns {Promise<IteratorResult<Change>>} */
  async next() {
    if (this.#dropped > 0) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      return { value: Object.freeze({ event: 'eventsDropped', dropped }), done: false };
    }
    const value = this.#waiting.shift();
    if (value !== undefined) {
      if ('event' in value) this.#events--;
      return { value, done: false };
    }
    if (this.#ended === undefined) return new Promise((resolve, reject) => this.#asked.push({ resolve, reject }));
    this.#leave();
    const { error } = this.#ended;
    this.#ended = { error: undefined };
    if (error !== undefined) throw error;
    return { value: undefined, done: true };
  }

  /** @returns {Promise<IteratorResult<Change>>} */
  async return() {
    this.#leave();
    this.#waiting.length = 0;
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** Forgets the oldest event. */
  #drop() {
    const oldest = this.#waiting.findIndex((change) => 'event' in change);
    this.#waiting.splice(oldest, 1);
    this.#events--;
    this.#dropped++;
  }
}
