/** WCAG 2.2 AA for dialogs, menus and panels that a command opens, in light and dark. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { EditorPage } from './editor-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { importDirty, QualityPage } from './quality-page.ts';
import { RecordPage, storePlan } from './record-page.ts';
import { SearchPage } from './search-page.ts';
import { skipOnSharedStore, type TestServer } from './server.ts';
import type { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

interface Desk {
  readonly workbench: Workbench;
  readonly page: Page;
  readonly frame: Frame;
  readonly server: TestServer;
}

const patient = 'demo-patient-089';

const faces: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  'the form of a new record': async ({ page, frame }) => {
    await frame.run('New record');
    await expect(page.getByRole('dialog', { name: 'New record' })).toBeVisible();
  },
  'an erasure and its outcome': async ({ page, frame, server }) => {
    const id = await storePlan(server);
    const record = new RecordPage(page);
    await record.open();
    await frame.run('Erase this record…');
    const question = page.getByRole('dialog', { name: 'Erase this record?' });
    await expect(question).toBeVisible();
    await expectAccessible(page);
    await question.getByLabel('Reason').fill('Wrong patient');
    await question.getByLabel('Type the ID to confirm').fill(id);
    await question.getByRole('button', { name: 'Erase permanently' }).click();
    await expect(page.getByRole('dialog', { name: 'Record erased' })).toBeVisible();
  },
  'practice, before and after an exercise starts': async ({ workbench, page, frame }) => {
    skipOnSharedStore(test, 'training data');
    await frame.run('Toggle practice panel');
    const panel = page.getByRole('complementary', { name: 'Practice' });
    await expect(panel.getByRole('button', { name: /^Start: / }).first()).toBeVisible();
    await expectAccessible(page);
    await panel
      .getByRole('button', { name: /^Start: / })
      .first()
      .click();
    await expect(workbench.status).toContainText('Started: ');
  },
  'the measures, the groups and the states of issues': async ({ page, server }) => {
    const plan = { resourceType: 'CarePlan', id: 'a', title: 'Plan a', status: 'actve', intent: 'plan' };
    await importDirty(server, [{ ...plan, subject: { reference: 'Patient/p' } }]);
    await page.reload();
    const quality = new QualityPage(page);
    await quality.open();
    await page.getByRole('button', { name: 'Measures' }).click();
    const measures = page.getByRole('dialog', { name: 'Measures' });
    await expect(measures.getByRole('table', { name: 'Measures by rule' })).toBeVisible();
    await expectAccessible(page);
    await measures.getByRole('button', { name: 'Close measures' }).click();
    await quality.rule('schema-code').click();
    await quality.findings('Plan a').click();
    await page.getByRole('button', { name: 'Assign or waive' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Waive…' }).click();
    await expect(page.getByRole('dialog', { name: 'Waive 1 issue' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByLabel('Group by').selectOption('patient');
    await expect(page.getByRole('table', { name: 'Patient' })).toBeVisible();
  },
  'the preview and the menus of the results': async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await workbench.rows().first().click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Goals');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('menu', { name: 'Export' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'How to match Patient' }).click();
    await expect(page.getByRole('menuitemradio').first()).toBeVisible();
  },
  'a saved search, its menu and its new name': async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    const { form, views } = new SearchPage(page);
    await form.getByRole('button', { name: 'Save search' }).click();
    await page.getByRole('textbox', { name: 'Search name' }).fill('Ward round');
    await page.keyboard.press('Enter');
    await views.getByRole('button', { name: 'Actions for Ward round' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await expect(page.getByRole('textbox', { name: 'New name for Ward round' })).toBeVisible();
  },
  'the menus of tabs and of a record': async ({ workbench, page }) => {
    await openRecord(workbench);
    await page.getByRole('button', { name: 'All open tabs' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
  },
  'the inspector of a record': async ({ workbench, page, server }) => {
    await storePlan(server);
    await new RecordPage(page).open();
    await page.getByRole('tab', { name: 'JSON', exact: true }).click();
    const editor = new EditorPage(page, workbench);
    await expect(await editor.openSummary()).toContainText('Patient');
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByRole('listbox', { name: 'Versions' })).toBeVisible();
  },
  'a related resource': async ({ page, frame, server }) => {
    const letter = `{"resourceType":"Composition","id":"letter","status":"final","type":{"text":"Letter"},"subject":{"reference":"Patient/p1"},"encounter":{"reference":"Encounter/stay"},"date":"2026-01-14","author":[{"display":"Dr Specimen"}],"title":"Letter"}`;
    const stay = `{"resourceType":"Encounter","id":"stay","status":"finished","class":{"code":"IMP"},"period":{"start":"2026-01-02","end":"2026-01-14"}}`;
    const entries = [letter, stay].map((resource) => `{"resource":${resource}}`);
    const answer = await fetch(`${server.origin}/app/import?keepIds=true`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
      body: `{"resourceType":"Bundle","type":"collection","entry":[${entries.join(',')}]}`,
    });
    expect(await answer.text()).toContain('"stored":1');
    await frame.openById('letter');
    await page.getByRole('tab', { name: 'Read', exact: true }).click();
    const reading = page.getByRole('region', { name: 'Reading view' });
    await reading.getByTitle('Show Encounter/stay').click();
    await expect(page.getByRole('dialog')).toContainText('2026-01-02 – 2026-01-14');
  },
  'a shortcut that is being changed': async ({ page, frame }) => {
    await frame.run('Settings');
    await page.getByRole('button', { name: /change shortcut of Close other tabs$/ }).click();
    await expect(page.getByText('Press the new shortcut')).toBeVisible();
  },
  'the fixes of an issue': async ({ page, frame, server }) => {
    const plan = {
      resourceType: 'CarePlan',
      id: 'times',
      title: 'Plan times',
      status: 'active',
      intent: 'plan',
    };
    const subject = { reference: 'Patient/p' };
    await importDirty(server, [{ ...plan, subject, created: '2024-03-12T09:30' }]);
    await frame.openById('times');
    await page.getByRole('tab', { name: /^Issues/ }).click();
    await page.getByRole('button', { name: 'Fix CarePlan.created' }).click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
  },
  'a sign-in link': async ({ page }) => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Access' }).click();
    await page.getByRole('button', { name: 'New sign-in link' }).click();
    await expect(page.getByRole('dialog', { name: 'Sign-in link' }).getByLabel('Link')).toBeVisible();
  },
  'the default proxy': async ({ page, frame }) => {
    await frame.run('Default proxy');
    await expect(page.getByRole('dialog', { name: 'Default proxy' })).toBeVisible();
  },
};

for (const [name, show] of Object.entries(faces)) {
  test(
    `finds no axe violations in ${name}, light and dark`,
    { tag: '@accessibility' },
    async ({ workbench, page, server }) => {
      test.slow();
      await show({ workbench, page, frame: new Frame(page), server });
      await expectAccessible(page);
    },
  );
}

async function openRecord(workbench: Workbench): Promise<void> {
  await workbench.search('CarePlan', { patient });
  await workbench.openRow(workbench.rows().first());
}
