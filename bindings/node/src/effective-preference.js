import { ask } from './engine.js';
import { encode } from './encode.js';
import { deepFreeze } from './freeze.js';
import { preferenceFromNormalForm } from './read-preference.js';

/**
 * Which of the preferences that were given at several levels an operation uses, and how
 * it selects.
 *
 * @param {import('./index.js').EffectivePreferenceRequest} request
 * @returns {import('./index.js').EffectivePreference}
 * @throws {import('./errors.js').ReadPrefError} `transactionReadPreferenceNotPrimary`; for what is wrong with the request
 */
export function effectivePreference(request) {
  const answer = ask('effective_preference', encode(request ?? null));
  return deepFreeze({ ...answer, readPreference: preferenceFromNormalForm(answer.readPreference) });
}
