// Values of the caller's may run code of the caller's when they are read:
// getters, iterators, proxies. What that throws is told with its place.
import { ReadPrefError, isReadPrefError } from './errors.js';
import { pathAt } from './path.js';

/**
 * Runs what reads a value of the caller's.
 *
 * @template T
 * @param {string | (() => string)} path of the value within the document
 * @param {() => T} read
 * @returns {T}
 * @throws {ReadPrefError} `wrongType`, what was thrown being its cause
 */
export function reading(path, read) {
  try {
    return read();
  } catch (error) {
    if (isReadPrefError(error)) throw error;
    const place = typeof path === 'string' ? path : path();
    throw new ReadPrefError('wrongType', 'reading the value threw an error: see cause', { path: place, cause: error });
  }
}

/**
 * An object of the caller's as a record of its own members.
 *
 * @param {object} object
 * @param {string} path
 * @returns {Record<string, unknown>}
 */
export function membersOf(object, path) {
  try {
    return { ...object };
  } catch {
    // Once more, to find the place.
  }
  const members = Object.create(null);
  for (const key of reading(path, () => Object.keys(object))) {
    members[key] = reading(() => pathAt(path, [key]), () => /** @type {any} */ (object)[key]);
  }
  return members;
}

/**
 * What an iterable of the caller's gives, up to one more than a limit: so many
 * are for the engine to refuse, and an endless iterable ends here.
 *
 * @template T
 * @param {Iterable<T>} iterable
 * @param {number} limit
 * @returns {T[]}
 */
export function listOf(iterable, limit) {
  const list = [];
  for (const item of iterable) {
    list.push(item);
    if (list.length > limit) break;
  }
  return list;
}

/**
 * Whether something is an object that is no list.
 *
 * @param {unknown} value
 * @param {string} path
 * @returns {value is object}
 */
export function isRecord(value, path) {
  return typeof value === 'object' && value !== null && !reading(path, () => Array.isArray(value));
}
