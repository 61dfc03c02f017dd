// The page on other web servers than our own, and with more than it is made for.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { openPage, startBrowser, stages, type TestBrowser } from './browser.js';

const BUILT = '../../build/playground';

let browser: TestBrowser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

/** A server that knows no types but those of pages and scripts, and has the page in a folder. */
async function elsewhere(folder: string): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const name = request.url!.replace(/^\/a\/b\//, '') || 'index.html';
    const type = name.endsWith('.html') ? 'text/html' : name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'application/octet-stream';
    try {
      const bytes = await readFile(join(folder, name));
      response.writeHead(200, { 'content-type': type }).end(bytes);
    } catch {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('the page works in a folder of a server that does not know what WebAssembly is', async () => {
  const { url, close } = await elsewhere(BUILT);
  const page = await openPage({ ...browser, url }, '#preset=2-5-150');
  assert.equal(Object.values(await stages(page))[2], 'latencyWindow');
  await page.close();
  close();
});

test('without its engine, or with something else in its place, the page says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'playground-'));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(BUILT)) if (name !== 'readpref.wasm') copyFileSync(join(BUILT, name), join(folder, name));
  const { url, close } = await elsewhere(folder);
  const page = await browser.browser.newPage();
  await page.goto(url);
  assert.match(await page.getByRole('alert').innerText(), /The engine does not start[\s\S]*404[\s\S]*internal/);
  writeFileSync(join(folder, 'readpref.wasm'), '<!doctype html>');
  await page.reload();
  assert.match(await page.getByRole('alert').innerText(), /no WebAssembly module: it begins with "<!doctype html>"/);
  await page.close();
  close();
  rmSync(folder, { recursive: true });
});

test('a cluster of 5,000 members is answered, and the first 200 are drawn', async () => {
  const page = await openPage(browser, '#preset=2-5-150');
  const servers = Array.from({ length: 5000 }, (_, i) => ({ address: `m${i}.example:27017`, type: i === 0 ? 'RSPrimary' : 'RSSecondary', roundTripTimeMS: 5000 - i }));
  await page.getByRole('button', { name: 'Paste…' }).click();
  await page.getByLabel('What to read').evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, JSON.stringify({ servers }));
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.getByText('Read as a topology description').waitFor();
  // The window begins at the last one's 1 ms, and so holds those of 1 to 16 ms.
  assert.match(await page.locator('.verdict-more').innerText(), /one of 16 in the latency window/);
  assert.equal(await page.locator('.member').count(), 200);
  assert.equal(await page.locator('.lane').count(), 216);
  assert.equal(await page.getByText('and 4,784 more members, which are not drawn').count(), 2);
  // simulate takes 1,024 members.
  assert.match(await page.locator('.across .problem').innerText(), /limitExceeded/);
  await page.close();
});
