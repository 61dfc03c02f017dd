// axe-core's rules, and what it does not see: the page never scrolls sideways.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { PRESETS } from '../src/presets.js';
import { openPage, startBrowser, type TestBrowser } from './browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LOOKS = [
  { colorScheme: 'light', width: 1280, everything: true },
  { colorScheme: 'dark', width: 1280, everything: false },
  { colorScheme: 'light', width: 360, everything: false },
  { colorScheme: 'dark', width: 360, everything: true },
] as const;

let browser: TestBrowser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

/** Fails with each violation, and where it is. */
async function assertClean(page: Page, what: string) {
  // Colours fade into each other, and half-way they have less contrast.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } };
    const result = await axe.run({ resultTypes: ['violations'] });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join('\n')}`);
  });
  assert.deepEqual(violations, [], what);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${what}: scrolls sideways`);
}

for (const look of LOOKS) {
  test(`no violation in any preset: ${look.colorScheme}, ${look.width} px`, async () => {
    const page = await openPage(browser, '', { colorScheme: look.colorScheme, viewport: { width: look.width, height: 900 } });
    await page.evaluate(AXE);
    for (const preset of PRESETS) {
      await page.getByLabel('Preset').selectOption(preset.id);
      await assertClean(page, preset.id);
    }
    if (!look.everything) return page.close();
    // The rest of the page with the last preset.
    for (const tab of ['Advice', 'Compare', 'In your code', 'As text']) {
      await page.getByRole('tab', { name: tab }).click();
      if (tab === 'Compare') {
        await page.getByRole('button', { name: 'Remember this as' }).click();
        await page.getByRole('radio', { name: 'nearest' }).check();
      }
      await assertClean(page, tab);
    }
    await page.locator('.member summary').first().click();
    await page.getByLabel('maxStalenessSeconds').fill('5');
    await assertClean(page, 'a problem');
    await page.getByRole('button', { name: 'Paste…' }).click();
    await page.getByLabel('What to read').fill('{"servers": [');
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByText('This cannot be read').waitFor();
    await assertClean(page, 'the dialog');
    await page.close();
  });
}
