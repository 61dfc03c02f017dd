// Runs the tests: those of modules in Node.js, then those of the page in Chromium.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const out = here('node_modules/.test');

// Node.js 20 reads no TypeScript.
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// What is named, or all: test.js copy page.
const named = process.argv.slice(2);
const all = readdirSync(here('test')).filter((name) => name.endsWith('.test.ts') && (named.length === 0 || named.some((each) => name.startsWith(each))));
const inBrowser = (name) => name.endsWith('.browser.test.ts');
await build({
  entryPoints: all.map((name) => here(`test/${name}`)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});

run(all.filter((name) => !inBrowser(name)));
if (chromium === undefined) {
  console.log('NOT RUN playground in a browser: needs chromium');
  if (process.env.CI === 'true') process.exitCode = 1;
} else {
  run(all.filter(inBrowser));
}

function run(names) {
  if (names.length === 0) return;
  const files = names.map((name) => `${out}/${name.replace(/\.ts$/, '.mjs')}`);
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', '--test-concurrency=1', '--test-timeout=400000', '--test-reporter=spec', ...files], {
    stdio: 'inherit',
    cwd: here('.'),
    env: { ...process.env, CHROMIUM: chromium ?? '' },
  });
  if (status !== 0) process.exitCode = 1;
}
