import { inspectCustom } from './inspect.js';
import { Selection } from './selection.js';

/** A selection with what became of every member, and why. Immutable. */
export class Explanation extends Selection {
  /** @param {import('./index.js').ExplanationDocument} document */
  constructor(document) {
    super(document);
    /** @readonly @type {readonly import('./index.js').Pass[]} */
    this.passes = document.passes;
    /** @readonly @type {import('./index.js').Staleness | undefined} */
    this.staleness = document.staleness;
    /** @readonly @type {import('./index.js').LatencyWindow | undefined} */
    this.latencyWindow = document.latencyWindow;
    /** @readonly @type {readonly import('./index.js').ServerVerdict[]} */
    this.servers = document.servers;
    /** @readonly @type {readonly import('./index.js').Note[]} */
    this.notes = document.notes;
    /** @readonly @type {string} */
    this.text = document.text;
    Object.freeze(this);
  }

  /**
   * @override
   * @returns {import('./index.js').ExplanationDocument}
   */
  toJSON() {
    return /** @type {import('./index.js').ExplanationDocument} */ (super.toJSON());
  }

  /** @override */
  toString() {
    return this.text;
  }

  /** @override */
  [inspectCustom]() {
    return this.text.trimEnd();
  }
}
