// The engine in Node.js, which finds the package's module by itself.
import { start } from '../src/engine.js';

/** In the page the module is fetched; here it is read. */
export async function startEngine(): Promise<void> {
  const { readFile } = await import('node:fs/promises');
  await start(readFile('node_modules/readpref/dist/readpref.wasm'));
}
