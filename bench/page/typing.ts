/** Typing in the middle of the large record. */
import type { Page } from '@playwright/test';
import { inNewPage } from './browser.ts';
import { lines } from './clock.ts';
import { inFreshWorkbench } from './fresh.ts';
import { bareAddress, findLarge, type Pages } from './opening.ts';
import { middleTitle } from './records.ts';

export interface Typed {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
}

/** Milliseconds between two keys: a fast typist. */
const between = 70;

/** After so many keys, a rest: validation, marks, the draft and the rest answer, and the next keys meet them. */
const burst = 12;
const rests = [180, 260, 420, 620];

const words = 'seen at home and stable the plan was reviewed with the family ';

/** Milliseconds from each key to the end of the frame that shows it. */
export async function measureTyping(pages: Pages, keys: number): Promise<Typed> {
  const { browser, ours, bare, largeOurs, largeBare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) => {
      await findLarge(page, ours);
      await page.keyboard.press('Enter');
      await page.locator(lines).filter({ hasText: largeOurs }).waitFor();
      // Judged once: from now on validation is on.
      await page.getByRole('tab', { name: /Issues/ }).waitFor();
      return type(page, keys);
    }),
    bare: await inNewPage(browser, async (page) => {
      await page.goto(`${bareAddress(bare, largeBare)}&now`);
      await page.locator(lines).filter({ hasText: largeBare }).waitFor();
      return type(page, keys);
    }),
  };
}

export async function type(page: Page, keys: number): Promise<readonly number[]> {
  await page.locator(`${lines} .view-line`).first().click();
  await page.keyboard.press('Control+F');
  await page.getByRole('textbox', { name: 'Find' }).fill(middleTitle);
  await page.locator('.find-widget .matchesCount').filter({ hasText: '1 of 1' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.evaluate(() => {
    window.benchKeys = [];
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const painted = new MessageChannel();
          painted.port1.onmessage = () => window.benchKeys.push(performance.now() - timeStamp);
          painted.port2.postMessage(undefined);
        });
      },
      true,
    );
  });
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press(
      words.charAt(key % words.length) === ' ' ? 'Space' : words.charAt(key % words.length),
    );
    const rest = key % burst === burst - 1 ? (rests[Math.floor(key / burst) % rests.length] ?? 0) : between;
    await page.waitForTimeout(rest);
  }
  await page
    .locator('.view-line')
    .filter({ hasText: words.slice(0, 4) })
    .first()
    .waitFor();
  return page.evaluate(() => window.benchKeys);
}

/** The value that all but a hundredth of the values stay within. */
export function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN;
}
