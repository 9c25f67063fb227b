/** The everyday journey in the system's Firefox, which WebDriver BiDi drives. Playwright needs a patched Firefox. */
import { launch } from 'puppeteer-core';
import { findFirefox } from '../scripts/browser.ts';
import { expect, test } from './fixtures.ts';
import { planText, readPlan, storePlan } from './record-page.ts';

const executablePath = findFirefox() ?? '';

/** Long enough for a busy machine. The limit only ends a hanging test. */
const timeoutMs = 150_000;

/** No address but the machine's own is reached: all others lead to a port without a proxy. */
const offline = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': '127.0.0.1',
};

test.skip(executablePath === '', 'not run: Firefox is not installed (Debian: firefox-esr)');

test(
  'finds, opens, edits, reviews and saves a record in Firefox',
  { tag: ['@save', '@browser'] },
  async ({ server }) => {
    const id = await storePlan(server);
    const browser = await launch({
      browser: 'firefox',
      executablePath,
      timeout: timeoutMs,
      extraPrefsFirefox: offline,
      defaultViewport: { width: 1280, height: 800 },
    });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(timeoutMs);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(await server.link());

      await page.locator('[role=search] ::-p-aria([name="Patient"][role="textbox"])').fill('exact');
      await page.locator('[role=search] ::-p-aria([name="Search"][role="button"])').click();
      await page.locator('[role=grid] [role=gridcell]::-p-text(Exact)').click({ count: 2 });

      await page.locator('.view-line ::-p-text("Exact")').click();
      await page.waitForFunction(() => document.activeElement?.closest('.monaco-editor') !== null);
      for (const key of ['End', 'ArrowLeft', 'ArrowLeft'] as const) await page.keyboard.press(key);
      await page.keyboard.type(' to the digit');

      await page.locator('::-p-aria([name="Review changes"][role="button"])').click();
      await page.locator('[aria-label="Changed paths"]::-p-text("Exact to the digit")').wait();
      await page.locator('[role=dialog] ::-p-aria([name="Save"][role="button"])').click();
      await page.locator('[role=status]::-p-text(Saved version 2)').wait();

      const savedText = await readPlan(server, id);
      const { lastUpdated } = JSON.parse(savedText).meta;
      const meta = `"id":"${id}","meta":{"versionId":"2","lastUpdated":"${lastUpdated}"}`;
      const editedText = planText.replace('"Exact"', '"Exact to the digit"');
      expect(savedText).toBe(editedText.replace('"CarePlan",', `"CarePlan",${meta},`));
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
