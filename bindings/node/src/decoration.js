import { deepFreeze } from './freeze.js';
import { preferenceFromNormalForm } from './read-preference.js';

/**
 * The answer of `command`.
 *
 * @param {any} document
 * @returns {import('./index.js').Decoration}
 */
export function decoration(document) {
  const { effectiveReadPreference } = document;
  return deepFreeze(effectiveReadPreference === undefined ? document : { ...document, effectiveReadPreference: preferenceFromNormalForm(effectiveReadPreference) });
}
