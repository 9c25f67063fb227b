import { chromium, type Browser, type Page } from '@playwright/test';
import { browserFlags, ensureWholeBrowser } from '../../scripts/browser.ts';

/** Chromium with what would wake up by itself left out. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: ensureWholeBrowser(),
    args: [...browserFlags],
  });
}

/** Runs `work` in a page of a new profile: nothing is cached, nothing was compiled before. */
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
