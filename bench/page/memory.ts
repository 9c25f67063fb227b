/** JavaScript heap of the page while records are opened and closed. */
import type { CDPSession } from '@playwright/test';
import { editorLineSelector } from './clock.ts';
import { inFreshWorkbench } from './fresh.ts';
import { openWorkbench, type Pages } from './opening.ts';
import { firstRecordCount } from './options.ts';

/** Heap size before and after many records were opened. */
export interface HeapGrowth {
  /** Bytes after the first records, which fill the caches. */
  readonly firstBytes: number;
  /** Bytes after the last record. */
  readonly lastBytes: number;
}

/** Opens and closes records one after another. */
export function measureMemory(pages: Pages, recordCount: number): Promise<HeapGrowth> {
  return inFreshWorkbench(pages, async (page) => {
    const session = await page.context().newCDPSession(page);
    const workbench = await openWorkbench(page, pages.workbench);
    await workbench.search('Composition', {});
    await workbench.rows().first().focus();
    let firstBytes = NaN;
    for (let openedCount = 0; openedCount < recordCount; openedCount += 1) {
      if (openedCount === firstRecordCount) firstBytes = await readHeapBytes(session);
      if (openedCount > 0) {
        await workbench.rows().and(page.locator('[data-current]')).focus();
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await page.locator(editorLineSelector).filter({ hasText: 'resourceType' }).waitFor();
      await page.keyboard.press('Control+w');
      await page.locator('#panel-record').waitFor({ state: 'detached' });
    }
    return { firstBytes, lastBytes: await readHeapBytes(session) };
  });
}

/**
 * Returns the heap size after two garbage collections. The first one runs finalizers, the second frees their objects.
 */
async function readHeapBytes(session: CDPSession): Promise<number> {
  await session.send('Performance.enable');
  for (let round = 0; round < 2; round += 1) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN;
}
