import type { Locator } from '@playwright/test';
import type { QualityOverview } from '../core/app/quality.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { QualityPage } from './quality-page.ts';
import { loadSet } from './server.ts';
import { onSharedStore } from './shared-store.ts';

/** What a person does at most, from an empty store to one without errors. */
const most = 40;

const removal = 'Remove the elements with errors; what they say is lost';

/** Thousands of requests: a busy machine takes minutes for them. */
const patience = { timeout: 600_000 };

test('the migration that went wrong is mended to the last error by quick fixes, bulk changes and undo alone, and the trend shows it @long', async ({
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
  const choose = async (target: Locator, label: string) => {
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
    await expect(data.set('Migration gone wrong')).toContainText(/([0-9,]+) of \1/, patience);
  }
  const atFirst = await errors();
  expect(atFirst).toBeGreaterThan(100);

  const quality = new QualityPage(page);
  steps += 1;
  await quality.open();
  const conformance = page
    .getByRole('region', { name: /^Records without a finding/ })
    .getByText(/^[0-9.]+ %$/)
    .nth(1);
  const before = Number.parseFloat(await conformance.innerText());
  await choose(page.getByRole('combobox', { name: 'Severity' }), 'Errors');

  const mend = async (fix: string) => {
    await click(page.getByRole('button', { name: 'Replace in all' }));
    await choose(quality.sheet.getByRole('combobox', { name: 'Fix' }), fix);
    await click(quality.sheet.getByRole('button', { name: 'Start dry run' }));
    await expect(quality.sheet.getByText(/^Dry run over/)).toBeVisible(patience);
    await click(quality.sheet.getByRole('button', { name: /^Replace in [0-9]/ }));
    await expect(quality.sheet.getByText(/^Replaced in/)).toBeVisible(patience);
  };
  const close = (sheet: Locator) => click(sheet.getByRole('button', { name: 'Close', exact: true }));

  // Too much: the errors are gone with what the elements said. It is taken back, and begun with what is safe.
  await mend(removal);
  await click(quality.sheet.getByRole('button', { name: 'Undo run' }));
  await click(quality.sheet.getByRole('button', { name: /^Undo in [0-9]/ }));
  const undo = page.getByRole('dialog', { name: 'Undo of a run' });
  await expect(undo.getByText(/^Put back [0-9]/)).toBeVisible(patience);
  await close(undo);
  await expect.poll(errors, patience).toBe(atFirst);

  for (const fix of ['Whatever has a safe fix', removal]) {
    await mend(fix);
    await close(quality.sheet);
  }

  await expect.poll(errors, patience).toBe(0);
  await expect(page.getByRole('listbox', { name: 'Rules' })).toHaveText(/All issues\s*0 findings/);
  await page.reload();
  await expect
    .poll(async () => Number.parseFloat(await conformance.innerText()), patience)
    .toBeGreaterThan(before);
  expect(steps).toBeLessThan(most);
});
