// Makes the pictures of the README, of the page that was built: docs/playground-*.png.
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './serve.js';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const PICTURES = [
  { name: 'light', hash: '#preset=three-data-centres', colorScheme: 'light', width: 1280, height: 760 },
  { name: 'dark', hash: '#preset=atlas', colorScheme: 'dark', width: 1280, height: 760 },
  { name: 'narrow', hash: '#preset=failover', colorScheme: 'dark', width: 360, height: 800 },
];
/** As the repository keeps them. */
const MAX_BYTES = 200_000;

const server = await serve(here('../../build/playground'));
const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const { name, hash, colorScheme, width, height } of PICTURES) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(`http://127.0.0.1:${server.address().port}/${hash}`);
  await page.locator('.bench').waitFor();
  await page.evaluate(() => document.fonts.ready);
  const path = here(`../../docs/playground-${name}.png`);
  await page.screenshot({ path });
  await page.close();
  const { size } = statSync(path);
  console.log(`docs/playground-${name}.png: ${size} bytes`);
  if (size > MAX_BYTES) process.exitCode = 1;
}
await browser.close();
server.close();
server.closeAllConnections();
