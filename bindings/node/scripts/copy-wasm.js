// Copies readpref.wasm, which ./build.sh wasm makes, into the package.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = process.env.READPREF_WASM ?? fileURLToPath(new URL('../../../build/readpref.wasm', import.meta.url));
const folder = new URL('../dist/', import.meta.url);

if (!existsSync(source)) {
  console.error(`${source} is missing: run ./build.sh wasm in the repository, or set READPREF_WASM`);
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
copyFileSync(source, new URL('readpref.wasm', folder));
