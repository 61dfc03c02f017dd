// Makes dist/: readpref.wasm, which ./build.sh wasm makes, as a file and deflated inside of a
// module; what inflates it; and the package as CommonJS, which require() and import share in Node.js.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const write = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(path(`dist/${name}`), text);
const source = process.env.READPREF_WASM ?? path('../../build/readpref.wasm');

if (!existsSync(source)) {
  console.error(`${source} is missing: run ./build.sh wasm in the repository, or set READPREF_WASM`);
  process.exit(1);
}
mkdirSync(path('dist'), { recursive: true });
copyFileSync(source, path('dist/readpref.wasm'));

const bytes = readFileSync(source);
const deflated = deflateRawSync(bytes, { level: 9, memLevel: 9 }).toString('base64');
write('inline-bytes.js', `/** readpref.wasm, deflated (RFC 1951), in base64. */\nexport const deflated =\n  '${deflated}';\nexport const size = ${bytes.length};\n`);

// fflate's inflate, and its license, for what may not wait.
await build({
  stdin: { contents: "export { inflateSync } from 'fflate';", resolveDir: path('.') },
  outfile: path('dist/inflate.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  conditions: ['browser'],
  banner: { js: `/* fflate\n${readFileSync(path('node_modules/fflate/LICENSE'), 'utf8').trim()}\n*/` },
  logLevel: 'warning',
});
write('inflate.d.ts', 'export function inflateSync(data: Uint8Array, options: { out: Uint8Array }): Uint8Array<ArrayBuffer>;\n');

await build({
  entryPoints: [path('src/index.js')],
  outfile: path('dist/node.cjs'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  conditions: ['node'],
  banner: { js: "const moduleURL = require('node:url').pathToFileURL(__filename);" },
  define: { 'import.meta.url': 'moduleURL.href' },
  keepNames: true,
  logLevel: 'warning',
});
// The driver's side of it, for require(): the package itself is the one above.
await build({
  entryPoints: [path('src/mongodb.js')],
  outfile: path('dist/mongodb.cjs'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: ['mongodb', './node.cjs'],
  alias: { '#api': './node.cjs' },
  keepNames: true,
  logLevel: 'warning',
});
// Handles and classes are the same for both kinds of programs: there is one implementation.
const wrap = (/** @type {string} */ name, /** @type {object} */ exported) =>
  write(`${name}.js`, `export {\n${Object.keys(exported).sort().map((key) => `  ${key},\n`).join('')}} from './${name}.cjs';\n`);
wrap('node', (await import('../dist/node.cjs')).default);
wrap('mongodb', (await import('../dist/mongodb.cjs')).default);
// What the sources see of it.
write('node.d.ts', "export * from '../src/index.js';\n");

// The declarations once more, for programs that TypeScript takes for CommonJS.
for (const name of ['index', 'load', 'inline', 'mongodb', 'codes', 'wasm']) {
  const text = readFileSync(path(`src/${name}.d.ts`), 'utf8');
  write(`${name}.d.cts`, text.replace(/(from '\.\/\w+)\.js'/g, "$1.cjs'"));
}
