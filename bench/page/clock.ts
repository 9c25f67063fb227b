/** Times by the page's own clock, measured in its frames. */
import type { Page } from '@playwright/test';

/** The element to wait for: visible, and with a text. */
export interface ExpectedElement {
  readonly selector: string;
  readonly text?: string;
}

/** Selector of the lines that Monaco renders. */
export const editorLineSelector = '.monaco-editor .view-lines';

/** Returns the milliseconds from the navigation to the first frame with the element. */
export async function timeToLoad(page: Page, address: string, expected: ExpectedElement): Promise<number> {
  await page.addInitScript(waitForElement, expected);
  await page.goto(address, { waitUntil: 'commit' });
  return readSeenTime(page);
}

/** Returns the milliseconds from the reload of a page that {@link timeToLoad} has loaded to the same element. */
export async function timeToReload(page: Page): Promise<number> {
  await page.reload({ waitUntil: 'commit' });
  return readSeenTime(page);
}

/** Returns the milliseconds from a key press to the first frame with the element. */
export async function timeFromKey(page: Page, key: string, expected: ExpectedElement): Promise<number> {
  await page.evaluate(waitForElement, expected);
  await page.evaluate(() => {
    addEventListener('keydown', ({ timeStamp }) => (window.benchPressed = timeStamp), {
      capture: true,
      once: true,
    });
  });
  await page.keyboard.press(key);
  const seenTime = await readSeenTime(page);
  return seenTime - (await page.evaluate(() => window.benchPressed));
}

/** Runs in the page. */
function waitForElement({ selector, text = '' }: ExpectedElement): void {
  window.benchSeen = new Promise((resolve) => {
    const inFrame = () => {
      const isVisible = [...document.querySelectorAll(selector)].some(
        (element) => element.getClientRects().length > 0 && element.textContent.includes(text),
      );
      if (isVisible) resolve(performance.now());
      else requestAnimationFrame(inFrame);
    };
    requestAnimationFrame(inFrame);
  });
}

function readSeenTime(page: Page): Promise<number> {
  return page.evaluate(() => window.benchSeen);
}

declare global {
  interface Window {
    benchSeen: Promise<number>;
    benchPressed: number;
    benchKeys: number[];
  }
}
