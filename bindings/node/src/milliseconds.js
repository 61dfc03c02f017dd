import { ReadPrefError } from './errors.js';

/**
 * A span of time that the caller gave, in milliseconds.
 *
 * @param {unknown} value
 * @param {string} path
 * @returns {number | undefined} undefined where it is absent
 * @throws {ReadPrefError}
 */
export function milliseconds(value, path) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw new ReadPrefError('wrongType', 'expected a number of milliseconds', { path });
  if (!(value >= 0 && value < Infinity)) throw new ReadPrefError('outOfRange', `expected milliseconds from 0, found ${value}`, { path });
  return value;
}
