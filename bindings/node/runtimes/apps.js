// A tiny program, built by each bundler from the installed package, and run where it is built for.
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { build as viteBuild } from 'vite';
import webpack from 'webpack';
import { POLICY, openPage } from './chromium.js';
import { programs } from './tools.js';
import { COMPATIBILITY_DATE, startWorkerd } from './workerd.js';

const pick = "const picked = () => new Topology({ servers: [{ address: 'a.example:27017', type: 'RSPrimary' }] }).selectSync().address;\n";
const page = (/** @type {string} */ start) => `${pick}${start}.then(() => { document.title = picked(); }, (error) => { document.title = String(error); });\n`;
const PICKED = 'a.example:27017';
const wrangler = fileURLToPath(new URL('node_modules/wrangler/bin/wrangler.js', import.meta.url));

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** A program of the README. @param {string} name */
export function readmeProgram(name) {
  for (const [, names, program] of readme.matchAll(/<!-- program: ([a-z ]+) -->\n```javascript\n(.*?)```/gs)) if (names.split(' ').includes(name)) return program;
  throw new Error(`the README has no program for ${name}`);
}

/** @param {string} folder @param {string} name @param {string} program */
function source(folder, name, program) {
  const at = join(folder, 'apps', name);
  mkdirSync(join(at, 'out'), { recursive: true });
  writeFileSync(join(at, 'app.js'), program);
  writeFileSync(join(at, 'index.html'), '<!doctype html><meta charset="utf-8"><script type="module" src="./app.js"></script>');
  return at;
}

/** @param {string} out @param {Parameters<typeof openPage>[1]} [options] */
async function titleOf(out, options) {
  const { page: shown, errors, stop } = await openPage(out, options);
  try {
    await shown.waitForFunction(() => /** @type {any} */ (globalThis).document.title !== '', undefined, { timeout: 60_000 });
    return await shown.title();
  } catch (cause) {
    throw new Error(`the page stays empty: ${errors.join('; ')}`, { cause });
  } finally {
    await stop();
  }
}

/** @param {unknown} found @param {unknown} wanted */
function same(found, wanted) {
  if (found !== wanted) throw new Error(`found ${found}, want ${wanted}`);
}

/** @param {string} at @param {esbuild.BuildOptions} [options] */
async function bundled(at, options) {
  await esbuild.build({ absWorkingDir: at, entryPoints: ['app.js'], outfile: join(at, 'out/app.js'), bundle: true, format: 'esm', logLevel: 'warning', ...options });
  const html = join(at, 'out/index.html');
  if (!existsSync(html)) copyFileSync(join(at, 'index.html'), html);
  return join(at, 'out');
}

/** @param {string} at */
async function packed(at) {
  const compiler = webpack({ mode: 'production', context: at, entry: './app.js', output: { path: join(at, 'out'), filename: 'app.js', publicPath: '' }, performance: { hints: false } });
  const stats = await new Promise((resolve, reject) => compiler.run((error, result) => (error ? reject(error) : resolve(result))));
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString({ all: false, errors: true, warnings: true }));
  copyFileSync(join(at, 'index.html'), join(at, 'out/index.html'));
  return join(at, 'out');
}

/** @param {string} at @param {NodeJS.ProcessEnv} [env] */
async function wrangled(at, env) {
  const args = [wrangler, 'deploy', 'app.js', '--name', 'app', '--compatibility-date', COMPATIBILITY_DATE, '--minify', '--dry-run', '--outdir', 'out'];
  await promisify(execFile)(/** @type {string} */ (programs['node-newest']), args, { cwd: at, env: { ...process.env, WRANGLER_SEND_METRICS: 'false', ...env } });
  copyFileSync(join(at, 'out/app.js'), join(at, 'out/worker.js'));
  return join(at, 'out');
}

/** What a worker answers. @param {string} out with worker.js */
async function answered(out) {
  const { url, stop } = await startWorkerd(out);
  try {
    return await (await fetch(url)).text();
  } finally {
    stop();
  }
}

/** The program and the engine, as a server sends them. (With a larger memLevel Chromium's zlib, which is Node.js's, finds less than gzip -9.) */
const MOST_SHIPPED = 800e3;

/**
 * @param {string} out of a bundler, without readpref/inline
 * @param {string[]} [scripts] absent: all
 * @returns {string} how much it is
 */
function shipped(out, scripts) {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wasm') || (scripts?.includes(name) ?? name.endsWith('.js')));
  let bytes = 0;
  for (const name of files) bytes += gzipSync(readFileSync(join(out, name)), { level: 9, memLevel: 7 }).length;
  if (bytes >= MOST_SHIPPED) throw new Error(`${bytes} bytes after gzip`);
  return `passes, ${(bytes / 1e3).toFixed()} kB gzip`;
}

/** How each app is made and run, by its row in the table. @type {Record<string, (folder: string) => Promise<string | void>>} */
export const apps = {
  'vite, readpref, Chromium': async (folder) => {
    const at = source(folder, 'vite', readmeProgram('browser'));
    await viteBuild({ root: at, base: './', configFile: false, logLevel: 'warn', build: { outDir: 'out', emptyOutDir: true } });
    same(await titleOf(join(at, 'out')), PICKED);
    return shipped(join(at, 'out'));
  },
  'webpack, readpref, Chromium': async (folder) => {
    const out = await packed(source(folder, 'webpack', readmeProgram('browser')));
    same(await titleOf(out), PICKED);
    // The engine is an asset of its own, once.
    same(readdirSync(out).filter((name) => name.endsWith('.wasm')).length, 1);
    return shipped(out);
  },
  'webpack, readpref/inline, Chromium': async (folder) => {
    const out = await packed(source(folder, 'webpack-inline', readmeProgram('inline')));
    same(await titleOf(out), PICKED);
    same(readdirSync(out).some((name) => name.endsWith('.wasm')), false);
  },
  'esbuild, readpref/inline, Chromium': async (folder) => {
    const at = source(folder, 'esbuild-inline', readmeProgram('inline'));
    same(await titleOf(await bundled(at)), PICKED);
  },
  'esbuild, readpref/load, Chromium': async (folder) => {
    const out = await bundled(source(folder, 'esbuild-load', readmeProgram('load')), { loader: { '.wasm': 'file' } });
    same(await titleOf(out), PICKED);
    same(await titleOf(out, { wasmType: 'text/plain' }), PICKED);
    const failing = source(folder, 'esbuild-refused', `import { Topology, init } from 'readpref/load';\nimport wasm from 'readpref/readpref.wasm';\n${page('init(wasm)')}`);
    const refused = await titleOf(await bundled(failing, { loader: { '.wasm': 'file' } }), { policy: POLICY.replace(" 'wasm-unsafe-eval'", '') });
    if (!/^ReadPrefError: readpref\.wasm failed: .*(unsafe-eval|Content Security Policy)/.test(refused)) throw new Error(`without the policy's word: ${refused}`);
  },
  'esbuild, readpref/inline, Node.js': async (folder) => {
    const at = source(folder, 'esbuild-node', `import { Topology, initSync } from 'readpref/inline';\n${pick}initSync();\nconsole.log(picked());\n`);
    await bundled(at, { platform: 'node', banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __filename = import.meta.filename ?? '/app.js';" } });
    same(execFileSync(process.execPath, [join(at, 'out/app.js')], { encoding: 'utf8' }).trim(), PICKED);
  },
  'wrangler, deploy --dry-run, workerd': async (folder) => {
    const out = await wrangled(source(folder, 'wrangler', readmeProgram('worker')));
    same(await answered(out), PICKED);
    return shipped(out, ['app.js']);
  },
  'wrangler, edge-light, readpref.wasm?module, workerd': async (folder) => {
    const at = source(folder, 'edge', `import { Topology } from 'readpref';\nimport module from 'readpref/readpref.wasm?module';\n${pick}export default { fetch: () => new Response(picked() + module.constructor.name) };\n`);
    same(await answered(await wrangled(at, { WRANGLER_BUILD_CONDITIONS: 'edge-light' })), `${PICKED}Module`);
  },
};
