import { expect, test } from './fixtures.ts';
import { importDirty, QualityPage } from './quality-page.ts';

const subject = { reference: 'Patient/p' };
const dirty = [
  {
    resourceType: 'CarePlan',
    id: 'times',
    title: 'Plan times',
    status: 'in-progress',
    intent: 'plan',
    subject,
    created: '2024-03-12T09:30',
    period: { start: '2024-03-12T10:00', end: '2026-11-01T10:00' },
    careManager: 'Ward 3',
  },
  {
    resourceType: 'CarePlan',
    id: 'tag',
    title: 'Plan tag',
    status: 'completed',
    intent: 'plan',
    subject,
    language: 'en_GB',
    period: { end: '2025' },
  },
];

test('fixes a finding by the lightbulb, by the list, all of a kind at once, and from the worklist @fixes', async ({
  workbench,
  page,
  server,
}) => {
  test.slow();
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule('schema-code').click();
  // Until the list is filtered, each error of the record has its row.
  await expect(quality.findings('Plan times')).toHaveCount(1);
  await quality.findings('Plan times').getByRole('button', { name: /^Open/ }).click();
  const line = (words: string) => workbench.editor.locator('.view-line').filter({ hasText: words });
  await expect(line('"in-progress"')).toBeVisible({ timeout: 30_000 });

  // The cursor is at the code, and markers show that the text was validated. A later render of the editor
  // would close the list.
  await expect(workbench.editor.getByText('This code isn’t allowed').first()).toBeVisible();
  const active = page.getByText('Set to active', { exact: true });
  await expect(async () => {
    await page.keyboard.press('Control+.');
    await expect(active).toBeVisible({ timeout: 5000 });
  }).toPass();
  await active.click();
  await expect(line('"status": "active"')).toBeVisible();

  await page.getByRole('tab', { name: /^Issues/ }).click();
  await page.getByRole('button', { name: 'Fix CarePlan.created' }).click();
  await page.getByRole('menuitem', { name: 'Add Z (the time is UTC): all 3 in this record' }).click();
  await expect(workbench.status).toContainText('3 issues fixed. Undo with ');
  await expect(line('"created": "2024-03-12T09:30:00Z"')).toBeVisible();
  await page.getByRole('button', { name: 'Fix CarePlan.careManager' }).click();
  await page.getByRole('menuitem', { name: 'Remove careManager' }).click();
  await expect(page.getByText('No issues', { exact: true })).toBeVisible();
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');

  await page.getByRole('tab', { name: 'Quality' }).click();
  await expect(quality.rule('schema-code')).toHaveCount(0);
  await quality.rule('language-tag').click();
  await quality.findings('Plan tag').getByRole('button', { name: 'Quick fix Plan tag' }).click();
  await expect(line('"language": "en-GB"')).toBeVisible();
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');
});

test('lists the elements that each fix of the worklist removes, before it is applied @fixes', async ({
  workbench,
  page,
  server,
}) => {
  test.slow();
  const contained = [{ resourceType: 'Questionnaire', id: 'q', status: 'draft', title: 'Long questions' }];
  const orphan = { resourceType: 'CarePlan', id: 'orphan', title: 'Plan orphan', status: 'active' };
  await importDirty(server, [{ ...orphan, intent: 'plan', subject, contained }]);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule('dom-3').click();
  await quality.findings('Plan orphan').getByRole('button', { name: 'Quick fix Plan orphan' }).click();
  const label = 'Remove contained resource (removes Questionnaire with its 4 values)';
  await expect(workbench.status).toContainText(`“${label}” is not a safe fix`, { timeout: 30_000 });
  const line = workbench.editor.locator('.view-line').filter({ hasText: '"Questionnaire"' });
  await expect(line).toBeVisible();
  await page.locator('.action-widget').getByText(label, { exact: true }).click();
  await expect(line).toHaveCount(0);
});
