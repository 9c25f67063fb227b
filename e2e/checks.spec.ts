import { expect, test } from './fixtures.ts';
import { importDirty, QualityPage } from './quality-page.ts';

const plan = (id: string, more: object) => ({
  ...{ resourceType: 'CarePlan', id, title: `Plan ${id}`, status: 'active', intent: 'plan' },
  ...{ subject: { reference: 'Patient/p' }, ...more },
});

test('a check of one’s own is written with completion, tried, switched on, and finds at its element @long', async ({
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
  await page.getByRole('button', { name: 'My checks' }).click();
  const sheet = page.getByRole('dialog', { name: 'My checks' });
  await sheet.getByRole('textbox', { name: 'Title' }).fill('Activities say how they stand');
  await expect(sheet.getByRole('textbox', { name: 'Id' })).toHaveValue('activities-say-how-they-stand');

  const holds = sheet.getByRole('textbox', { name: 'Holds' });
  await holds.pressSequentially('act');
  await expect(page.getByRole('option', { name: /^activity/ })).toBeVisible();
  await holds.press('Enter');
  await holds.pressSequentially(".all(detail.status != 'unknown'");
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sheet.getByText(/The expression is not complete|is missing/).first()).toBeVisible();
  await holds.press('End');
  await holds.pressSequentially(')');
  await sheet.getByRole('textbox', { name: 'Points at' }).fill("activity.where(detail.status = 'unknown')");
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(workbench.status).toContainText('Saved the check');

  // What was not tried is not switched on.
  await expect(sheet.getByRole('button', { name: 'Switch on' })).toHaveAttribute('aria-disabled', 'true');
  await sheet.getByRole('button', { name: 'Try on 1,000 records' }).click();
  await expect(
    sheet.getByText('Asked 3 records. It applies to 3, 1 do not hold, 0 cannot be judged.'),
  ).toBeVisible();
  await expect(sheet.getByRole('listitem').filter({ hasText: 'one' }).getByText('activity[1]')).toBeVisible();
  await sheet.getByRole('button', { name: 'Switch on' }).click();
  await expect(sheet.getByText('On · 1 of 3 do not hold').first()).toBeVisible();

  await sheet.getByRole('button', { name: 'Show findings' }).click();
  await expect(quality.findings('Plan one')).toContainText('activity[1]');
  await quality.findings('Plan one').getByRole('button', { name: /^Fix/ }).click();
  await expect(workbench.editor).toBeVisible();

  // In the record it stands beside what the rules find.
  await page.getByRole('tab', { name: /^Issues/ }).click();
  const issue = page.getByRole('tabpanel', { name: /^Issues/ }).getByText('Activities say how they stand');
  await expect(issue).toBeVisible();

  // What it says of the record in the tab, as it stands there.
  await quality.open();
  await page.getByRole('button', { name: 'My checks' }).click();
  await expect(sheet.getByRole('region', { name: 'On an open record' })).toContainText(
    'It does not hold. activity[1]',
  );
  await sheet.getByRole('textbox', { name: 'Owner' }).fill('Ward 3');
  await sheet.getByRole('button', { name: 'Close my checks' }).click();
  await expect(page.getByText('Not saved: Activities say how they stand.')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(sheet).toBeHidden();
});
