/** Measures typing in the middle of the large record. */
import type { Page } from '@playwright/test';
import { longestTask } from '../../e2e/frame-time.ts';
import { inNewPage } from './browser.ts';
import { editorLineSelector } from './clock.ts';
import { inFreshWorkbench } from './fresh.ts';
import { createBareAddress, findLarge, type Pages } from './opening.ts';
import { middleTitle } from './records.ts';

/** Durations of typing on a page, in milliseconds. */
export interface TypedPage {
  /** From each key to the end of its frame, including other load of the machine. */
  readonly keys: readonly number[];
  /** The longest task of the page's main thread, as its processor time. No key waits longer for the page. */
  readonly task: number;
}

export interface TypingFigures {
  readonly ours: TypedPage;
  readonly bare: TypedPage;
}

/** Milliseconds between two keys of a fast typist. */
const keyIntervalMs = 70;

/**
 * Number of keys before a pause. Validation, markers, the draft and the other listeners run then and meet the
 * next keys.
 */
const burstLength = 12;
const pausesMs = [180, 260, 420, 620];

const words = 'seen at home and stable the plan was reviewed with the family ';

/**
 * Types on both pages, first with a clock at each key, then under the browser's trace, which itself takes
 * time.
 */
export async function measureTyping(pages: Pages, keys: number): Promise<TypingFigures> {
  const { browser, workbench, bare, largeOurs, largeBare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) => {
      await findLarge(page, workbench);
      await page.keyboard.press('Enter');
      await page.locator(editorLineSelector).filter({ hasText: largeOurs }).waitFor();
      // The first validation has run, so validation is active from now on.
      await page.getByRole('tab', { name: /Issues/ }).waitFor();
      return typeTwice(page, keys);
    }),
    bare: await inNewPage(browser, async (page) => {
      await page.goto(`${createBareAddress(bare, largeBare)}&now`);
      await page.locator(editorLineSelector).filter({ hasText: largeBare }).waitFor();
      return typeTwice(page, keys);
    }),
  };
}

async function typeTwice(page: Page, keys: number): Promise<TypedPage> {
  await goToMiddle(page);
  const times = await measureKeys(page, () => type(page, keys));
  return { keys: times, task: await longestTask(page, () => type(page, Math.ceil(keys / 2))) };
}

/** Puts the cursor after the middle title. All work of the click and the search is done by then. */
export async function goToMiddle(page: Page): Promise<void> {
  await page.locator(`${editorLineSelector} .view-line`).first().click();
  await page.keyboard.press('Control+F');
  await page.getByRole('textbox', { name: 'Find' }).fill(middleTitle);
  await page.locator('.find-widget .matchesCount').filter({ hasText: '1 of 1' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.locator('.find-widget.visible').waitFor({ state: 'detached' });
}

/** Returns the milliseconds from each key that `work` presses to the end of the frame that shows it. */
export async function measureKeys(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
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
    const delayMs =
      key % burstLength === burstLength - 1
        ? (pausesMs[Math.floor(key / burstLength) % pausesMs.length] ?? 0)
        : keyIntervalMs;
    await page.waitForTimeout(delayMs);
  }
  await page
    .locator('.view-line')
    .filter({ hasText: words.slice(0, 4) })
    .first()
    .waitFor();
}

/** Returns the 99th percentile of the values. */
export function percentile99(values: readonly number[]): number {
  const sortedValues = values.toSorted((left, right) => left - right);
  return sortedValues[Math.ceil(sortedValues.length * 0.99) - 1] ?? NaN;
}
