// Bundles the worker as Wrangler does, and runs it in workerd, which may reach loopback.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from '../../bindings/node/node_modules/esbuild/lib/main.js';
import { programs } from '../../bindings/node/runtimes/tools.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** undefined where workerd has no program for this platform */
export const workerd = programs.workerd;

/**
 * @param {string} folder for the bundle
 * @param {Record<string, string>} env
 * @returns {Promise<{url: string, stop(): void}>}
 */
export async function startWorker(folder, env) {
  await build({ absWorkingDir: here, entryPoints: ['worker.js'], outfile: join(folder, 'worker.js'), bundle: true, format: 'esm', target: 'es2022', conditions: ['workerd'], loader: { '.wasm': 'copy' }, assetNames: '[name]', logLevel: 'warning' });
  const bindings = Object.entries(env).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .w), (name = "internet", network = (allow = ["public", "private", "local"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
const w :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "./readpref.wasm", wasm = embed "readpref.wasm")],
  bindings = [${bindings.join(', ')}], compatibilityDate = "2026-04-01");
`,
  );
  const child = spawn(workerd, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  for await (const line of createInterface({ input: child.stdio[3] })) {
    const event = JSON.parse(line);
    if (event.event === 'listen') return { url: `http://127.0.0.1:${event.port}`, stop: () => child.kill() };
  }
  throw new Error('workerd did not start');
}
