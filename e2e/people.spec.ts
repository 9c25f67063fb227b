/** Who is at the keyboard, and why a record is changed. */
import { AuditTrailPage } from './audit-page.ts';
import { expect, test } from './fixtures.ts';
import { openPlan } from './record-page.ts';
import { newLink } from './server.ts';

test('the first review asks for a name and a reason; both stand in history and audit, and the next sign-in is of the same name @long', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await expect(page.getByRole('button', { name: 'Profile: Nobody named' })).toBeVisible();
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
