import module from '../dist/readpref.wasm';

/**
 * readpref.wasm, which the host compiled with the program: Cloudflare's workers refuse
 * to compile bytes while they run.
 *
 * @returns {WebAssembly.Module}
 */
export function loadModule() {
  return module;
}
