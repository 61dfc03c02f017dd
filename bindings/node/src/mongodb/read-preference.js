import { ReadPreference as Theirs } from 'mongodb';
import { ReadPrefError, ReadPreference } from '#api';
import { isReadPreference, wrongType } from './kinds.js';

/**
 * @param {import('mongodb').ReadPreference} preference
 * @returns {ReadPreference}
 */
export function fromMongoDB(preference) {
  if (!isReadPreference(preference)) throw wrongType('a ReadPreference of mongodb', preference, 'readPreference');
  const { mode, tags, maxStalenessSeconds, hedge } = preference;
  return ReadPreference.fromDocument({ mode, tags, maxStalenessSeconds, hedge });
}

/**
 * @param {unknown} preference
 * @returns {import('mongodb').ReadPreference}
 */
export function toMongoDB(preference) {
  const { mode, tags, maxStalenessSeconds, hedge } = preferenceOf(preference).toDocument();
  if (typeof maxStalenessSeconds === 'object') {
    throw new ReadPrefError('outOfRange', 'mongodb keeps maxStalenessSeconds as a number, which does not hold so great an integer', { path: 'readPreference.maxStalenessSeconds' });
  }
  const options = { ...(maxStalenessSeconds === undefined ? {} : { maxStalenessSeconds }), ...(hedge === undefined ? {} : { hedge: /** @type {any} */ ({ ...hedge }) }) };
  return new Theirs(mode, tags?.map((tagSet) => ({ ...tagSet })), options);
}

/** @param {any} given */
function preferenceOf(given) {
  if (given instanceof ReadPreference) return given;
  if (isReadPreference(given)) return fromMongoDB(given);
  if (given === null || given === undefined) throw wrongType('a read preference, a document or a mode', given, 'readPreference');
  return typeof given === 'string' ? new ReadPreference(/** @type {any} */ (given)) : ReadPreference.fromDocument(given);
}
