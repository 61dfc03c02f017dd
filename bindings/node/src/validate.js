import { ask } from './engine.js';
import { encode } from './encode.js';
import { deepFreeze } from './freeze.js';
import { preferenceFromNormalForm } from './read-preference.js';

/** What is wrong with a read preference, all of it. Immutable. */
export class Validation {
  #document;

  /** @param {import('./index.js').ValidationDocument} document */
  constructor(document) {
    this.#document = deepFreeze(document);
    /** @readonly */
    this.valid = document.valid;
    /** @readonly @type {readonly import('./index.js').Problem[]} */
    this.problems = document.problems;
    /** @readonly @type {readonly import('./index.js').Warning[]} */
    this.warnings = document.warnings;
    /** @readonly */
    this.readPreference =
      document.valid && document.readPreference !== null ? preferenceFromNormalForm(document.readPreference, document.warnings) : null;
    Object.freeze(this);
  }

  toJSON() {
    return this.#document;
  }
}

/**
 * Checks a read preference and finds all its problems, where the constructors of
 * ReadPreference throw the first.
 *
 * @param {import('./index.js').ValidateRequest} request a document, options of a
 *   connection string, or mongosh's arguments
 * @throws {import('./errors.js').ReadPrefError} where the request itself cannot be read
 */
export function validate(request) {
  return new Validation(ask('validate', encode(request)));
}
