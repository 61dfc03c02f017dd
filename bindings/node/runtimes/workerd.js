// Runs a worker in workerd, and tells where it listens.
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programs } from './tools.js';

/** What the workers here are written for. */
export const COMPATIBILITY_DATE = '2026-04-01';

/**
 * @param {string} folder with worker.js and the .wasm files that it imports
 * @returns {Promise<{url: string, stop(): void}>}
 */
export async function startWorkerd(folder) {
  const modules = readdirSync(folder).filter((name) => name.endsWith('.wasm')).map((name) => `(name = "./${name}", wasm = embed "${name}")`);
  const config = join(folder, 'config.capnp');
  writeFileSync(config, `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .w)], sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
const w :Workerd.Worker = (modules = [(name = "worker.js", esModule = embed "worker.js"), ${modules.join(', ')}], compatibilityDate = "${COMPATIBILITY_DATE}");
`);
  const child = spawn(/** @type {string} */ (programs.workerd), ['serve', config, '--control-fd=3'], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const stop = () => {
    child.kill();
    process.off('exit', stop);
  };
  process.once('exit', stop);
  for await (const line of createInterface({ input: /** @type {any} */ (child.stdio[3]) })) {
    const event = JSON.parse(line);
    if (event.event === 'listen') return { url: `http://127.0.0.1:${event.port}/`, stop };
  }
  throw new Error('workerd did not start');
}
