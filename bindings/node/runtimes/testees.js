// Lives of the testees that have no standard streams, for lives.js.
import { openPage } from './chromium.js';
import { startWorkerd } from './workerd.js';

/** What is longer the page fetches: the browser's protocol takes seconds for megabytes. */
const LONG = 100_000;

/** @type {(folder: string) => () => Promise<import('./lives.js').Life>} */
export const inWorkerd = (folder) => async () => {
  const { url, stop } = await startWorkerd(folder);
  return {
    async answer(line) {
      const response = await fetch(url, { method: 'POST', body: line });
      if (!response.ok) throw new Error(`workerd: ${response.status} ${await response.text()}`);
      return response.text();
    },
    end: stop,
  };
};

/** @type {(folder: string) => () => Promise<import('./lives.js').Life>} */
export const inChromium = (folder) => {
  /** The page of the last life, whose reloading is cheaper than another one. @type {Awaited<ReturnType<typeof openPage>> | undefined} */
  let idle;
  return async () => {
    const opened = idle ?? (await openPage(folder));
    const { page, errors, texts } = opened;
    if (idle !== undefined) await page.reload();
    idle = undefined;
    await page.waitForFunction(() => 'answer' in globalThis, undefined, { timeout: 60_000 }).catch((cause) => {
      throw new Error(`the page does not start: ${errors.join('; ')}`, { cause });
    });
    let isAnswering = false;
    return {
      async answer(line) {
        isAnswering = true;
        if (line.length >= LONG) texts.set('/line', line);
        const answer = await (line.length < LONG
          ? page.evaluate((text) => /** @type {any} */ (globalThis).answer(text), line)
          : page.evaluate(async () => /** @type {any} */ (globalThis).answer(await (await fetch('/line')).text())));
        isAnswering = false;
        return answer;
      },
      async end() {
        if (isAnswering) await opened.stop();
        else idle = opened;
      },
    };
  };
};
