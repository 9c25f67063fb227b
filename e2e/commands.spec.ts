import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { storePlan } from './record-page.ts';
import { readRecord, type TestServer } from './server.ts';

test.use({ flags: ['--demo'] });

const patient = 'demo-patient-089';

/** Returns id and title of a demo record. */
async function anyRecord(server: TestServer): Promise<{ id: string; title: string }> {
  const { entry } = await readRecord(server, `CarePlan?subject=${patient}&_count=1`);
  return entry[0].resource;
}

test('finds commands by their words, runs them, and explains why one cannot run @commands', async ({
  workbench,
  page,
}) => {
  const frame = new Frame(page);
  await page.getByRole('button', { name: 'Find or run a command' }).click();
  await expect(frame.palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(frame.palette).toBeHidden();

  const side = page.getByRole('navigation', { name: 'Views' });
  await frame.run('Toggle left panel');
  await expect(side).toBeHidden();
  await expect(workbench.status).toHaveText('Left panel hidden');
  await page.keyboard.press('Control+B');
  await expect(side).toBeVisible();

  await frame.run('Review changes');
  await expect(workbench.status).toHaveText('Open a record first.');
  await page.keyboard.press('Control+S');
  await expect(workbench.status).toHaveText('Open a record first.');

  await page.keyboard.press('Control+K');
  await page.keyboard.type('zzz no such');
  await expect(frame.palette.getByRole('option')).toHaveCount(0);
  await expect(frame.palette).toContainText('No results for “zzz no such”');
});

test(
  'opens tabs, recent records and searches from the palette',
  { tag: '@commands' },
  async ({ workbench, page, server }) => {
    const frame = new Frame(page);
    // Several demo records share a title, and the first match opens.
    const title = 'Walk with the new hip';
    const id = await storePlan(
      server,
      JSON.stringify({
        resourceType: 'CarePlan',
        status: 'active',
        intent: 'plan',
        title,
        subject: { reference: `Patient/${patient}` },
      }),
    );
    await workbench.search('CarePlan', { patient });
    await expect(workbench.rows().first()).toBeVisible();
    await frame.openById(id);
    await expect(frame.tab(title)).toHaveAttribute('aria-selected', 'true');
    await frame.run('Search');
    await expect(frame.tab('Search')).toHaveAttribute('aria-selected', 'true');
    await frame.run(title);
    await expect(frame.tab(title)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Alt+W');
    await expect(frame.tab(title)).toHaveCount(0);
    await frame.run(title);
    await expect(frame.tab(title)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Control+K');
    await page.keyboard.type(patient);
    await frame.palette.getByRole('group', { name: 'Patients' }).getByRole('option').first().click();
    await expect(frame.tab(/^Patient: /)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Control+K');
    await frame.palette.getByRole('group', { name: 'Recent searches' }).getByRole('option').first().click();
    await expect(frame.tab('Search')).toHaveAttribute('aria-selected', 'true');
  },
);

test(
  'folds, wraps and outlines the record, follows a reference, and opens the data from the palette',
  { tag: '@commands' },
  async ({ workbench, page, server }) => {
    const frame = new Frame(page);
    await frame.openById((await anyRecord(server)).id);
    const lines = workbench.editor.locator('.view-line');
    await expect(lines.nth(5)).toBeVisible();
    await frame.run('Fold all');
    await expect(workbench.editor).not.toContainText('resourceType');
    await frame.run('Unfold all');
    await expect(workbench.editor).toContainText('resourceType');
    await page.keyboard.press('Alt+Z');
    await expect(workbench.status).toHaveText('Word wrap on');
    await frame.run('Toggle inspector');
    await expect(page.getByRole('tab', { name: 'Summary' })).toBeHidden();

    await frame.run('Go to element');
    const outline = workbench.editor.getByRole('textbox', { name: 'Type to narrow' });
    await expect(outline).toBeFocused();
    await page.keyboard.type('subject');
    await page.keyboard.press('Enter');
    await expect(outline).toBeHidden();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+Enter');
    await expect(frame.tab(/^Patient: /)).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('region', { name: 'Patient', exact: true })).toContainText(patient);

    await frame.run('Export records');
    await expect(frame.tab('Export')).toHaveAttribute('aria-selected', 'true');
    await frame.run('Import records');
    await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
  },
);

test('opens the view of a command and runs it there, or explains its requirements @commands', async ({
  workbench,
  page,
}) => {
  const frame = new Frame(page);
  await page.keyboard.press('Alt+F8');
  await expect(frame.tab('Quality')).toHaveAttribute('aria-selected', 'true');
  await expect(workbench.status).toHaveText('Open the worklist first.');
  await frame.run('Load training data');
  await expect(frame.tab('Training data')).toHaveAttribute('aria-selected', 'true');
  await frame.tab('Search').click();
  await frame.run('Export records');
  await expect(frame.tab('Export')).toHaveAttribute('aria-selected', 'true');
  await frame.tab('Search').click();
  await frame.run('Bulk edit all results');
  await expect(workbench.status).toHaveText('Search for records first.');
});

test('finds a record by its id in quick open, with its type, and reports a missing one @commands', async ({
  workbench,
  page,
  server,
}) => {
  const frame = new Frame(page);
  const { id, title } = await anyRecord(server);
  await frame.openById('no-such-record');
  await expect(frame.quickOpen).toContainText('No CarePlan or Composition has the ID no-such-record.');
  await expect(frame.quickOpen.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(frame.quickOpen).toBeHidden();

  await frame.openById(id);
  await expect(frame.tab(title)).toHaveAttribute('aria-selected', 'true');
  await expect(workbench.editor).toContainText(id);
  await page.keyboard.press('Alt+W');

  await frame.openById(`Composition/${id}`);
  await expect(frame.quickOpen).toContainText(`No Composition has the ID ${id}.`);
});

test('never types into the record right after the keys of the palette @commands', async ({
  workbench,
  page,
}) => {
  const frame = new Frame(page);
  await workbench.search('CarePlan', { patient });
  await workbench.openRow(workbench.rows().first());
  await workbench.editor.locator('.view-line').first().click();
  await page.keyboard.press('Control+P');
  await page.keyboard.type('typed');
  await expect(frame.quickOpen.getByRole('combobox')).toHaveValue('typed');
  await page.keyboard.press('Escape');
  await expect(workbench.editor).not.toContainText('typed');
});

test('lists the shortcuts by group in the help sheet @commands', async ({ workbench: _, page }) => {
  await page.keyboard.press('Shift+F1');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByRole('table', { name: 'Record' }).getByRole('row')).toContainText([
    'Review changes',
  ]);
  await expect(help.getByRole('row', { name: /Go to record/ })).toContainText('Ctrl P');
  // No command runs behind a dialog.
  await page.keyboard.press('Control+B');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
});

test('applies the density to rows, and keeps it over a reload @commands', async ({ workbench, page }) => {
  const root = page.locator(':root');
  await expect(root).toHaveCSS('--row-height', '28px');
  const saveResponse = page.waitForResponse(
    (answer) => answer.url().endsWith('/app/preferences') && answer.request().method() === 'PUT',
  );
  await new Frame(page).run('Toggle compact rows');
  await expect(workbench.status).toHaveText('Row height: Comfortable');
  await expect(root).toHaveCSS('--row-height', '36px');
  await saveResponse;
  await page.reload();
  await expect(root).toHaveCSS('--row-height', '36px');
});
