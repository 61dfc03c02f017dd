import { statusByCode } from './codes.js';

/**
 * What went wrong, in the words that every runtime of readpref uses: `code` is a
 * stable camelCase name and `status` its number; `path` says where in the
 * caller's document, `""` being the whole of it, and begins the `message`.
 */
export class ReadPrefError extends Error {
  #text;

  /**
   * @param {import('./index.js').Code} code
   * @param {string} message English, without the path
   * @param {{path?: string, minimumSeconds?: number, cause?: unknown}} [details]
   */
  constructor(code, message, details = {}) {
    super(details.path ? `${details.path}: ${message}` : message, 'cause' in details ? { cause: details.cause } : undefined);
    this.#text = message;
    /** @readonly */
    this.code = code;
    /** @readonly @type {number} */
    this.status = statusByCode[code];
    /** @readonly */
    this.path = details.path ?? '';
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
