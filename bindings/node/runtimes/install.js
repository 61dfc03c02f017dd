// Packs the package and installs it as its users do, with the testee for each host beside it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string} folder is made anew
 * @returns {{tarball: string, size: number}}
 */
export function install(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const npm = (process.env.NPM ?? 'npm').split(' ');
  /** @type {(cwd: string, ...args: string[]) => string} */
  const run = (cwd, ...args) => execFileSync(npm[0], [...npm.slice(1), ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const [{ filename, size }] = JSON.parse(run(root, 'pack', '--json', '--silent', '--pack-destination', folder));
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  run(folder, 'install', '--offline', '--no-audit', '--no-fund', '--silent', `./${filename}`);
  return { tarball: join(folder, filename), size };
}

/**
 * The testees of all hosts.
 *
 * @param {string} folder where the package is installed
 */
export async function addTestees(folder) {
  cpSync(join(root, 'test/testee'), join(folder, 'testee'), { recursive: true });
  cpSync(join(root, 'runtimes/hosts'), folder, { recursive: true });
  const common = /** @type {const} */ ({ absWorkingDir: folder, bundle: true, format: 'esm', logLevel: 'warning', target: 'es2022' });
  await build({ ...common, entryPoints: ['worker.mjs'], outfile: join(folder, 'worker/worker.js'), conditions: ['workerd'], loader: { '.wasm': 'copy' }, assetNames: '[name]' });
  await build({ ...common, entryPoints: ['page.mjs'], outfile: join(folder, 'page/page.js'), conditions: ['browser'] });
  cpSync(join(folder, 'node_modules/readpref/dist/readpref.wasm'), join(folder, 'page/readpref.wasm'));
  writeFileSync(join(folder, 'page/index.html'), '<!doctype html><meta charset="utf-8"><title>testee</title><script type="module" src="page.js"></script>');
}
