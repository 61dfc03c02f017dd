// Makes the page: a folder of static files, build/playground of the repository or the one that is named.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const out = process.argv[2] ?? here('../../build/playground');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { metafile } = await build({
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
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
copyFileSync(here('src/index.html'), `${out}/index.html`);
copyFileSync(here('node_modules/readpref/dist/readpref.wasm'), `${out}/readpref.wasm`);

// Their licences ask to go along with what is made of the packages.
const packages = new Set(Object.keys(metafile.inputs).flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
const licences = [...packages].sort().map((name) => {
  const folder = here(`node_modules/${name}`);
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no licence to go along`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
});
writeFileSync(`${out}/licences.txt`, `${[`readpref (Apache-2.0)\n\n${readFileSync(here('../../LICENSE'), 'utf8').trim()}\n`, ...licences].join(`\n${'-'.repeat(80)}\n\n`)}`);
