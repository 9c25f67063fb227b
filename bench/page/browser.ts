import { chromium, type Browser, type Page } from '@playwright/test';
import { browserFlags, ensureFullBrowser } from '../../scripts/browser.ts';

/** Starts Chromium without background activity. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: ensureFullBrowser(),
    args: [...browserFlags],
  });
}

/** Runs `work` in a page of a new profile, without caches. */
export async function inNewPage<Result>(
  browser: Browser,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}
