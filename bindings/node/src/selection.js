import { deepFreeze } from './freeze.js';
import { inspectCustom, shown } from './inspect.js';
import { preferenceFromNormalForm } from './read-preference.js';

/** The chosen member, and every step that led to it. Immutable. */
export class Selection {
  #document;

  /** @param {import('./index.js').SelectionDocument} document */
  constructor(document) {
    this.#document = deepFreeze(document);
    /** @readonly @type {import('./index.js').SelectedServer | null} */
    this.server = document.server;
    /** @readonly @type {readonly string[]} */
    this.candidates = document.candidates;
    /** @readonly @type {readonly string[]} */
    this.fresh = document.fresh;
    /** @readonly @type {readonly string[]} */
    this.suitable = document.suitable;
    /** @readonly @type {readonly string[]} */
    this.inLatencyWindow = document.inLatencyWindow;
    /** @readonly */
    this.effectiveReadPreference = document.effectiveReadPreference && preferenceFromNormalForm(document.effectiveReadPreference);
    /** @readonly @type {import('./index.js').Reason | undefined} */
    this.reason = document.reason;
    /** @readonly @type {readonly import('./index.js').Warning[]} */
    this.warnings = document.warnings ?? Object.freeze([]);
    if (new.target === Selection) Object.freeze(this);
  }

  toJSON() {
    return this.#document;
  }

  /** The answer document as JSON. */
  toString() {
    return JSON.stringify(this.#document);
  }

  /** @returns {object | string} */
  [inspectCustom]() {
    return shown(this, this.#document);
  }
}
