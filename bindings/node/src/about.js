import { ask } from './engine.js';
import { deepFreeze } from './freeze.js';

/**
 * The version of the engine and of its ABI.
 *
 * @returns {import('./index.js').BuildInfo}
 */
export function buildInfo() {
  return deepFreeze(ask('build_info', ''));
}

/**
 * What `call` and `callRaw` can be asked.
 *
 * @returns {readonly import('./index.js').MethodInfo[]}
 */
export function methods() {
  return deepFreeze(ask('methods', '').methods);
}
