import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Compiles readpref.wasm from beside this file. It is the only code that knows
 * where it runs: package.json's "imports" names one such file per platform.
 *
 * @returns {WebAssembly.Module}
 */
export function loadModule() {
  const file = new URL('../dist/readpref.wasm', import.meta.url);
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw new Error(`${fileURLToPath(file)} is missing; in a checkout, run ./build.sh wasm and npm run build`, { cause });
  }
  return new WebAssembly.Module(bytes);
}
