/**
 * Visible focus everywhere: Tab goes through each view, every stop shows its focus, and none traps the keys.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { overlap } from './overlap.ts';
import { PatchPage } from './patch-page.ts';
import { RecordPage, storePlan } from './record-page.ts';
import { loadSet, skipOnSharedStore, patchRecord, type TestServer } from './server.ts';
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
    await expect(desk.page.getByRole('grid', { name: 'Issues' })).toBeVisible();
  },
  Activity: async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await openView(page, 'Activity');
    await page.getByRole('grid', { name: 'Activity' }).getByRole('row').nth(1).click();
  },
  Audit: async ({ page }) => {
    await openView(page, 'Audit');
    await page.getByRole('grid', { name: 'Audit log' }).getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'Verify log' }).click();
    await expect(page.getByRole('note')).toContainText('No changes found.');
  },
  Data: ({ page }) => openView(page, 'Data'),
  backups: async ({ page }) => {
    skipOnSharedStore(test, 'backups');
    await new Frame(page).run('Back up now');
    await expect(page.getByRole('table', { name: 'Backups' }).getByRole('row')).toHaveCount(2);
  },
  'training data': async ({ page }) => {
    skipOnSharedStore(test, 'training data');
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
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByRole('dialog', { name: 'Create token' })).toBeVisible();
  },
};

for (const [name, show] of Object.entries(views)) {
  test(
    `shows the focus at every Tab stop of ${name}, and returns to the start`,
    { tag: '@accessibility' },
    async ({ workbench, page, server }) => {
      test.slow();
      await show({ workbench, page, server });
      expect(await tour(page)).toEqual([]);
    },
  );
}

test('shows the focus at every Tab stop of a record, from the editor and back @accessibility', async ({
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
 * Presses Tab until it returns to the start, or reaches an element of a selector. Returns the stops without a
 * visible focus.
 */
async function tour(page: Page, end?: string): Promise<readonly string[]> {
  await page.evaluate(prepare, end);
  const unseen: string[] = [];
  for (let steps = 0; steps < 400; steps += 1) {
    await page.keyboard.press('Tab');
    const { name, isVisible, isRound } = await page.evaluate(() => window.focusStop());
    if (isRound) return unseen;
    if (!isVisible) unseen.push(name);
  }
  return [...unseen, 'The keys do not come round.'];
}

interface Stop {
  readonly name: string;
  readonly isVisible: boolean;
  /** True if the stop was visited before or ends the tour. */
  readonly isRound: boolean;
}

declare global {
  interface Window {
    focusStop(): Stop;
  }
}

/** Adds a function to the page that checks the focused element. */
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
    // Parts of the browser have the focus between the last and the first stop.
    if (!element || element === document.body) return { name: '', isVisible: true, isRound: false };
    const round = met.has(element) || (end !== undefined && element.closest(end) !== null);
    met.add(element);
    const name = `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`.slice(
      0,
      80,
    );
    // A text shows its cursor. A control that its label renders has a ring there, a list has one at its
    // cursor.
    const editor = element.closest('.monaco-editor');
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const option = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
    const isVisible = editor
      ? editor.classList.contains('focused') || ring(element)
      : [element, label, option, element.nextElementSibling, element.parentElement].some(
          (element) => ring(element) || ring(element, '::before') || ring(element, '::after'),
        );
    return { name, isVisible, isRound: round };
  };
}
