import { ReadPrefError } from './errors.js';

/**
 * Where nothing can be loaded without waiting for it: browsers, and hosts that are not known.
 *
 * @returns {WebAssembly.Module}
 * @throws {ReadPrefError} `argument`
 */
export function loadModule() {
  throw new ReadPrefError('argument', 'readpref is not started: `await init()` first');
}
