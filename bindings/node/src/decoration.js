import { ReadPrefError } from './errors.js';
import { deepFreeze } from './freeze.js';
import { preferenceFromNormalForm } from './read-preference.js';
import { isRecord } from './reading.js';

/**
 * The answer of `command`.
 *
 * @param {any} document
 * @returns {import('./index.js').Decoration}
 */
export function decoration(document) {
  const { effectiveReadPreference, ...others } = document;
  if (effectiveReadPreference !== undefined) others.effectiveReadPreference = preferenceFromNormalForm(effectiveReadPreference);
  // No part of the document: it is neither spread nor printed.
  Object.defineProperty(others, 'attach', { value: attach });
  return deepFreeze(others);
}

/**
 * A copy of a command, with `$readPreference` where there is one to attach. A spread decoration would say
 * `$readPreference: null` where there is none.
 *
 * @this {import('./index.js').Decoration}
 * @param {unknown} command
 */
function attach(command) {
  if (!isRecord(command, 'command')) throw new ReadPrefError('argument', 'attach takes a command as an object, {find: "orders"}', { path: 'command' });
  const { $readPreference } = this;
  return $readPreference === null || $readPreference === undefined ? { ...command } : { ...command, $readPreference };
}
