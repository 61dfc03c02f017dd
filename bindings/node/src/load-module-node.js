import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Compiles readpref.wasm from the package. The files of this name are the only code that
 * knows where it runs: package.json's "imports" names one per platform.
 *
 * @returns {WebAssembly.Module}
 */
export function loadModule() {
  const file = new URL('../dist/readpref.wasm', import.meta.url);
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const help = 'in a checkout, run ./build.sh wasm and npm run build; in a bundle, use readpref/inline';
    throw new Error(`${fileURLToPath(file)} is missing; ${help}`, { cause });
  }
  return new WebAssembly.Module(bytes);
}
