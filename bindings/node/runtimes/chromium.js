// A page in Chromium, of files from a folder, under the policy that the README gives.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { programs } from './tools.js';

/** One browser for all pages: its start takes seconds. The pages have nothing in common. @type {Promise<import('playwright-core').Browser> | undefined} */
let started;

function browser() {
  // The tests run as root, where Chromium has no sandbox.
  return (started ??= chromium.launch({ executablePath: programs.chromium, args: ['--no-sandbox'] }));
}

export async function closeBrowser() {
  await (await started)?.close();
}

/** No other door is open to code than WebAssembly. */
export const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/**
 * @param {string} folder with index.html
 * @param {{policy?: string, wasmType?: string}} [options]
 */
export async function openPage(folder, { policy = POLICY, wasmType = TYPES['.wasm'] } = {}) {
  /** What is served besides, by its path. @type {Map<string, string>} */
  const texts = new Map();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    try {
      const body = texts.get(path) ?? readFileSync(join(folder, path === '/' ? 'index.html' : path));
      const type = extname(path) === '.wasm' ? wasmType : TYPES[extname(path) || '.html'];
      response.writeHead(200, { 'content-type': type ?? 'text/plain', 'content-security-policy': policy }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const page = await (await browser()).newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`);
  const stop = async () => {
    await page.close();
    server.closeAllConnections();
    server.close();
  };
  return { page, errors, texts, stop };
}
