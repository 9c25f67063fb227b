import { expect, test } from './fixtures.ts';
import { skipOnSharedStore, readRecord } from './server.ts';

skipOnSharedStore(test, 'the demo records of the page');

test('loads the demo, finds a record, edits, saves, patches and finds it again as a newcomer @first-use', async ({
  workbench,
  page,
  server,
}) => {
  await workbench.loadDemo();

  await workbench.search('CarePlan', { patient: 'demo-patient-001', encounter: 'demo-encounter-001-1' });
  await workbench.openRow(workbench.rows().first());

  await expect(page.getByRole('button', { name: 'Review changes' })).toBeDisabled();
  await workbench.replaceInEditor('"title": "', '"title": "Revised: ');
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');

  await workbench.patch('/language', 'en-GB');
  await expect(workbench.status).toContainText('Saved version 3');

  await workbench.search('CarePlan', { patient: 'demo-patient-001', encounter: 'demo-encounter-001-1' });
  const row = workbench.rows(/Revised: /);
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('3');

  const readApp = async (path: string) => {
    const headers = { Authorization: `Bearer ${server.token}` };
    return (await fetch(`${server.origin}/app/${path}`, { headers })).json();
  };
  const { connection } = await readApp('practice-store');
  const query = 'CarePlan?subject=demo-patient-001&encounter=demo-encounter-001-1';
  const [storedEntry] = (await readApp(`connections/${connection}/fhir-r4/v1/${query}`)).entry
    .map(
      (entry: { resource: { title: string; language?: string; meta: { versionId: string } } }) =>
        entry.resource,
    )
    .filter(({ title }: { title: string }) => title.startsWith('Revised: '));
  expect(storedEntry).toMatchObject({ language: 'en-GB', meta: { versionId: '3' } });

  // The demo is in a store of its own.
  await page.getByRole('button', { name: 'Leave practice' }).click();
  await expect(page.getByRole('button', { name: 'Load demo records' })).toBeVisible();
  expect((await readRecord(server, 'CarePlan?_summary=count')).total).toBe(0);
});
