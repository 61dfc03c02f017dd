// Makes the page: a folder of static files, build/playground of the repository or the one that is named.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const out = process.argv[2] ?? here('../../build/playground');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  entryPoints: [here('src/main.tsx'), here('src/style/main.css')],
  entryNames: '[name]',
  assetNames: '[name]',
  outdir: out,
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.woff2': 'file' },
  legalComments: 'linked',
  logLevel: 'warning',
});
copyFileSync(here('src/index.html'), `${out}/index.html`);
copyFileSync(here('node_modules/readpref/dist/readpref.wasm'), `${out}/readpref.wasm`);
