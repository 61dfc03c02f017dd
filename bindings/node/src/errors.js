import { statusByCode } from './codes.js';
import { errorText } from './plain.js';

/**
 * Whether something is a ReadPrefError, told without running code of its own.
 *
 * @type {(thrown: unknown) => boolean}
 */
export let isReadPrefError;

/**
 * What went wrong, in the words that every runtime of readpref uses: `code` is a
 * stable camelCase name and `status` its number; `path` says where in the
 * caller's document, `""` being the whole of it, and begins the `message`. Both are
 * short and safe to print, whatever they repeat of the document.
 */
export class ReadPrefError extends Error {
  static {
    isReadPrefError = (thrown) => typeof thrown === 'object' && thrown !== null && #text in thrown;
  }

  #text;

  /**
   * @param {import('./index.js').Code} code
   * @param {string} message English, without the path
   * @param {{path?: string, minimumSeconds?: number, cause?: unknown}} [details]
   */
  constructor(code, message, details = {}) {
    const path = errorText(details.path ?? '');
    const text = errorText(message);
    super(path ? `${path}: ${text}` : text, 'cause' in details ? { cause: details.cause } : undefined);
    this.#text = text;
    /** @readonly */
    this.code = code;
    /** @readonly @type {number} */
    this.status = statusByCode[code];
    /** @readonly */
    this.path = path;
    if (details.minimumSeconds !== undefined) {
      /** @readonly @type {number | undefined} */
      this.minimumSeconds = details.minimumSeconds;
    }
  }

  /**
   * The error document, as the raw call answers it: its message is without the path.
   *
   * @returns {import('./index.js').ErrorDocument}
   */
  toJSON() {
    const { code, status, path, minimumSeconds } = this;
    return { error: { code, status, message: this.#text, path, ...(minimumSeconds === undefined ? {} : { minimumSeconds }) } };
  }
}

// On the prototype, as the language's own errors have it.
Object.defineProperty(ReadPrefError.prototype, 'name', { value: 'ReadPrefError', configurable: true, writable: true });

/**
 * @param {import('./index.js').Problem} problem
 * @returns {ReadPrefError}
 */
export function errorFrom({ code, message, path, minimumSeconds }) {
  return new ReadPrefError(code, message, { path, minimumSeconds });
}
