import { Selection } from './selection.js';

/** A selection with what became of every member, and why. Immutable. */
export class Explanation extends Selection {
  /** @param {import('./index.js').ExplanationDocument} document */
  constructor(document) {
    super(document);
    /** @readonly @type {readonly import('./index.js').Pass[]} */
    this.passes = document.passes;
    /** @readonly @type {readonly import('./index.js').ServerVerdict[]} */
    this.servers = document.servers;
    /** @readonly @type {readonly string[]} */
    this.notes = document.notes ?? Object.freeze([]);
    /** @readonly @type {string} */
    this.text = document.text;
    Object.freeze(this);
  }

  /** @override */
  toString() {
    return this.text;
  }
}
