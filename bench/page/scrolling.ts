/** Measures the longest task of the page's main thread while many matches are scrolled. */
import type { Page } from '@playwright/test';
import { longestTask } from '../../e2e/frame-time.ts';
import { answerWith } from '../../e2e/many-results.ts';
import { inFreshWorkbench } from './fresh.ts';
import { openWorkbench, type Pages } from './opening.ts';

const turns = 30;
const jumps = 60;

/** Returns a figure per round, in milliseconds of the thread's processor time. */
export function measureScrolling(pages: Pages, results: number, rounds: number): Promise<number[]> {
  return inFreshWorkbench(pages, async (page) => {
    await answerWith(page, results);
    const workbench = await openWorkbench(page, pages.workbench);
    await workbench.search('Composition', {});
    await page.getByRole('button', { name: 'Load all' }).click();
    const stop = page.getByRole('button', { name: 'Stop loading' });
    await stop.waitFor();
    await stop.waitFor({ state: 'hidden', timeout: 180_000 });
    const longestMs: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      longestMs.push(await longestTask(page, () => scroll(page)));
    return longestMs;
  });
}

/** Scrolls with the wheel, then from start to end in jumps, one per frame. */
async function scroll(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Results' });
  await grid.hover();
  for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, 1200);
  await grid.evaluate(async (element, steps) => {
    for (let step = 0; step <= steps; step += 1) {
      element.scrollTop = (element.scrollHeight * step) / steps;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, jumps);
}
