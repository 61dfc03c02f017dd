// Where the pinned programs are: their packages bring binaries, and no install script is run.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const found = (/** @type {string[]} */ ...names) => names.map((name) => (name.startsWith('/') ? name : fileURLToPath(new URL(`node_modules/${name}`, import.meta.url)))).find(existsSync);
const arch = process.arch;
const musl = existsSync('/etc/alpine-release') ? '-musl' : '';

/** Each undefined where this platform has none. */
export const programs = {
  'node-newest': found(`node-${process.platform}-${arch}/bin/node`),
  deno: found(`@deno/${process.platform}-${arch}-glibc/deno`, `@deno/${process.platform}-${arch}/deno`),
  bun: found(`@oven/bun-${process.platform}-${arch}${musl}/bin/bun`, 'bun/bin/bun.exe'),
  workerd: found(`@cloudflare/workerd-${process.platform}-${arch === 'x64' ? '64' : arch}/bin/workerd`),
  chromium: process.env.CHROMIUM ?? found('/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'),
};
