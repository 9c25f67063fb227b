import type { Page } from '@playwright/test';
import { expect, now, test } from './chartkeeper.ts';

/** Searches for the care plans of the first patient. Returns the rows of the grid. */
async function findPlans(page: Page) {
  await page.getByRole('combobox', { name: 'Resource type' }).selectOption('CarePlan');
  await page.getByRole('textbox', { name: 'Patient' }).fill('demo-patient-001');
  await page.getByRole('search').getByRole('button', { name: 'Search', exact: true }).click();
  const rows = page.getByRole('grid', { name: 'Results' }).getByRole('row');
  await expect(rows.nth(1)).toBeVisible();
  return rows;
}

for (const run of ['in the first test', 'in the next test, after a reset']) {
  test(`finds, opens and patches a care plan ${run}`, async ({ page, ask }) => {
    const rows = await findPlans(page);
    await rows.nth(1).dblclick();
    await expect(page.getByRole('region', { name: 'Record JSON' })).toContainText('"versionId": "1"');
    await page.getByRole('button', { name: 'Patch', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Compose patch' });
    await dialog.getByRole('combobox', { name: 'Path' }).fill('/title');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('Patched');
    await dialog.getByRole('button', { name: 'Apply patch' }).click();
    await expect(page.getByRole('status')).toContainText('version 2');

    const bundle = await ask('GET', '/fhir-r4/v1/CarePlan?subject=demo-patient-001&_sort=-_lastUpdated');
    const patchedEntries = bundle.entry.filter((entry: any) => entry.resource.title === 'Patched');
    expect(patchedEntries).toHaveLength(1);
    // The clock of the server stands still: only the second version of a record is a moment later.
    expect(Date.parse(patchedEntries[0].resource.meta.lastUpdated) - Date.parse(now)).toBeLessThan(1000);
  });
}
