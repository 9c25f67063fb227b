import type { Locator } from '@playwright/test';
import type { QualityOverview } from '../core/app/quality.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { QualityPage } from './quality-page.ts';
import { loadSet } from './server.ts';
import { onSharedStore } from './shared-store.ts';

/** Highest number of steps from the dirty store to one without errors. */
const maxSteps = 40;

const removal = 'Remove elements with errors (their content is lost)';

/** Thousands of requests take minutes on a busy machine. */
const pollOptions = { timeout: 600_000 };

test('repairs the failed migration completely with quick fixes, bulk edits and undo, as the trend shows @fixes', async ({
  workbench: _,
  page,
  server,
}) => {
  test.setTimeout(1_800_000);
  let steps = 0;
  const click = async (target: Locator) => {
    steps += 1;
    await target.click();
  };
  const select = async (target: Locator, label: string) => {
    steps += 1;
    await target.selectOption({ label });
  };
  const errors = async () => {
    const answer = await fetch(`${server.origin}/app/quality?severity=error`, {
      headers: { Authorization: `Bearer ${server.token}` },
    });
    const { groups } = (await answer.json()) as QualityOverview;
    return groups.reduce((sum, { findings }) => sum + findings, 0);
  };

  if (onSharedStore) {
    await loadSet(server, 'migration');
    await page.reload();
  } else {
    const data = new DataPage(page);
    await click(page.getByRole('navigation').getByRole('button', { name: 'Data', exact: true }));
    await click(page.getByRole('tab', { name: 'Training data', exact: true }));
    await click(data.button('Load migration gone wrong'));
    await expect(data.set('Migration gone wrong')).toContainText(/([0-9,]+) of \1/, pollOptions);
  }
  const initialErrors = await errors();
  expect(initialErrors).toBeGreaterThan(100);

  const quality = new QualityPage(page);
  steps += 1;
  await quality.open();
  const conformance = page
    .getByRole('region', { name: /^Records without issues/ })
    .getByText(/^[0-9.]+%$/)
    .nth(1);
  const before = Number.parseFloat(await conformance.innerText());
  await select(page.getByRole('combobox', { name: 'Severity' }), 'Errors');

  const applyFix = async (fix: string) => {
    await click(page.getByRole('button', { name: 'Bulk edit', exact: true }));
    await select(quality.sheet.getByRole('combobox', { name: 'Fix' }), fix);
    await click(quality.sheet.getByRole('button', { name: 'Start dry run' }));
    await expect(quality.sheet.getByText(/^Dry run complete/)).toBeVisible(pollOptions);
    await click(quality.sheet.getByRole('button', { name: /^Change [0-9]/ }));
    await expect(quality.sheet.getByText(/^[0-9,]+ records? changed$/)).toBeVisible(pollOptions);
  };
  const close = (sheet: Locator) => click(sheet.getByRole('button', { name: 'Close', exact: true }));

  // Too much: the errors are gone together with the content. It is undone, and safe fixes come first.
  await applyFix(removal);
  await click(quality.sheet.getByRole('button', { name: 'Undo', exact: true }));
  await click(quality.sheet.getByRole('button', { name: /^Undo [0-9]/ }));
  const undo = page.getByRole('dialog', { name: 'Undo bulk edit' });
  await expect(undo.getByText(/^[0-9,]+ records? restored$/)).toBeVisible(pollOptions);
  await close(undo);
  await expect.poll(errors, pollOptions).toBe(initialErrors);

  for (const fix of ['All safe fixes', removal]) {
    await applyFix(fix);
    await close(quality.sheet);
  }

  await expect.poll(errors, pollOptions).toBe(0);
  await expect(page.getByRole('listbox', { name: 'Rules' })).toHaveText(/All issues\s*0 issues/);
  await page.reload();
  await expect
    .poll(async () => Number.parseFloat(await conformance.innerText()), pollOptions)
    .toBeGreaterThan(before);
  expect(steps).toBeLessThan(maxSteps);
});
