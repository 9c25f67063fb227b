/** Times to the first usable field, and from a key to the large record's text. */
import type { Browser, Page } from '@playwright/test';
import { longestTask } from '../../e2e/frame-time.ts';
import { newLink } from '../../e2e/server.ts';
import { Workbench } from '../../e2e/workbench.ts';
import type { Server } from '../processes.ts';
import { inNewPage } from './browser.ts';
import { lines, timeFromKey, timeToLoad } from './clock.ts';
import { inFreshWorkbench } from './fresh.ts';
import { largePatient } from './records.ts';

export interface Pages {
  readonly browser: Browser;
  readonly ours: Server;
  readonly bare: Server;
  /** Ids of the large record on either server. */
  readonly largeOurs: string;
  readonly largeBare: string;
}

/** A figure of ours and, where there is one, that of the bare page. */
export interface Measured {
  readonly ours: number;
  readonly bare?: number;
}

const field = { selector: '[role=search] input[type=text]:enabled, [role=search] input:not([type]):enabled' };
const formatted = (id: string) => ({ selector: lines, holds: id });

/** From the navigation, nothing cached. */
export async function measureStart(pages: Pages): Promise<Measured> {
  const { browser, ours, bare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) => timeToLoad(page, await linkOf(ours), field)),
    bare: await inNewPage(browser, (page) =>
      timeToLoad(page, bareAddress(bare), { selector: `${lines} .view-line` }),
    ),
  };
}

/** The first record, at once after the search that found it; the bare page from its navigation. */
export async function measureFirst(pages: Pages): Promise<Measured> {
  const { browser, ours, bare, largeOurs, largeBare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) => {
      await findLarge(page, ours);
      return timeFromKey(page, 'Enter', formatted(largeOurs));
    }),
    bare: await inNewPage(browser, (page) =>
      timeToLoad(page, `${bareAddress(bare, largeBare)}&now`, formatted(largeBare)),
    ),
  };
}

/** One more record, with an editor there already; on both pages from the press of Enter. */
export async function measureNext(pages: Pages): Promise<Measured> {
  const { browser, ours, bare, largeOurs, largeBare } = pages;
  return {
    ours: await inFreshWorkbench(pages, async (page) => {
      const workbench = await start(page, ours);
      await workbench.search('CarePlan', { patient: 'demo-patient-001' });
      await workbench.openRow(workbench.rows().first());
      await find(workbench);
      return timeFromKey(page, 'Enter', formatted(largeOurs));
    }),
    bare: await inNewPage(browser, async (page) => {
      await page.goto(bareAddress(bare, largeBare));
      await page.locator(`${lines} .view-line`).first().waitFor();
      return timeFromKey(page, 'Enter', formatted(largeBare));
    }),
  };
}

/** From the press of Enter to the first section of a document in the reading view, and the longest task while it is scrolled. */
export function measureReading(
  pages: Pages,
  patient: string,
): Promise<{ readonly opened: number; readonly task: number }> {
  return inFreshWorkbench(pages, async (page) => {
    const workbench = await start(page, pages.ours);
    await find(workbench, patient);
    const opened = await timeFromKey(page, 'Enter', { selector: '[data-scroller] section', holds: 'Part 0' });
    const scroller = page.locator('[data-scroller]');
    const task = await longestTask(page, () => scroller.evaluate(scrollThrough, 40));
    return { opened, task };
  });
}

/** Runs in the page: from the beginning to the end, a step at each frame. */
async function scrollThrough(element: Element, steps: number): Promise<void> {
  for (let step = 0; step <= steps; step += 1) {
    element.scrollTop = (element.scrollHeight * step) / steps;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Opens the workbench. */
export async function start(page: Page, server: Server): Promise<Workbench> {
  const workbench = new Workbench(page);
  await workbench.open(await linkOf(server));
  return workbench;
}

/** Searches for the large record; its row has the focus. */
export async function findLarge(page: Page, server: Server): Promise<void> {
  await find(await start(page, server));
}

async function find(workbench: Workbench, patient = largePatient): Promise<void> {
  await workbench.search('Composition', { patient });
  await workbench.status.filter({ hasText: 'Found 1 Composition' }).waitFor();
  await workbench.rows().first().focus();
}

/** The workbench's address with a code to sign in with; each works once. */
export function linkOf({ port, token }: Server): Promise<string> {
  return newLink({ origin: `http://127.0.0.1:${port}`, token });
}

/** The bare page's address, which holds what it is to read with: a page of this bench alone. */
export function bareAddress({ port, token }: Server, id = ''): string {
  return `http://127.0.0.1:${port}/#bearer=${token}&record=Composition/${id}`;
}
