/** Times of the page's own clock, taken in its frames. */
import type { Page } from '@playwright/test';

/** What to wait for: an element that has a box, and a text within it. */
export interface Sight {
  readonly selector: string;
  readonly holds?: string;
}

/** The lines that Monaco draws. */
export const lines = '.monaco-editor .view-lines';

/** Milliseconds from the start of the navigation to the first frame that shows the sight. */
export async function timeToLoad(page: Page, address: string, sight: Sight): Promise<number> {
  await page.addInitScript(look, sight);
  await page.goto(address, { waitUntil: 'commit' });
  return seen(page);
}

/** Milliseconds from the press of a key to the first frame that shows the sight. */
export async function timeFromKey(page: Page, key: string, sight: Sight): Promise<number> {
  await page.evaluate(look, sight);
  await page.evaluate(() => {
    addEventListener('keydown', ({ timeStamp }) => (window.benchPressed = timeStamp), {
      capture: true,
      once: true,
    });
  });
  await page.keyboard.press(key);
  const shown = await seen(page);
  return shown - (await page.evaluate(() => window.benchPressed));
}

/** Runs in the page. */
function look({ selector, holds = '' }: Sight): void {
  window.benchSeen = new Promise((resolve) => {
    const inFrame = () => {
      const shown = [...document.querySelectorAll(selector)].some(
        (element) => element.getClientRects().length > 0 && element.textContent.includes(holds),
      );
      if (shown) resolve(performance.now());
      else requestAnimationFrame(inFrame);
    };
    requestAnimationFrame(inFrame);
  });
}

function seen(page: Page): Promise<number> {
  return page.evaluate(() => window.benchSeen);
}

declare global {
  interface Window {
    benchSeen: Promise<number>;
    benchPressed: number;
    benchKeys: number[];
  }
}
