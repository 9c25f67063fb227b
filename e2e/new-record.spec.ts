import { expect, test } from './fixtures.ts';
import { RecordPage } from './record-page.ts';

test('keeps a new document over a reload, stores it by review, duplicates it and marks it as an error @create', async ({
  workbench,
  page,
}) => {
  const record = new RecordPage(page);
  await page.keyboard.press('Alt+Shift+N');
  const dialog = workbench.dialog('New record');
  await dialog.getByLabel('Type').selectOption('Composition');
  await dialog.getByLabel('Patient').fill('p1');
  await dialog.getByLabel('Title').fill('Ward round');
  await dialog.getByLabel('Document type').fill('Progress note');
  await dialog.getByLabel('Author').fill('Ward 3');
  await dialog.getByRole('button', { name: 'Continue in editor' }).click();
  await expect(record.editor).toContainText('"reference": "Patient/p1"');
  await expect(page.getByText('Not saved yet', { exact: true })).toBeVisible();
  await workbench.replaceInEditor('Ward round', 'Morning round');
  await expect(record.editor).toContainText('Morning round');
  await record.draftSaved();

  await page.reload();
  await page.getByRole('tab', { name: 'New document' }).click();
  await expect(record.editor).toContainText('Morning round');
  await record.startReview();
  await expect(record.review).toContainText('POST /fhir-r4/v1/Composition');
  await expect(record.review).toContainText('No issues found.');
  await record.save();
  await expect(workbench.status).toContainText('Saved as');
  await expect(page.getByRole('tab', { name: 'Morning round' })).toHaveAttribute('aria-selected', 'true');
  await expect(record.drafts).toBeHidden();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(workbench.status).toContainText('without ID and identifiers');
  await expect(record.editor).toContainText('Morning round');
  await expect(record.editor).not.toContainText('versionId');

  await page.getByRole('tab', { name: 'Morning round' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Mark as entered in error' }).click();
  await expect(record.review).toContainText('Composition.status');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 2');
  await expect(record.editor).toContainText('"status": "entered-in-error"');
});

test('finds a new record with a lost response, and does not store it twice @create', async ({
  workbench,
  page,
}) => {
  const record = new RecordPage(page);
  await page.keyboard.press('Alt+Shift+N');
  const dialog = workbench.dialog('New record');
  await dialog.getByLabel('Patient').fill('p1');
  await dialog.getByRole('button', { name: 'Continue in editor' }).click();
  await page.route('**/fhir-r4/v1/CarePlan', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await record.startReview();
  await record.save();
  await expect(record.review).toContainText('Not confirmed');
  await record.review.getByRole('button', { name: 'Load again and compare' }).click();
  await expect(workbench.status).toContainText('Saved as');
  await workbench.search('CarePlan', { patient: 'p1' });
  await expect(workbench.rows()).toHaveCount(1);
});
