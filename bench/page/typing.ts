/** Typing in the middle of the large record. */
import type { Page } from '@playwright/test';
import { longestTask } from '../../e2e/frame-time.ts';
import { inNewPage } from './browser.ts';
import { lines } from './clock.ts';
import { inFreshWorkbench } from './fresh.ts';
import { bareAddress, findLarge, type Pages } from './opening.ts';
import { middleTitle } from './records.ts';

/** What typing took on a page, in milliseconds. */
export interface TypedPage {
  /** From each key to the end of its frame, with whatever else the machine does at the time. */
  readonly keys: readonly number[];
  /** The longest task of the page's main thread, in its own processor time: no key waits longer for the page. */
  readonly task: number;
}

export interface Typed {
  readonly ours: TypedPage;
  readonly bare: TypedPage;
}

/** Milliseconds between two keys: a fast typist. */
const between = 70;

/** After so many keys, a rest: validation, marks, the draft and the rest answer, and the next keys meet them. */
const burst = 12;
const rests = [180, 260, 420, 620];

const words = 'seen at home and stable the plan was reviewed with the family ';

/** Types on either page, first with a clock at each key, then under the browser's trace, which itself costs time. */
export async function measureTyping(pages: Pages, keys: number): Promise<Typed> {
  const { browser, ours, bare, largeOurs, largeBare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) => {
      await findLarge(page, ours);
      await page.keyboard.press('Enter');
      await page.locator(lines).filter({ hasText: largeOurs }).waitFor();
      // Judged once: from now on validation is on.
      await page.getByRole('tab', { name: /Issues/ }).waitFor();
      return typeTwice(page, keys);
    }),
    bare: await inNewPage(browser, async (page) => {
      await page.goto(`${bareAddress(bare, largeBare)}&now`);
      await page.locator(lines).filter({ hasText: largeBare }).waitFor();
      return typeTwice(page, keys);
    }),
  };
}

async function typeTwice(page: Page, keys: number): Promise<TypedPage> {
  await goToMiddle(page);
  const times = await timed(page, () => type(page, keys));
  return { keys: times, task: await longestTask(page, () => type(page, Math.ceil(keys / 2))) };
}

/** Puts the cursor behind the middle title; by then all that a click and a search start is done. */
export async function goToMiddle(page: Page): Promise<void> {
  await page.locator(`${lines} .view-line`).first().click();
  await page.keyboard.press('Control+F');
  await page.getByRole('textbox', { name: 'Find' }).fill(middleTitle);
  await page.locator('.find-widget .matchesCount').filter({ hasText: '1 of 1' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.locator('.find-widget.visible').waitFor({ state: 'detached' });
}

/** Milliseconds from each key that `work` presses to the end of the frame that shows it. */
export async function timed(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
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
  await work();
  return page.evaluate(() => window.benchKeys);
}

export async function type(page: Page, keys: number): Promise<void> {
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
}

/** The value that all but a hundredth of the values stay within. */
export function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN;
}
