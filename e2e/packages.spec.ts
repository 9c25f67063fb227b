/** A FHIR package through the page: dropped, its profile chosen, what it finds shown at its element, and removed. */
import { tgzOf } from '../server/packages/testing/make-package.ts';
import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { EditorPage } from './editor-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { importDirty, QualityPage } from './quality-page.ts';

const plan = {
  ...{
    resourceType: 'CarePlan',
    id: 'ward',
    status: 'active',
    intent: 'order',
    description: 'After the fall',
  },
  subject: { reference: 'Patient/a' },
};

const sentence = 'ward-plan: CarePlan.title is missing: at least 1.';

test('a dropped package’s profile judges the records until it is removed @long', async ({
  server,
  workbench,
  page,
}) => {
  await importDirty(server, [plan]);
  const data = new DataPage(page);
  await data.open('Packages');
  await expect(page.getByText('No packages yet.')).toBeVisible();

  // As a file is dropped on the window.
  const bytes = (await tgzOf()).toString('base64');
  const transfer = await page.evaluateHandle((content) => {
    const held = new DataTransfer();
    held.items.add(new File([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], 'plans.tgz'));
    return held;
  }, bytes);
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await expect(page.getByText('ward.example.plans 1.2.0 was added.').first()).toBeVisible();
  await expect(workbench.status).toContainText('ward.example.plans 1.2.0 was added.');
  const table = page.getByRole('table', { name: 'Packages' });
  await expect(table).toContainText('Ward plan cannot be judged to the end without SNOMED CT');
  await expectAccessible(page);
  await page.getByLabel('Every CarePlan').selectOption('Ward plan 1.2.0');

  const frame = new Frame(page);
  const editor = new EditorPage(page, workbench);
  await frame.openById('ward');
  await editor.inspector.getByRole('tab', { name: /^Issues/ }).click();
  const errors = editor.inspector.getByRole('list', { name: 'Errors' });
  await expect(errors.getByRole('button', { name: sentence })).toContainText(
    'https://ward.example/StructureDefinition/ward-plan|1.2.0',
  );
  await expectAccessible(page);
  const undecided = editor.inspector.getByRole('list', { name: 'Not decidable here' });
  await undecided.getByRole('button', { name: /CarePlan.intent needs CodeSystem/ }).click();
  await expect(editor.crumbs).toContainText('intent');
  await expect(editor.inspector.getByRole('status')).toContainText(
    '1 thing cannot be decided here: SNOMED CT',
  );
  const filter = editor.inspector.getByRole('textbox', { name: 'Filter issues' });
  await filter.fill('nothing of it');
  await expect(undecided).toHaveCount(0);
  await filter.fill('ward-plan intent');
  await expect(undecided.getByRole('button')).toHaveCount(1);
  await expect(errors).toHaveCount(0);
  await filter.fill('');

  // Completion, pointing and outline know what the profile wants.
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
  await expect(quality.rule(/title is missing/)).toBeVisible();

  await data.open('Packages');
  await page.getByRole('button', { name: 'Remove ward.example.plans-1.2.0.tgz' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No packages yet.')).toBeVisible();
  await quality.open();
  await expect(quality.rule(/title is missing/)).toHaveCount(0);
  await frame.openById('ward');
  await expect(editor.inspector.getByText(sentence)).toHaveCount(0);
});
