import { expect, test } from './fixtures.ts';
import { readPlan, storePlan } from './record-page.ts';
import { patchRecord } from './server.ts';
import type { Workbench } from './workbench.ts';

const plan =
  '{"resourceType":"CarePlan","title":"Version one","status":"active","intent":"plan","subject":{"reference":"Patient/past"},"activity":[{"detail":{"status":"scheduled","quantity":{"value":1.00}}}]}';

/** Returns a record's text without the metadata of a version. */
const content = (text: string) => text.replace(/"versionId":"\d+","lastUpdated":"[^"]+"/, '');

async function openHistory(workbench: Workbench, title: string) {
  const { page } = workbench;
  await workbench.search('CarePlan', { patient: 'past' });
  await workbench.openRow(workbench.rows(title));
  await page.getByRole('tab', { name: 'History' }).click();
  return page.getByRole('listbox', { name: 'Versions' });
}

test('shows the author and changes of versions, and compares any two by keyboard @history', async ({
  workbench,
  page,
  server,
}) => {
  const id = await storePlan(server, plan);
  await patchRecord(server, `CarePlan/${id}`, '/title', 'Version two');
  await patchRecord(server, `CarePlan/${id}`, '/status', 'completed');
  const versions = await openHistory(workbench, 'Version two');
  const lines = versions.getByRole('option');
  await expect(lines).toHaveCount(3);
  await expect(lines.first()).toContainText(/Version 3.*current.*Patched by .*1 change: CarePlan\.status/);
  await expect(lines.last()).toContainText(/Version 1.*Created by/);

  await versions.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: /^History of/ });
  const difference = sheet.getByRole('region', { name: 'Changes', exact: true });
  await expect(sheet).toContainText('2 changes');
  await expect(difference).toContainText('Version one');
  await expect(difference).toContainText('Version two');
  // Server metadata is shown only on request.
  await expect(difference).not.toContainText('versionId');
  await sheet.getByRole('switch', { name: 'Show version ID and time (meta)' }).click();
  await expect(difference).toContainText('versionId');
  await expect(sheet).toContainText('2 changes');
  await sheet.getByRole('listbox', { name: 'Versions' }).focus();

  await expect(sheet.getByRole('listbox', { name: 'Versions' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(difference).toContainText(/^Version 2Version 3/);
  await page.keyboard.press('End');
  await expect(difference).toContainText('Before the first version');
});

test('restores an earlier version through the review, with exactly the same text @history', async ({
  workbench,
  page,
  server,
}) => {
  const id = await storePlan(server, plan);
  await patchRecord(server, `CarePlan/${id}`, '/title', 'Version two');
  await patchRecord(server, `CarePlan/${id}`, '/activity/0/detail/quantity/value', 7);
  const versions = await openHistory(workbench, 'Version two');
  await expect(page.getByRole('button', { name: 'Restore version 3' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await versions.getByRole('option').last().click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const review = workbench.dialog('Review changes');
  await expect(review).toContainText('CarePlan.activity[0].detail.quantity.value');
  expect(await readPlan(server, id)).toContain('"versionId":"3"');
  await review.getByRole('button', { name: 'Save' }).click();
  await expect(workbench.status).toContainText('Saved version 4');
  expect(content(await readPlan(server, id))).toBe(content(await readPlan(server, `${id}/_history/1`)));
  await expect(versions.getByRole('option').first()).toContainText('Version 4');
});

test('reads a long history page by page @history', async ({ workbench, page, server }) => {
  const id = await storePlan(server, plan);
  for (let number = 2; number <= 60; number += 1) {
    await patchRecord(server, `CarePlan/${id}`, '/title', `Version ${number}`);
  }
  const versions = await openHistory(workbench, 'Version 60');
  await expect(versions.getByRole('option')).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older versions' }).click();
  await expect(versions.getByRole('option')).toHaveCount(60);
  await expect(versions.getByRole('option').last()).toContainText('Version 1');
});
