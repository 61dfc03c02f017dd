// What a value of the driver's is. Its classes are not asked: a program may hold two versions of the package, and the
// driver itself takes the other one's values in most places.
import { ReadPrefError } from '#api';

/**
 * @param {any} value
 * @returns {value is import('mongodb').MongoClient}
 */
export const isClient = (value) => has(value, (it) => isFunction(it.db) && isFunction(it.on) && isObject(it.options));

/**
 * @param {any} value
 * @returns {value is import('mongodb').Db}
 */
export const isDatabase = (value) => has(value, (it) => isFunction(it.collection) && isClient(it.client));

/**
 * @param {any} value
 * @returns {value is import('mongodb').Collection}
 */
export const isCollection = (value) => has(value, (it) => isFunction(it.find) && isDatabase(it.db));

/**
 * @param {any} value
 * @returns {value is import('mongodb').TopologyDescription}
 */
export const isTopologyDescription = (value) => has(value, (it) => typeof it.type === 'string' && Object.prototype.toString.call(it.servers) === '[object Map]');

/**
 * @param {any} value
 * @returns {value is import('mongodb').ReadPreference}
 */
export const isReadPreference = (value) => has(value, (it) => typeof it.mode === 'string' && isFunction(it.secondaryOk) && isFunction(it.isValid));

/**
 * An error that says what was found in place of what was expected.
 *
 * @param {string} expected
 * @param {unknown} found
 * @param {string} path
 */
export function wrongType(expected, found, path) {
  return new ReadPrefError('wrongType', `expected ${expected}, found ${nameOf(found)}`, { path });
}

/** @param {any} value */
function nameOf(value) {
  if (value === null || value === undefined) return 'none';
  if (!isObject(value)) return `a ${typeof value}`;
  let name;
  try {
    name = value.constructor?.name;
  } catch {
    // A proxy, or a getter of the caller's: it is an object.
  }
  return typeof name === 'string' && name !== '' && name !== 'Object' ? `a ${name}` : 'an object';
}

/** @param {any} value @param {(value: any) => boolean} test */
function has(value, test) {
  if (!isObject(value)) return false;
  try {
    return test(value);
  } catch {
    // A value whose reading throws is none of the driver's.
    return false;
  }
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** @param {unknown} value */
function isFunction(value) {
  return typeof value === 'function';
}
