import { expect, test } from './fixtures.ts';
import { importDirty, QualityPage } from './quality-page.ts';

const plan = (id: string, elements: object) => ({
  resourceType: 'CarePlan',
  id,
  title: `Plan ${id}`,
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/p' },
  ...elements,
});

test('writes a custom check with completion, tests it, turns it on, and finds at its element @checks', async ({
  workbench,
  page,
  server,
}) => {
  const detail = (status: string) => ({ detail: { status } });
  await importDirty(server, [
    plan('one', { activity: [detail('scheduled'), detail('unknown')] }),
    plan('two', { activity: [detail('scheduled')] }),
    plan('three', { period: { end: '2020' } }),
  ]);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await page.getByRole('button', { name: 'Custom checks' }).click();
  const sheet = page.getByRole('dialog', { name: 'Custom checks' });
  await sheet.getByRole('textbox', { name: 'Title' }).fill('Activities say how they stand');
  await expect(sheet.getByRole('textbox', { name: 'ID' })).toHaveValue('activities-say-how-they-stand');

  const conditionBox = sheet.getByRole('textbox', { name: 'Must be true' });
  await conditionBox.pressSequentially('act');
  await expect(page.getByRole('option', { name: /^activity/ })).toBeVisible();
  await conditionBox.press('Enter');
  await conditionBox.pressSequentially(".all(detail.status != 'unknown'");
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sheet.getByText(/The expression is incomplete|is missing/).first()).toBeVisible();
  await conditionBox.press('End');
  await conditionBox.pressSequentially(')');
  await sheet
    .getByRole('textbox', { name: 'Mark this element' })
    .fill("activity.where(detail.status = 'unknown')");
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(workbench.status).toContainText('Check “Activities say how they stand” saved');

  // A check can be turned on only after a test.
  await expect(sheet.getByRole('button', { name: 'Turn on' })).toHaveAttribute('aria-disabled', 'true');
  await sheet.getByRole('button', { name: 'Test on 1,000 records' }).click();
  await expect(
    sheet.getByText('Tested on 3 records. Applies to 3, 1 fail, 0 could not be checked.'),
  ).toBeVisible();
  await expect(sheet.getByRole('listitem').filter({ hasText: 'one' }).getByText('activity[1]')).toBeVisible();
  await sheet.getByRole('button', { name: 'Turn on' }).click();
  await expect(sheet.getByText('On · 1 of 3 fail').first()).toBeVisible();

  await sheet.getByRole('button', { name: 'Show issues' }).click();
  await expect(quality.findings('Plan one')).toContainText('activity[1]');
  await quality.findings('Plan one').getByRole('button', { name: /^Open/ }).click();
  await expect(workbench.editor).toBeVisible();

  // The record shows it together with the issues of the rules.
  await page.getByRole('tab', { name: /^Issues/ }).click();
  const issue = page.getByRole('tabpanel', { name: /^Issues/ }).getByText('Activities say how they stand');
  await expect(issue).toBeVisible();

  // The check also evaluates the unsaved text of the tab.
  await quality.open();
  await page.getByRole('button', { name: 'Custom checks' }).click();
  await expect(sheet.getByRole('region', { name: 'Result for an open record' })).toContainText(
    'Fails · activity[1]',
  );
  await sheet.getByRole('textbox', { name: 'Owner' }).fill('Ward 3');
  await sheet.getByRole('button', { name: 'Close custom checks' }).click();
  await expect(page.getByText('Not saved: Activities say how they stand.')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(sheet).toBeHidden();
});
