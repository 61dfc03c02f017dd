// The edge's bundlers tell a module to instantiate from an asset by the query.
import module from '../dist/readpref.wasm?module';

/** @returns {WebAssembly.Module} */
export function loadModule() {
  return module;
}
