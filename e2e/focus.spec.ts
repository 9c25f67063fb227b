/** A visible focus everywhere: Tab goes through each view, every stop shows where it is, and none holds the keys. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { overlap } from './overlap.ts';
import { PatchPage } from './patch-page.ts';
import { RecordPage, storePlan } from './record-page.ts';
import { loadSet, ofFolderAlone, patchRecord, type TestServer } from './server.ts';
import type { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

interface Desk {
  readonly workbench: Workbench;
  readonly page: Page;
  readonly server: TestServer;
}

const patient = 'demo-patient-089';

const views: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  'the start': () => Promise.resolve(),
  'the results': async ({ workbench }) => {
    await workbench.search('CarePlan', { patient });
    await expect(workbench.rows().first()).toBeVisible();
  },
  Quality: async (desk) => {
    await loadSet(desk.server, 'migration');
    await desk.page.reload();
    await openView(desk.page, /^Quality/);
    await expect(desk.page.getByRole('grid', { name: 'Findings' })).toBeVisible();
  },
  Activity: async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await openView(page, 'Activity');
    await page.getByRole('grid', { name: 'Activity' }).getByRole('row').nth(1).click();
  },
  Audit: async ({ page }) => {
    await openView(page, 'Audit');
    await page.getByRole('grid', { name: 'Audit trail' }).getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'Check the trail' }).click();
    await expect(page.getByRole('note')).toContainText('The trail is whole');
  },
  Data: ({ page }) => openView(page, 'Data'),
  backups: async ({ page }) => {
    ofFolderAlone(test, 'backups');
    await new Frame(page).run('Back up now');
    await expect(page.getByRole('table', { name: 'Backups' }).getByRole('row')).toHaveCount(2);
  },
  'training data': async ({ page }) => {
    ofFolderAlone(test, 'training data');
    await new Frame(page).run('Load training data');
  },
  Access: ({ page }) => openView(page, 'Access'),
  review: async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await workbench.openRow(workbench.rows().first());
    await workbench.replaceInEditor('"title": "', '"title": "Mine: ');
    await new RecordPage(page).startReview();
  },
  'the conflict sheet': async ({ workbench, page, server }) => {
    await overlap(workbench, page, server);
  },
  'the patch composer': async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await workbench.openRow(workbench.rows().first());
    const patch = new PatchPage(page);
    await patch.open();
    await patch.path().fill('/status');
  },
  'the history sheet': async ({ page, server }) => {
    const id = await storePlan(server);
    await patchRecord(server, `CarePlan/${id}`, '/title', 'Exact 2');
    await new RecordPage(page).open();
    await page.getByRole('button', { name: 'History' }).click();
    await expect(page.getByRole('dialog', { name: /^History of/ })).toContainText('1 change');
  },
  help: async ({ page }) => {
    await page.keyboard.press('Shift+F1');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  },
  'the question for a token': async ({ page }) => {
    await openView(page, 'Access');
    await page.getByRole('button', { name: 'Mint token' }).click();
    await expect(page.getByRole('dialog', { name: 'Mint token' })).toBeVisible();
  },
};

for (const [name, show] of Object.entries(views)) {
  test(
    `in ${name} every stop of Tab is seen, and the keys come round`,
    { tag: '@long' },
    async ({ workbench, page, server }) => {
      test.slow();
      await show({ workbench, page, server });
      expect(await tour(page)).toEqual([]);
    },
  );
}

test('in a record every stop of Tab is seen, from the editor round to the editor @long', async ({
  workbench,
  page,
  server,
}) => {
  await storePlan(server);
  await new RecordPage(page).open();
  await expect(workbench.editor.locator('.monaco-editor.focused')).toBeVisible();
  await page.keyboard.press('F6');
  expect(await tour(page, '[aria-label="Record JSON"]')).toEqual([]);
});

async function openView(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click();
}

/**
 * Goes by Tab until it comes to where it was, or into what a selector names; tells the stops that do not show that
 * they have the focus.
 */
async function tour(page: Page, end?: string): Promise<readonly string[]> {
  await page.evaluate(prepare, end);
  const unseen: string[] = [];
  for (let steps = 0; steps < 400; steps += 1) {
    await page.keyboard.press('Tab');
    const { name, seen, round } = await page.evaluate(() => window.focusStop());
    if (round) return unseen;
    if (!seen) unseen.push(name);
  }
  return [...unseen, 'The keys do not come round.'];
}

interface Stop {
  readonly name: string;
  readonly seen: boolean;
  /** Whether it was met before, or is where the way ends. */
  readonly round: boolean;
}

declare global {
  interface Window {
    focusStop(): Stop;
  }
}

/** Puts into the page what looks at the element that has the focus. */
function prepare(end: string | undefined): void {
  const met = new Set<Element>();
  const ring = (element: Element | null | undefined, pseudo?: string): boolean => {
    if (!element) return false;
    const style = getComputedStyle(element, pseudo);
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    return outlined && !/^(transparent|rgba\(.*, 0\))$/.test(style.outlineColor);
  };
  window.focusStop = () => {
    const element = document.activeElement;
    // Between the last stop and the first the browser's own parts have the focus.
    if (!element || element === document.body) return { name: '', seen: true, round: false };
    const round = met.has(element) || (end !== undefined && element.closest(end) !== null);
    met.add(element);
    const name = `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`.slice(
      0,
      80,
    );
    // In a text the cursor shows the place; a control that is drawn by its label is ringed there, a list at its cursor.
    const editor = element.closest('.monaco-editor');
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const option = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
    const seen = editor
      ? editor.classList.contains('focused') || ring(element)
      : [element, label, option, element.nextElementSibling, element.parentElement].some(
          (one) => ring(one) || ring(one, '::before') || ring(one, '::after'),
        );
    return { name, seen, round };
  };
}
