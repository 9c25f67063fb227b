/**
 * A FHIR package through the page: dropped, its profile selected, its findings shown at their elements, and
 * removed.
 */
import { tgzOf } from '../server/packages/testing/make-package.ts';
import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { EditorPage } from './editor-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { importDirty, QualityPage } from './quality-page.ts';

const plan = {
  resourceType: 'CarePlan',
  id: 'ward',
  status: 'active',
  intent: 'order',
  description: 'After the fall',
  subject: { reference: 'Patient/a' },
};

const message = 'ward-plan: CarePlan.title is missing (minimum: 1).';

test('validates the records by a dropped package’s profile until it is removed @packages', async ({
  server,
  workbench,
  page,
}) => {
  await importDirty(server, [plan]);
  const data = new DataPage(page);
  await data.open('Packages');
  await expect(page.getByText('No packages yet.')).toBeVisible();

  // The same as a file dropped on the window.
  const bytes = (await tgzOf()).toString('base64');
  const transfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], 'plans.tgz'));
    return transfer;
  }, bytes);
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await expect(page.getByText('ward.example.plans 1.2.0 added').first()).toBeVisible();
  await expect(workbench.status).toContainText('ward.example.plans 1.2.0 added');
  const table = page.getByRole('table', { name: 'Packages' });
  await expect(table).toContainText('Ward plan can’t be fully checked without SNOMED CT');
  await expectAccessible(page);
  await page.getByLabel('Every CarePlan').selectOption('Ward plan 1.2.0');

  const frame = new Frame(page);
  const editor = new EditorPage(page, workbench);
  await frame.openById('ward');
  await editor.inspector.getByRole('tab', { name: /^Issues/ }).click();
  const errors = editor.inspector.getByRole('list', { name: 'Errors' });
  await expect(errors.getByRole('button', { name: message })).toContainText(
    'https://ward.example/StructureDefinition/ward-plan|1.2.0',
  );
  await expectAccessible(page);
  const notCheckedList = editor.inspector.getByRole('list', { name: 'Not checked' });
  await notCheckedList.getByRole('button', { name: /CarePlan.intent needs CodeSystem/ }).click();
  await expect(editor.crumbs).toContainText('intent');
  await expect(editor.inspector.getByRole('status')).toContainText(
    '1 check skipped: SNOMED CT is not available here.',
  );
  const filter = editor.inspector.getByRole('textbox', { name: 'Filter issues' });
  await filter.fill('nothing of it');
  await expect(notCheckedList).toHaveCount(0);
  await filter.fill('ward-plan intent');
  await expect(notCheckedList.getByRole('button')).toHaveCount(1);
  await expect(errors).toHaveCount(0);
  await filter.fill('');

  // Completion, hover and outline use the profile.
  await editor.cursorBehind('"resourceType": "CarePlan",');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Space');
  await expect(editor.suggestions.getByRole('option').first()).toHaveAccessibleName(/^title.*\(profile\)/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Z');
  await page.getByRole('button', { name: 'Outline' }).click();
  await expect(page.getByRole('option', { name: /^status .*\(profile\)/ })).toBeVisible();
  await page.keyboard.press('Escape');
  const hover = page.getByRole('tooltip').filter({ hasText: 'Profile Ward plan' });
  await expect(async () => {
    await page.mouse.move(0, 0);
    await workbench.editor.getByText('"status"').hover();
    await expect(hover).toContainText('1..1, must support, Where the plan stands', { timeout: 10_000 });
  }).toPass();
  await page.mouse.move(0, 0);

  const quality = new QualityPage(page);
  await quality.open();
  await expect(quality.rule('#CarePlan.title/min')).toBeVisible();

  await data.open('Packages');
  await page.getByRole('button', { name: 'Delete ward.example.plans-1.2.0.tgz' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No packages yet.')).toBeVisible();
  await quality.open();
  await expect(quality.rule('#CarePlan.title/min')).toHaveCount(0);
  await frame.openById('ward');
  await expect(editor.inspector.getByText(message)).toHaveCount(0);
});
