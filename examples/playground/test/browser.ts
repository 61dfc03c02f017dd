// Chromium, with the page that was built, on a server of its own.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { serve } from '../serve.js';

export interface TestBrowser {
  browser: Browser;
  url: string;
  close: () => Promise<void>;
}

export async function startBrowser(): Promise<TestBrowser> {
  const server: Server = await serve('../../build/playground');
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM!, args: ['--no-sandbox'] });
  return {
    browser,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      await browser.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A page of its own; whatever it complains about fails the test, and so does whatever it loads from elsewhere. */
export async function openPage({ browser, url }: TestBrowser, hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(30_000);
  const fail = (what: string) => {
    throw new Error(what);
  };
  page.on('pageerror', (error) => fail(`an exception in the page: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && fail(`the console says: ${message.text()}`));
  page.on('request', (request) => /^(data|blob):/.test(request.url()) || request.url().startsWith(url) || fail(`the page asks for ${request.url()}`));
  await page.goto(url + hash);
  await page.locator('.bench').waitFor();
  return page;
}

/** Where each member of the drawing ends. */
export function stages(page: Page): Promise<Record<string, string>> {
  return page.locator('.lane').evaluateAll((lanes) => Object.fromEntries(lanes.map((lane) => [lane.getAttribute('data-address'), lane.getAttribute('data-stage')])));
}
