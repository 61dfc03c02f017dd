// Read preferences, opened once in the instance and used from then on. Equal
// ones share a handle.
import { ask, giveUp } from './engine.js';
import { encode } from './encode.js';
import { MAX_OPEN_PREFERENCES } from './limits.js';
import { ReadPreference, normalFormOf, slotOf } from './read-preference.js';

/**
 * @typedef {import('./instance.js').Instance} Instance
 * @typedef {{open: OpenPreference | undefined}} Slot
 */

/** A handle of a preference, until its instance is lost or others take its place. */
export class OpenPreference {
  /**
   * @param {Instance} instance
   * @param {number} handle
   */
  constructor(instance, handle) {
    /** @readonly */
    this.instance = instance;
    /** 0 when it is closed. */
    this.handle = handle;
  }
}

/** Preferences that were given as a mode, or not at all. @type {Map<unknown, ReadPreference>} */
const ofMode = new Map();

/** The last preferences that were given as documents, by their text. @type {Map<string, ReadPreference>} */
const ofDocument = new Map();
const MAX_DOCUMENTS = 64;

/** What is longer is not kept. */
const MAX_KEPT = 4096;

/**
 * The handle of a preference in an instance.
 *
 * @param {unknown} given what readPreferenceOf takes
 * @param {Instance} instance
 * @returns {number}
 */
export function preferenceHandle(given, instance) {
  const slot = slotOf(given) ?? /** @type {Slot} */ (slotOf(readPreferenceOf(given)));
  const { open } = slot;
  if (open !== undefined && open.instance === instance && open.handle !== 0) return open.handle;
  slot.open = opened(/** @type {ReadPreference} */ (slotOf(given) === undefined ? readPreferenceOf(given) : given), instance);
  return slot.open.handle;
}

/**
 * A preference that may be given as its document, as its mode alone, or not at all.
 *
 * @param {unknown} given
 * @returns {ReadPreference}
 * @throws {import('./errors.js').ReadPrefError}
 */
export function readPreferenceOf(given) {
  if (normalFormOf(given) !== undefined) return /** @type {ReadPreference} */ (given);
  const none = given === undefined || given === null;
  if (none || typeof given === 'string') {
    const known = ofMode.get(given);
    if (known !== undefined) return known;
    const preference = new ReadPreference(none ? undefined : /** @type {any} */ (given));
    ofMode.set(given, preference); // a legal mode: there are five
    return preference;
  }
  const text = encode(given, 'readPreference');
  const known = ofDocument.get(text);
  if (known !== undefined) return known;
  const preference = ReadPreference.fromDocument(given);
  if (text.length <= MAX_KEPT) {
    if (ofDocument.size >= MAX_DOCUMENTS) ofDocument.delete(oldestKey(ofDocument));
    ofDocument.set(text, preference);
  }
  return preference;
}

/**
 * The document of a preference that may be given as readPreferenceOf takes it.
 *
 * @param {unknown} given
 * @returns {string}
 */
export function preferenceText(given) {
  // The engine refuses what is no preference, and names the place.
  const isDocument = typeof given === 'object' && given !== null && normalFormOf(given) === undefined;
  return isDocument ? encode(given, 'readPreference') : JSON.stringify(readPreferenceOf(given));
}

/**
 * @param {ReadPreference} preference
 * @param {Instance} instance
 */
function opened(preference, instance) {
  const { preferences } = instance;
  const text = JSON.stringify(preference);
  const known = preferences.get(text);
  if (known !== undefined) return known;
  if (preferences.size >= MAX_OPEN_PREFERENCES) close(preferences);
  const { readPreference } = ask('readpref.open', `{"readPreference":${text}}`, instance);
  const open = new OpenPreference(instance, readPreference);
  preferences.set(text, open);
  return open;
}

/**
 * Closes the preference that has been open for longest. Whoever uses it still opens it anew.
 *
 * @param {Map<string, OpenPreference>} preferences
 */
function close(preferences) {
  const oldest = oldestKey(preferences);
  const open = /** @type {OpenPreference} */ (preferences.get(oldest));
  preferences.delete(oldest);
  try {
    open.instance.rawClose(open.handle);
  } catch (cause) {
    throw giveUp(open.instance, cause);
  } finally {
    open.handle = 0;
  }
}

/** @param {Map<string, unknown>} map which is not empty */
function oldestKey(map) {
  return /** @type {string} */ (map.keys().next().value);
}
