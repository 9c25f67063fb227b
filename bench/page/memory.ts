/** JavaScript memory of the page after records were opened and closed. */
import type { CDPSession } from '@playwright/test';
import { lines } from './clock.ts';
import { inFreshWorkbench } from './fresh.ts';
import { start, type Pages } from './opening.ts';
import { firstRecords } from './options.ts';

export interface Memory {
  /** Bytes after the first records, and after all. */
  readonly firstBytes: number;
  readonly lastBytes: number;
}

export function measureMemory(pages: Pages, records: number): Promise<Memory> {
  return inFreshWorkbench(pages, async (page) => {
    const session = await page.context().newCDPSession(page);
    const workbench = await start(page, pages.ours);
    await workbench.search('Composition', {});
    await workbench.rows().first().focus();
    let firstBytes = NaN;
    for (let openedCount = 0; openedCount < records; openedCount += 1) {
      if (openedCount === firstRecords) firstBytes = await readHeapBytes(session);
      if (openedCount > 0) {
        await workbench.rows().and(page.locator('[data-current]')).focus();
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await page.locator(lines).filter({ hasText: 'resourceType' }).waitFor();
      await page.keyboard.press('Control+w');
      await page.locator('#panel-record').waitFor({ state: 'detached' });
    }
    return { firstBytes, lastBytes: await readHeapBytes(session) };
  });
}

/**
 * Returns the heap size after two collections. The first one runs finalizers, the second frees their objects.
 */
async function readHeapBytes(session: CDPSession): Promise<number> {
  await session.send('Performance.enable');
  for (let round = 0; round < 2; round += 1) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN;
}
