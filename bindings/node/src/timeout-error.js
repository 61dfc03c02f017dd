import { ReadPrefError } from './errors.js';
import { cut } from './plain.js';

/** Of an explanation in a message, in bytes: a large topology has more. */
const MAX_EXPLANATION = 8000;

/**
 * No suitable server was found in time: `noServer`. The message says why, and ends with
 * the text of the explanation; `explanation` has it with its figures.
 */
export class ServerSelectionTimeoutError extends ReadPrefError {
  /**
   * @param {string} reason
   * @param {number} timeoutMS
   * @param {import('./explanation.js').Explanation} explanation
   */
  constructor(reason, timeoutMS, explanation) {
    super('noServer', `${reason} (after ${timeoutMS} ms)`);
    // The text is safe to print as it is, and has lines.
    this.message += `\n\n${cut(explanation.text.trimEnd(), MAX_EXPLANATION)}`;
    /** @readonly */
    this.timeoutMS = timeoutMS;
    /** @readonly */
    this.explanation = explanation;
  }
}

// As ReadPrefError has it.
Object.defineProperty(ServerSelectionTimeoutError.prototype, 'name', { value: 'ServerSelectionTimeoutError', configurable: true, writable: true });
