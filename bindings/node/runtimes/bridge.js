// bridge.js workerd|chromium FOLDER: a testee's lines, passed on to one that has no standard streams.
import { serve } from '../test/testee/lines.mjs';

/** What is longer the page fetches: the browser's protocol takes seconds for megabytes. */
const LONG = 100_000;

const [, , host, folder] = process.argv;
if (host === 'workerd') {
  const { startWorkerd } = await import('./workerd.js');
  const { url, stop } = await startWorkerd(folder);
  await serve(async (line) => {
    const response = await fetch(url, { method: 'POST', body: line });
    if (!response.ok) throw new Error(`workerd: ${response.status} ${await response.text()}`);
    return response.text();
  });
  stop();
} else {
  const { openPage } = await import('./chromium.js');
  const { page, errors, texts, stop } = await openPage(folder);
  await page.waitForFunction(() => 'answer' in globalThis, undefined, { timeout: 60_000 }).catch((cause) => {
    throw new Error(`the page does not start: ${errors.join('; ')}`, { cause });
  });
  await serve((line) => {
    if (line.length < LONG) return page.evaluate((text) => /** @type {any} */ (globalThis).answer(text), line);
    texts.set('/line', line);
    return page.evaluate(async () => /** @type {any} */ (globalThis).answer(await (await fetch('/line')).text()));
  });
  await stop();
}
process.exit(0);
