import { ReadPrefError } from './errors.js';
import { isRecord, membersOf, reading } from './reading.js';

// What the methods of a Topology are given, checked before the engine sees it.

/**
 * @param {unknown} options
 * @param {string} [expected] what they are, for the message
 * @returns {object}
 */
export function recordOf(options, expected = 'options are an object, {checkout: true}') {
  if (options === undefined || options === null) return {};
  if (!isRecord(options, '')) throw new ReadPrefError('argument', expected);
  return options;
}

/**
 * The members of options that do not repeat an argument.
 *
 * @param {unknown} options
 * @param {string[]} arguments_
 * @param {string} [expected] as of recordOf
 * @returns {Record<string, unknown>}
 */
export function withoutArguments(options, arguments_, expected) {
  const members = membersOf(recordOf(options, expected), '');
  const repeated = arguments_.find((key) => key in members);
  if (repeated !== undefined) throw new ReadPrefError('unknownKey', 'an argument of its own, and no option', { path: repeated });
  return members;
}

/**
 * @param {unknown} flag
 * @param {string} path
 * @returns {boolean}
 */
export function checkedFlag(flag, path) {
  if (flag === undefined || flag === null) return false;
  if (typeof flag !== 'boolean') throw new ReadPrefError('wrongType', 'expected true or false', { path });
  return flag;
}

/** @param {unknown} server a server, or its id */
export function idOf(server) {
  return isRecord(server, 'id') ? reading('id', () => /** @type {{id?: unknown}} */ (server).id) : server;
}

/**
 * @param {unknown} text
 * @param {string} path
 */
export function named(text, path) {
  if (typeof text !== 'string') throw new ReadPrefError('wrongType', 'expected a string', { path });
  return text;
}

/** @param {unknown} operationId */
export function identified(operationId) {
  if (operationId === undefined || operationId === null) return {};
  return { operationId: /** @type {number | bigint | string} */ (operationId) };
}
