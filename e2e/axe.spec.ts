/** WCAG 2.2 AA for everything that can be active, in light and dark. A new view is one row. */
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { PatientPage } from './patient-page.ts';
import type { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

type Show = (workbench: Workbench, frame: Frame) => Promise<void>;

const faces: Readonly<Record<string, Show>> = {
  start: () => Promise.resolve(),
  Quality: view('Quality'),
  Activity: view('Activity'),
  Audit: view('Audit'),
  Data: view('Data'),
  Access: view('Access'),
  results: async (workbench) => {
    await workbench.search('CarePlan', { patient: 'demo-patient-089' });
    await expect(workbench.rows().first()).toBeVisible();
  },
  'no result': async (workbench) => {
    await workbench.search('CarePlan', { patient: 'nobody' });
    await expect(workbench.page.getByText('No CarePlan found.')).toBeVisible();
  },
  'a record': async (workbench) => {
    await openRecord(workbench);
    const { page } = workbench;
    for (const view of ['Read', 'JSON', 'Both']) {
      await page.getByRole('tab', { name: view, exact: true }).click();
      await expectAccessible(page);
    }
    await page.getByRole('tab', { name: 'JSON', exact: true }).click();
    await expect(page.locator('iframe[title=Narrative]')).toBeAttached();
  },
  'a patient, as a whole and a month of it': async (workbench) => {
    await workbench.search('CarePlan', { patient: 'demo-patient-003' });
    await workbench.rows().first().click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: 'Open patient' }).click();
    const patient = new PatientPage(workbench.page);
    await expect(patient.bar(/completed/).first()).toBeVisible();
    await expectAccessible(workbench.page);
    await patient.timeline.getByRole('button', { name: 'Month' }).click();
  },
  review: async (workbench) => {
    await openRecord(workbench);
    await workbench.replaceInEditor('"title": "', '"title": "Mine: ');
    await workbench.page.getByRole('button', { name: 'Review changes' }).click();
    await expect(workbench.dialog('Review changes')).toBeVisible();
  },
  palette: async ({ page }, frame) => {
    await page.keyboard.press('Control+K');
    await expect(frame.palette).toBeVisible();
  },
  'quick open': async (_, frame) => {
    await frame.openById('no-such-record');
    await expect(frame.quickOpen).toContainText('has the ID no-such-record');
  },
  'the guide': async ({ page }) => {
    await page.keyboard.press('F1');
    await expect(page.getByRole('searchbox', { name: 'Search the guide' })).toBeFocused();
  },
  help: async ({ page }) => {
    await page.keyboard.press('Shift+F1');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  },
  'who is at the keyboard, and Settings': async ({ page }) => {
    await page.getByRole('button', { name: 'No profile' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'New name' }).fill('Robin Steward');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('radio', { name: 'Robin Steward' })).toBeChecked();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Profile: Robin Steward' }).click();
  },
  'theme and rows': async ({ page }) => {
    await page.getByRole('button', { name: 'Display' }).click();
    await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible();
  },
};

for (const [name, show] of Object.entries(faces)) {
  test(
    `finds no axe violations in ${name}, light and dark`,
    { tag: '@accessibility' },
    async ({ workbench, page }) => {
      await show(workbench, new Frame(page));
      await expectAccessible(page);
    },
  );
}

/** Returns a step that opens a view by its name in the left list. */
function view(name: string): Show {
  return async ({ page }) => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click();
    await expect(page.getByRole('tab', { name, selected: true })).toBeVisible();
  };
}

async function openRecord(workbench: Workbench): Promise<void> {
  await workbench.search('CarePlan', { patient: 'demo-patient-089' });
  await workbench.openRow(workbench.rows().first());
}
