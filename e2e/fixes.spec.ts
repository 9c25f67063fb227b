import { expect, test } from './fixtures.ts';
import { importDirty, QualityPage } from './quality-page.ts';

const subject = { reference: 'Patient/p' };
const dirty = [
  {
    ...{
      resourceType: 'CarePlan',
      id: 'times',
      title: 'Plan times',
      status: 'in-progress',
      intent: 'plan',
      subject,
    },
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

test('a finding is mended by the lightbulb, by the list, all of a kind at once, and from the worklist', async ({
  workbench,
  page,
  server,
}) => {
  test.slow();
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule(/The code is not one/).click();
  // Until the list is narrowed, each fault of the record has its row.
  await expect(quality.findings('Plan times')).toHaveCount(1);
  await quality.findings('Plan times').getByRole('button', { name: /^Fix/ }).click();
  const line = (words: string) => workbench.editor.locator('.view-line').filter({ hasText: words });
  await expect(line('"in-progress"')).toBeVisible({ timeout: 30_000 });

  // The cursor is at the code; the marks say that its text was judged. The editor closes the list where it draws behind it.
  await expect(workbench.editor.getByText('The code is not one').first()).toBeVisible();
  const active = page.getByText('Set to active', { exact: true });
  await expect(async () => {
    await page.keyboard.press('Control+.');
    await expect(active).toBeVisible({ timeout: 5000 });
  }).toPass();
  await active.click();
  await expect(line('"status": "active"')).toBeVisible();

  await page.getByRole('tab', { name: /^Issues/ }).click();
  await page.getByRole('button', { name: 'Fix CarePlan.created' }).click();
  await page.getByRole('menuitem', { name: 'Add Z: the time is in UTC: all 3 of this kind' }).click();
  await expect(workbench.status).toContainText('3 findings mended');
  await expect(line('"created": "2024-03-12T09:30:00Z"')).toBeVisible();
  await page.getByRole('button', { name: 'Fix CarePlan.careManager' }).click();
  await page.getByRole('menuitem', { name: 'Remove careManager' }).click();
  await expect(page.getByText('No issue', { exact: true })).toBeVisible();
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');

  await page.getByRole('tab', { name: 'Quality' }).click();
  await expect(quality.rule(/The code is not one/)).toHaveCount(0);
  await quality.rule(/language tag/).click();
  await quality.findings('Plan tag').getByRole('button', { name: 'Quick fix Plan tag' }).click();
  await expect(line('"language": "en-GB"')).toBeVisible();
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');
});

test('the wand of the worklist removes nothing at one click: it lists what each fix removes, to be chosen', async ({
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
  await quality.rule(/Nothing in the record refers/).click();
  await quality.findings('Plan orphan').getByRole('button', { name: 'Quick fix Plan orphan' }).click();
  const label = 'Remove the contained resource (removes Questionnaire with its 4 values)';
  await expect(workbench.status).toContainText(`“${label}” is not a safe fix`, { timeout: 30_000 });
  const line = workbench.editor.locator('.view-line').filter({ hasText: '"Questionnaire"' });
  await expect(line).toBeVisible();
  await page.locator('.action-widget').getByText(label, { exact: true }).click();
  await expect(line).toHaveCount(0);
});
