import { ask } from './engine.js';
import { encode } from './encode.js';
import { ReadPrefError, errorFrom } from './errors.js';
import { deepFreeze } from './freeze.js';
import { inspectCustom, shown } from './inspect.js';

/** What `validate` answered for a legal preference: there is nothing left to check. */
class NormalForm {
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
  #document;

  /**
   * @param {import('./index.js').ReadPreferenceMode} [mode] absent: `primary`
   * @param {import('./index.js').ReadPreferenceOptions | null} [options]
   * @throws {ReadPrefError} the first problem; `problems` has all
   */
  constructor(mode, options) {
    const form = /** @type {unknown} */ (mode) instanceof NormalForm ? mode : check({ readPreference: documentOf(mode, options) });
    const { document, warnings } = /** @type {NormalForm} */ (form);
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
    return other instanceof ReadPreference && canonical(this.#document) === canonical(other.#document);
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
 * @param {import('./index.js').ReadPreferenceOptions | null | undefined} options
 */
function documentOf(mode, options) {
  if (options === undefined || options === null) return { mode };
  if (typeof options !== 'object' || Array.isArray(options)) {
    throw new ReadPrefError('argument', 'options are an object, {tags: [{dc: "ny"}, {}], maxStalenessSeconds: 120}');
  }
  if ('mode' in options) {
    throw new ReadPrefError('unknownKey', 'the mode is the first argument, and no option', { path: 'readPreference.mode' });
  }
  return { mode, ...options };
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
