import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { fetchJobs, skipOnSharedStore, readRecord } from './server.ts';

skipOnSharedStore(test, 'training data');

test.slow();

test('loads the migration with the list of its defects, and opens each at its element @training', async ({
  workbench,
  page,
}) => {
  const data = new DataPage(page);
  await data.open('Training data');
  await data.load('Migration gone wrong');
  await data.button('Show planted defects').click();
  await page.getByRole('combobox', { name: 'Rule' }).selectOption('qty-3');
  const table = page.getByRole('region', { name: 'Planted defects by record' });
  await expect(table.getByRole('row')).toHaveCount(6);
  await expect(table.getByRole('row').nth(1)).toContainText(/qty-3.*\/activity\/[0-9]+\/detail\/dailyAmount/);
  const { text } = await data.download('Save list as CSV');
  expect(text).toMatch(/^rule,type,id,pointer\r\nqty-3,CarePlan,[0-9a-f-]{36},\/activity\//);
  await table.getByRole('button').first().click();
  await expect(workbench.editor).toContainText('dailyAmount');
});

test(
  'lists records outside the training data before a reset, then backs up and deletes all',
  { tag: '@training' },
  async ({ workbench, page, server }) => {
    const data = new DataPage(page);
    await data.open('Training data');
    await data.load('Clean clinic');
    await fetch(`${server.origin}/fhir-r4/v1/CarePlan`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
      body: '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/own"}}',
    });
    // Loading again changes nothing, and updates the numbers.
    await data.button('Load clean clinic').click();
    await expect(workbench.status).toContainText('0 records stored, 1,185 already present');
    const [latestJob] = await fetchJobs(server, 'training');
    expect(latestJob).toMatchObject({ counts: { stored: 0, unchanged: 1185 } });
    await data.button('Delete all records').click();
    const question = workbench.dialog('Delete all records?');
    await expect(question).toContainText('1,186 records will be deleted, with all versions.');
    await expect(question).toContainText('1 of them is not training data.');
    const confirm = question.getByRole('button', { name: 'Back up and delete 1,186 records' });
    await expect(confirm).toBeDisabled();
    await question
      .getByRole('checkbox', { name: 'Also delete the 1 record that is not training data' })
      .check();
    await confirm.click();

    const folder = join(server.dataDir, 'backups');
    const backupText = page.getByRole('region', { name: 'Delete all records' }).getByText('Backup (');
    await expect(backupText).toContainText(folder);
    const backup = (await readdir(folder)).find((name) => name.endsWith('.db'));
    await expect(backupText).toContainText(String(backup));
    expect((await readRecord(server, 'Composition')).total).toBe(0);
    await expect(data.button('Delete all records')).toBeDisabled();
    const expectedJob = { note: '1,186 records deleted', counts: { removed: 1186 } };
    await expect
      .poll(() => fetchJobs(server, 'training').then(([newest]) => newest))
      .toMatchObject(expectedJob);
  },
);

test(
  'conflicts with the busy ward when it changes the edited record',
  { tag: '@training' },
  async ({ workbench, page, server }) => {
    const data = new DataPage(page);
    await data.open('Training data');
    await data.load('Busy ward');
    const ward = page.getByRole('region', { name: 'Busy ward' });
    await expect(ward).toContainText('Running: one change every 5 seconds');
    await ward.getByRole('combobox', { name: 'Change interval' }).selectOption('1 second');
    await expect(ward).toContainText('Running: one change every 1 second');

    await ward.getByRole('list', { name: 'Records of the ward' }).getByRole('button').nth(5).click();
    await expect(workbench.editor.locator('.view-line').first()).toBeVisible({ timeout: 30_000 });
    await workbench.replaceInEditor('"title": "', '"title": "Mine: ');
    const facts = await page.request.get(`${server.origin}/app/training`, {
      headers: { Authorization: `Bearer ${server.token}` },
    });
    const { type, id } = ((await facts.json()) as { ward: { type: string; id: string }[] }).ward[5] ?? {};
    const version = async () => Number((await readRecord(server, `${type}/${id}`)).meta.versionId);
    const openedVersion = await version();
    await expect.poll(version, { timeout: 90_000 }).toBeGreaterThan(openedVersion);

    // The other change is kept next to the own one, and the merged text returns to the review.
    await workbench.reviewAndSave();
    await expect(workbench.status).toContainText(/^Merged with version [0-9]+/);
    const current = await readRecord(server, `${type}/${id}`);
    expect(current.title).not.toContain('Mine');
    await page.request.delete(`${server.origin}/app/training/writer`, {
      headers: { Authorization: `Bearer ${server.token}` },
    });
  },
);
