import { ask } from './engine.js';
import { encode } from './encode.js';
import { ReadPrefError, errorFrom } from './errors.js';
import { deepFreeze } from './freeze.js';
import { inspectCustom, shown } from './inspect.js';
import { isRecord, membersOf } from './reading.js';

/**
 * The document of a ReadPreference; undefined for anything else.
 *
 * @type {(value: unknown) => import('./index.js').NormalReadPreference | undefined}
 */
export let normalFormOf;

/**
 * The place in which a ReadPreference remembers what it was opened as; undefined
 * for anything else.
 *
 * @type {(value: unknown) => import('./preference-handle.js').Slot | undefined}
 */
export let slotOf;

/** What `validate` answered for a legal preference: there is nothing left to check. */
class NormalForm {
  /** Whether a value is one, told without running code of its own. @param {unknown} value @returns {value is NormalForm} */
  static is(value) {
    return typeof value === 'object' && value !== null && #made in value;
  }

  #made = true;

  /**
   * @param {import('./index.js').NormalReadPreference} document
   * @param {readonly import('./index.js').Warning[]} [warnings]
   */
  constructor(document, warnings = []) {
    this.document = deepFreeze(document);
    this.warnings = deepFreeze(warnings);
  }
}

/** Which members of a deployment a read may go to. Immutable. */
export class ReadPreference {
  static {
    normalFormOf = (value) => (typeof value === 'object' && value !== null && #document in value ? value.#document : undefined);
    slotOf = (value) => (typeof value === 'object' && value !== null && #slot in value ? value.#slot : undefined);
  }

  #document;
  /** @type {import('./preference-handle.js').Slot} */
  #slot = { open: undefined };

  /**
   * @param {import('./index.js').ReadPreferenceMode} [mode] absent: `primary`
   * @param {import('./index.js').ReadPreferenceOptions | null} [options]
   * @throws {ReadPrefError} the first problem; `problems` has all
   */
  constructor(mode, options) {
    const given = /** @type {unknown} */ (mode);
    const { document, warnings } = NormalForm.is(given) ? given : check({ readPreference: documentOf(given, options) });
    this.#document = document;
    /** @readonly */
    this.mode = document.mode;
    /** @readonly @type {readonly import('./index.js').TagSet[]} */
    this.tags = document.tags ?? Object.freeze([]);
    /** @readonly */
    this.maxStalenessSeconds = document.maxStalenessSeconds;
    /** @readonly */
    this.hedge = document.hedge;
    /** @readonly @type {readonly import('./index.js').Warning[]} */
    this.warnings = warnings;
    Object.freeze(this);
  }

  /**
   * From the wire's `$readPreference` document.
   *
   * @param {import('./index.js').ReadPreferenceDocument} document
   */
  static fromDocument(document) {
    return preferenceFrom(check({ readPreference: document }));
  }

  /**
   * From a connection string's options: `readPreference=secondary&readPreferenceTags=dc:ny`.
   *
   * @param {string} options
   */
  static fromUriOptions(options) {
    return preferenceFrom(check({ uriOptions: options }));
  }

  /**
   * From the arguments of mongosh's `readPref`: `fromMongosh('secondary', [{region: 'us-east'}, {}])`.
   *
   * @param {...unknown} args
   */
  static fromMongosh(...args) {
    return preferenceFrom(check({ mongosh: args }));
  }

  /** The `$readPreference` document, in normal form. */
  toDocument() {
    return this.#document;
  }

  toJSON() {
    return this.#document;
  }

  /** The document as JSON. */
  toString() {
    return JSON.stringify(this.#document);
  }

  [inspectCustom]() {
    return shown(this, this.warnings.length > 0 ? { ...this.#document, warnings: this.warnings } : this.#document);
  }

  /**
   * Whether another preference selects and sends the same. The order of tag sets
   * counts, the order of tags in one does not.
   *
   * @param {unknown} other
   */
  equals(other) {
    const theirs = normalFormOf(other);
    return theirs !== undefined && canonical(this.#document) === canonical(theirs);
  }
}

/**
 * A preference from a document that the engine gave in normal form.
 *
 * @param {import('./index.js').NormalReadPreference} document
 * @param {readonly import('./index.js').Warning[]} [warnings]
 */
export function preferenceFromNormalForm(document, warnings) {
  return preferenceFrom(new NormalForm(document, warnings));
}

/** @param {NormalForm} form */
function preferenceFrom(form) {
  return new ReadPreference(/** @type {any} */ (form));
}

/**
 * @param {unknown} mode
 * @param {unknown} options
 */
function documentOf(mode, options) {
  if (options === undefined || options === null) return { mode };
  const path = 'readPreference';
  if (!isRecord(options, path)) {
    throw new ReadPrefError('argument', 'options are an object, {tags: [{dc: "ny"}, {}], maxStalenessSeconds: 120}', { path });
  }
  const members = membersOf(options, path);
  if ('mode' in members) {
    throw new ReadPrefError('unknownKey', 'the mode is the first argument, and no option', { path: `${path}.mode` });
  }
  return { mode, ...members };
}

/**
 * @param {object} request of the method `validate`
 * @returns {NormalForm}
 */
function check(request) {
  const { readPreference, problems, warnings } = ask('validate', encode(request));
  if (problems.length > 0) {
    throw Object.assign(errorFrom(problems[0]), { problems: Object.freeze(problems.map(errorFrom)) });
  }
  return new NormalForm(readPreference, warnings);
}

/** @param {object} document */
function canonical(document) {
  return JSON.stringify(document, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value,
  );
}
