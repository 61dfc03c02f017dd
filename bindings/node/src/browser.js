// readpref where a module has to be fetched.
import { init as initFrom } from './engine.js';

export * from './index.js';

/**
 * Fetches and starts the engine.
 *
 * @param {unknown} [source] as everywhere; absent: readpref.wasm of the package, which bundlers find here
 * @returns {Promise<void>}
 */
export function init(source) {
  return initFrom(source ?? (() => new URL('../dist/readpref.wasm', import.meta.url)));
}
