// What is around the drawing: members to drag, what-if, advice, comparing, code, pasting.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openPage, stages, startBrowser, type TestBrowser } from './browser.js';

let browser: TestBrowser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

const addresses = (page: Awaited<ReturnType<typeof openPage>>) => page.locator('.member').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-address')));

test('a member is moved along the axis, by pointer and by keyboard, out of the window and back', async () => {
  const page = await openPage(browser, '#preset=2-5-150');
  const dot = page.getByRole('slider', { name: 'Round-trip time of m2.example.net' });
  // Of m1 and m2 the second is drawn first with seed 42, as in the first preset.
  assert.equal(await dot.getAttribute('aria-valuetext'), '5 ms, picked');
  const plot = (await page.locator('.axis-plot').boundingBox())!;
  const { x, y, width, height } = (await dot.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.8, y + height / 2, { steps: 4 });
  await page.mouse.up();
  assert.equal((await stages(page))['m2.example.net:27017'], 'latencyWindow');
  // Home is at 0 ms, so m2 is the nearest: the window ends at 15 ms, and m1 at 2 ms is in it.
  await dot.press('Home');
  assert.equal(await dot.getAttribute('aria-valuenow'), '0');
  assert.match(await page.locator('.band-end').innerText(), /^15 ms$/);
  await dot.press('ArrowRight');
  assert.equal(await dot.getAttribute('aria-valuenow'), '0.5');
  assert.equal(await page.getByLabel('RTT ms').nth(1).inputValue(), '0.5');
  await page.close();
});

test('members are added, dragged, moved by keyboard and removed', async () => {
  const page = await openPage(browser, '#preset=2-5-150');
  await page.getByRole('button', { name: 'Add a member' }).click();
  assert.deepEqual(await addresses(page), ['m1.example.net:27017', 'm2.example.net:27017', 'm3.example.net:27017', 'new4.example:27017']);
  await page.getByRole('button', { name: 'Move m1.example.net:27017:' }).press('ArrowDown');
  assert.equal((await addresses(page))[1], 'm1.example.net:27017');
  assert.equal(await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(document.activeElement?.getAttribute('aria-label'))))), 'Move m1.example.net:27017: arrow keys up and down');
  const grip = page.getByRole('button', { name: 'Move m2.example.net:27017:' });
  await grip.scrollIntoViewIfNeeded();
  const from = (await grip.boundingBox())!;
  const over = (await page.locator('.member').nth(1).boundingBox())!;
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(from.x + 5, over.y + over.height / 2, { steps: 5 });
  await page.mouse.up();
  assert.deepEqual((await addresses(page)).slice(0, 2), ['m1.example.net:27017', 'm2.example.net:27017']);
  await page.getByRole('button', { name: 'Remove m3.example.net:27017' }).click();
  assert.equal((await addresses(page)).length, 3);
  await page.close();
});

test('what if: each loss, and an event that is added; an impossible one says so', async () => {
  const page = await openPage(browser, '#preset=2-5-150');
  const table = page.getByRole('region', { name: 'What if: table' });
  // m1 down: until an election, and then with m2 or m3; m2 down; m3 down; and as it is, and the head.
  assert.equal(await table.getByRole('row').count(), 7);
  assert.match(await table.getByRole('row', { name: 'm1.example.net down none' }).innerText(), /noCandidate/);
  await page.getByLabel('every member lost').uncheck();
  await page.getByRole('combobox', { name: 'Event', exact: true }).selectOption('memberLags');
  await page.getByRole('combobox', { name: 'Member', exact: true }).selectOption('m2.example.net:27017');
  await page.getByLabel('Seconds', { exact: true }).fill('600');
  await page.getByRole('button', { name: 'Add the event' }).click();
  assert.equal(await table.getByRole('row').count(), 3);
  await page.getByLabel('Seconds', { exact: true }).fill('0');
  await page.getByRole('button', { name: 'Add the event' }).click();
  assert.match(await page.getByRole('tabpanel').locator('.problem').innerText(), /outOfRange\s+at events\[1\]\.lagSeconds/);
  await page.getByRole('button', { name: 'Take the event out' }).click();
  assert.equal(await table.getByRole('row').count(), 3);
  await page.close();
});

test('advice, comparing and code follow the preference', async () => {
  const page = await openPage(browser, '#preset=atlas');
  await page.getByRole('tab', { name: 'Advice' }).click();
  await page.getByText('analyticsFallback').waitFor();
  await page.getByLabel('it writes back').check();
  await page.getByText('writesBackStaleReads').waitFor();

  await page.getByRole('tab', { name: 'Advice' }).press('ArrowRight');
  await page.getByRole('button', { name: 'Remember this as' }).click();
  assert.match(await page.getByRole('tabpanel').innerText(), /No share changes/);
  await page.getByRole('radio', { name: 'primary The primary, or nobody.', exact: true }).check();
  assert.match(await page.getByRole('tabpanel').innerText(), /tagsWithPrimary/);
  for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Remove tag set 0' }).click();
  // The analytics node had all reads, and the primary has them now.
  const table = page.getByRole('region', { name: 'Compare: table' });
  assert.match(await table.getByRole('row', { name: /^shard-00-04/ }).innerText(), /−100 %/);
  assert.match(await table.getByRole('row', { name: /^shard-00-00/ }).innerText(), /\+100 %/);

  await page.getByRole('tab', { name: 'In your code' }).click();
  await page.getByRole('button', { name: 'PyMongo' }).click();
  assert.match(await page.getByRole('region', { name: 'Code: PyMongo' }).innerText(), /read_preference = Primary\(\)/);
  await page.getByRole('button', { name: 'connection string', exact: true }).click();
  assert.match(await page.getByRole('region', { name: 'Code: connection string' }).innerText(), /^mongodb:\/\/shard-00-00\.abc123\.example\.net:27017,/);
  await page.getByRole('tab', { name: 'As text' }).click();
  assert.match(await page.getByRole('region', { name: 'Explanation as text' }).innerText(), /^topology {4}ReplicaSetWithPrimary/);
  await page.close();
});

test('code and a link are copied', async () => {
  const page = await openPage(browser, '#preset=2-5-150', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('tab', { name: 'In your code' }).click();
  await page.getByRole('button', { name: 'Node.js' }).click();
  await page.getByRole('button', { name: 'Copy Node.js' }).click();
  await page.getByText('Copied').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /new ReadPreference\("nearest"\)/);
  await page.getByLabel('localThresholdMS').fill('200');
  await page.getByRole('button', { name: 'Copy a link' }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('#1.'));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await openPage(browser, new URL(link).hash);
  assert.equal(await other.getByLabel('localThresholdMS').inputValue(), '200');
  await other.close();
  await page.close();
});

test('a sharded cluster shows where the read goes in each part', async () => {
  const page = await openPage(browser, '#preset=sharded');
  // shard0 has a secondary in ny; that of shard1 is 249.5 s stale, so tag set {} takes the other.
  assert.match(await page.getByRole('button', { name: /^shard0/ }).innerText(), /s0b\.example\.net/);
  await page.getByRole('button', { name: /^shard1/ }).click();
  assert.deepEqual(await stages(page), { 's1a.example.net:27017': 'maxStaleness', 's1b.example.net:27017': 'mode', 's1c.example.net:27017': 'selected' });
  await page.close();
});

test('what is pasted is read; what cannot be read leaves all as it was', async () => {
  const page = await openPage(browser, '#preset=2-5-150');
  const before = await stages(page);
  const paste = async (text: string) => {
    await page.getByLabel('What to read').fill(text);
    await page.getByRole('button', { name: 'Read it' }).click();
  };
  await page.getByRole('button', { name: 'Paste…' }).click();
  await paste('{"topology": {"servers": [{"address": "a", "type": "RSPrimry"}]}}');
  const alert = page.getByRole('dialog').getByRole('alert');
  await alert.getByText('topology.servers[0].type').waitFor();
  assert.match(await alert.innerText(), /did you mean "RSPrimary"/);
  // 20 MB from the clipboard, which no field takes.
  await page.getByLabel('What to read').evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'x'.repeat(20_000_000));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByPlaceholder('20000000 characters').waitFor();
  await page.getByRole('button', { name: 'Read it' }).click();
  await alert.getByText('documentTooLarge').waitFor();
  assert.deepEqual(await stages(page), before);
  await paste("db.getMongo().setReadPref('secondary', [{ dc: 'ny' }, {}])");
  await page.getByText('Read as arguments of mongosh’s setReadPref.').waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(Object.values(await stages(page)), ['mode', 'selected', 'latencyWindow']);
  await page.getByRole('button', { name: 'Paste…' }).click();
  await paste(readFileSync('../data/rs-status-mongosh.txt', 'utf8'));
  await page.getByText('Read as rs.status().').waitFor();
  assert.match(await page.locator('.said').innerText(), /guessed: roundTripTimeMS is pingMs/);
  assert.ok((await addresses(page)).includes('ny1.example.net:27017'));
  await page.getByRole('button', { name: 'Paste…' }).click();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.close();
});
