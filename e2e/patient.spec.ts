import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { PatientPage } from './patient-page.ts';
import { importDirty } from './quality-page.ts';

const id = '0a1b2c3d-0000-4000-8000-000000000017';

test('finds a patient by name with a plan and a document that refer to it differently, and opens the document @search', async ({
  workbench: { page },
  server,
}) => {
  const patient = new PatientPage(page);
  const frame = new Frame(page);
  const plan = {
    resourceType: 'CarePlan',
    id: 'plan-1',
    status: 'active',
    intent: 'plan',
    title: 'Wound care',
    subject: { reference: `Patient/${id}` },
    period: { start: '2024-01-03' },
  };
  const letter = {
    resourceType: 'Composition',
    id: 'letter-1',
    status: 'final',
    title: 'Discharge letter',
    type: { text: 'Letter' },
    subject: { reference: `urn:uuid:${id}`, display: 'Ada Example' },
    date: '2024-04-02',
    author: [{ display: 'Ward 3' }],
    section: [
      {
        title: 'Course',
        text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Well.</div>' },
      },
    ],
  };
  await importDirty(server, [plan, letter]);
  await page.keyboard.press('Control+K');
  await page.keyboard.type('ada exam');
  await page
    .getByRole('group', { name: 'Patients' })
    .getByRole('option', { name: /Ada Example/ })
    .click();
  await expect(patient.region.getByRole('heading', { name: 'Ada Example' })).toBeVisible();
  await expect(patient.tab('Ada Example')).toHaveAttribute('aria-selected', 'true');
  await expect(patient.bar(/^Wound care, active, since 2024-01-03/)).toBeVisible();
  await expect(patient.record('Wound care')).toBeVisible();

  // By the bar, with the keyboard only.
  await patient.bar(/^Wound care/).focus();
  await page.keyboard.press('ArrowDown');
  await expect(patient.bar(/^Discharge letter, final, 0 errors, 1 warning, 2024-04-02/)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Discharge letter' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('region', { name: 'Reading view' })).toContainText('Course');

  await frame.run('Open this record’s patient');
  await expect(patient.tab('Ada Example')).toHaveAttribute('aria-selected', 'true');
  // The tab is restored at the next start.
  await page.reload();
  await expect(patient.record('Discharge letter')).toBeVisible();
  await patient.record('Wound care').click();
  await expect(page.getByRole('figure', { name: 'Timeline' })).toContainText('Plan active');
  await page
    .getByRole('region', { name: 'Reading view' })
    .getByRole('button', { name: /0a1b2c3d/ })
    .click();
  await expect(patient.region).toBeVisible();
});
