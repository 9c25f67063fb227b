/** The person at the keyboard, and the reason of a change. */
import { AuditTrailPage } from './audit-page.ts';
import { expect, test } from './fixtures.ts';
import { openPlan } from './record-page.ts';
import { newLink } from './server.ts';

test('asks for a name and a reason at the first review, shows both in history and audit, and keeps the name @people', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await expect(page.getByRole('button', { name: 'No profile' })).toBeVisible();
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mended"');
  await record.startReview();
  await record.review.getByRole('textbox', { name: 'Your name' }).fill('Robin Steward');
  await record.review.getByRole('textbox', { name: 'Reason' }).fill('The title was wrong.');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 2');
  await expect(page.getByRole('button', { name: 'Profile: Robin Steward' })).toHaveText('RS');

  await page.getByRole('button', { name: 'History', exact: true }).click();
  const newest = page.getByRole('listbox', { name: 'Versions' }).getByRole('option').first();
  await expect(newest).toContainText('by Robin Steward (owner)');
  await expect(newest).toContainText('The title was wrong.');
  await page.keyboard.press('Escape');
  const audit = new AuditTrailPage(page);
  await audit.open();
  await expect(audit.rows(/Update.*v1 → v2/)).toContainText('Robin Steward');

  await page.goto(await newLink(server));
  await page.getByRole('button', { name: 'Profile: Robin Steward' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page.getByRole('radio', { name: 'Robin Steward' })).toBeChecked();
});
