// Deno loads and compiles it with the program, which needs no --allow-read.
import source module from '../dist/readpref.wasm';

/** @returns {WebAssembly.Module} */
export function loadModule() {
  return module;
}
