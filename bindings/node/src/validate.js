import { ask } from './engine.js';
import { encode } from './encode.js';
import { ReadPrefError } from './errors.js';
import { deepFreeze } from './freeze.js';
import { isRecord, reading } from './reading.js';
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

/** @type {(keyof import('./index.js').ValidateForms)[]} */
const forms = ['readPreference', 'uriOptions', 'mongosh'];

/**
 * Checks a read preference and finds all its problems, where the constructors of
 * ReadPreference throw the first.
 *
 * @param {import('./index.js').ValidateRequest} request a preference or its
 *   document; or under the name of its form a document, options of a connection
 *   string, or mongosh's arguments
 * @throws {ReadPrefError} where the request itself cannot be read
 */
export function validate(request) {
  if (!isRecord(request, 'readPreference')) {
    throw new ReadPrefError(
      'argument',
      'validate takes an object: a read preference such as {mode: "nearest"}, or one of {readPreference: {…}}, {uriOptions: "…"} and {mongosh: […]}',
    );
  }
  const named = reading('readPreference', () => forms.some((form) => form in request));
  return new Validation(ask('validate', encode(named ? request : { readPreference: request })));
}
