/** Measures the times to the first usable field, and from a key press to the text of the large record. */
import type { Browser, Page } from '@playwright/test';
import { longestTask } from '../../e2e/frame-time.ts';
import { newLink } from '../../e2e/server.ts';
import { Workbench } from '../../e2e/workbench.ts';
import type { Server } from '../processes.ts';
import { inNewPage } from './browser.ts';
import { editorLineSelector, timeFromKey, timeToLoad, timeToReload } from './clock.ts';
import { inFreshWorkbench } from './fresh.ts';
import { largePatient } from './records.ts';

export interface Pages {
  readonly browser: Browser;
  readonly workbench: Server;
  readonly bare: Server;
  /** Ids of the large record on each server. */
  readonly largeOurs: string;
  readonly largeBare: string;
}

/** A figure of the workbench, and the same figure of the bare page if it has one. */
export interface PageFigure {
  readonly ours: number;
  readonly bare?: number;
}

const searchField = {
  selector: '[role=search] input[type=text]:enabled, [role=search] input:not([type]):enabled',
};
const expectText = (id: string) => ({ selector: editorLineSelector, text: id });

/** Measures from the navigation, without caches. */
export async function measureStart(pages: Pages): Promise<PageFigure> {
  const { browser, workbench, bare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) =>
      timeToLoad(page, await createLink(workbench), searchField),
    ),
    bare: await inNewPage(browser, (page) =>
      timeToLoad(page, createBareAddress(bare), { selector: `${editorLineSelector} .view-line` }),
    ),
  };
}

/** The milliseconds of a first load and of a reload after it, and the bytes that the reload received. */
export interface ReloadFigure {
  readonly firstMs: number;
  readonly reloadMs: number;
  readonly reloadBytes: number;
}

/** Milliseconds in which the first load ends its work behind the field. */
const settleMs = 1000;

/** Measures the first reload. The browser has kept the assets, but not yet the compiled code. */
export function measureReload(pages: Pages): Promise<ReloadFigure> {
  return inFreshWorkbench(pages, async (page) => {
    const firstMs = await timeToLoad(page, await createLink(pages.workbench), searchField);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await page.waitForTimeout(settleMs);
    let reloadBytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (reloadBytes += encodedDataLength));
    return { firstMs, reloadMs: await timeToReload(page), reloadBytes };
  });
}

/**
 * Measures the first record, opened right after the search that found it. The bare page is measured from its
 * navigation.
 */
export async function measureFirst(pages: Pages): Promise<PageFigure> {
  const { browser, workbench, bare, largeOurs, largeBare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) => {
      await findLarge(page, workbench);
      return timeFromKey(page, 'Enter', expectText(largeOurs));
    }),
    bare: await inNewPage(browser, (page) =>
      timeToLoad(page, `${createBareAddress(bare, largeBare)}&now`, expectText(largeBare)),
    ),
  };
}

/** Measures another record with an existing editor, on both pages from the press of Enter. */
export async function measureNext(pages: Pages): Promise<PageFigure> {
  const { browser, workbench: ours, bare, largeOurs, largeBare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) => {
      const workbench = await openWorkbench(page, ours);
      await workbench.search('CarePlan', { patient: 'demo-patient-001' });
      await workbench.openRow(workbench.rows().first());
      await findDocument(workbench);
      return timeFromKey(page, 'Enter', expectText(largeOurs));
    }),
    bare: await inNewPage(browser, async (page) => {
      await page.goto(createBareAddress(bare, largeBare));
      await page.locator(`${editorLineSelector} .view-line`).first().waitFor();
      return timeFromKey(page, 'Enter', expectText(largeBare));
    }),
  };
}

/**
 * Measures the time from Enter to the first section in the reading view, and the longest task while
 * scrolling.
 */
export function measureReading(
  pages: Pages,
  patient: string,
): Promise<{ readonly openMs: number; readonly taskMs: number }> {
  return inFreshWorkbench(pages, async (page) => {
    const workbench = await openWorkbench(page, pages.workbench);
    await findDocument(workbench, patient);
    const openMs = await timeFromKey(page, 'Enter', { selector: '[data-scroller] section', text: 'Part 0' });
    const scroller = page.locator('[data-scroller]');
    const taskMs = await longestTask(page, () => scroller.evaluate(scrollThrough, 40));
    return { openMs, taskMs };
  });
}

/** Runs in the page: scrolls from the start to the end, one step per frame. */
async function scrollThrough(element: Element, steps: number): Promise<void> {
  for (let step = 0; step <= steps; step += 1) {
    element.scrollTop = (element.scrollHeight * step) / steps;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Opens the workbench. */
export async function openWorkbench(page: Page, server: Server): Promise<Workbench> {
  const workbench = new Workbench(page);
  await workbench.open(await createLink(server));
  return workbench;
}

/** Searches for the large record and focuses its row. */
export async function findLarge(page: Page, server: Server): Promise<void> {
  await findDocument(await openWorkbench(page, server));
}

async function findDocument(workbench: Workbench, patient = largePatient): Promise<void> {
  await workbench.search('Composition', { patient });
  await workbench.status.filter({ hasText: 'Found 1 Composition' }).waitFor();
  await workbench.rows().first().focus();
}

/** Returns the address of the workbench with a new sign-in code. Each code works once. */
export function createLink({ port, token }: Server): Promise<string> {
  return newLink({ origin: `http://127.0.0.1:${port}`, token });
}

/** Returns the address of the bare page with the token. Only this benchmark uses such an address. */
export function createBareAddress({ port, token }: Server, id = ''): string {
  return `http://127.0.0.1:${port}/#bearer=${token}&record=Composition/${id}`;
}
