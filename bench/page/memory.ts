/** The page's JavaScript memory after records were opened and closed. */
import type { CDPSession } from '@playwright/test';
import { lines } from './clock.ts';
import { inFreshWorkbench } from './fresh.ts';
import { start, type Pages } from './opening.ts';
import { firstRecords } from './options.ts';

export interface Memory {
  /** Bytes after the first records, and after all. */
  readonly first: number;
  readonly last: number;
}

export function measureMemory(pages: Pages, records: number): Promise<Memory> {
  return inFreshWorkbench(pages, async (page) => {
    const session = await page.context().newCDPSession(page);
    const workbench = await start(page, pages.ours);
    await workbench.search('Composition', {});
    await workbench.rows().first().focus();
    let first = NaN;
    for (let opened = 0; opened < records; opened += 1) {
      if (opened === firstRecords) first = await heap(session);
      if (opened > 0) {
        await workbench.rows().and(page.locator('[data-current]')).focus();
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await page.locator(lines).filter({ hasText: 'resourceType' }).waitFor();
      await page.keyboard.press('Control+w');
      await page.locator('#panel-record').waitFor({ state: 'detached' });
    }
    return { first, last: await heap(session) };
  });
}

/** What is left after two collections: the first frees what the second one's finalizers held. */
async function heap(session: CDPSession): Promise<number> {
  await session.send('Performance.enable');
  for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN;
}
