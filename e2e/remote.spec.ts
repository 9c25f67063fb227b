import { QualityPage } from './quality-page.ts';
import { Connections } from './remote-page.ts';
import { expect, test as base } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { planText, readPlan, RecordPage, storePlan } from './record-page.ts';
import {
  addCompositions,
  makeDataDir,
  patchRecord,
  removeDataDir,
  startTestServer,
  type TestServer,
} from './server.ts';

/** The server of the hospital: another Chartkeeper on a separate folder. */
const test = base.extend<{ hospital: TestServer; connections: Connections }>({
  // The runner requires the braces, although nothing is destructured.
  // oxlint-disable-next-line no-empty-pattern
  hospital: async ({}, use) => {
    const dataDir = await makeDataDir();
    const hospital = await startTestServer(dataDir);
    await use(hospital);
    await hospital.stop();
    await removeDataDir(dataDir);
  },
  connections: async ({ workbench }, use) => {
    await use(new Connections(workbench.page));
  },
});

// Each server has its own secrets and validated remote records.
test.use({ servers: 1 });

const ask = 'Ask before each write';

test('works on a remote server as on the local one @remote', async ({
  workbench,
  connections,
  hospital,
  server,
}) => {
  const { page } = workbench;
  const record = new RecordPage(page);
  const id = await storePlan(hospital);
  await storePlan(server);
  const host = new URL(hospital.origin).host;

  // Added, tested before use, and selected.
  await connections.startAdding({
    name: 'Hospital',
    baseUrl: hospital.origin,
    writes: ask,
    authentication: 'Bearer token',
    fields: { 'Access token': hospital.token },
  });
  await connections.dialog.getByRole('button', { name: 'Test connection' }).click();
  const tested = connections.dialog.getByRole('status', { name: 'Test result' });
  await expect(tested).toContainText(/Software\s*Chartkeeper/);
  await expect(tested).toContainText('Versions with ETags, required for updates');
  await connections.save();
  await connections.worksOn('Hospital');
  await expect(connections.switcher).toContainText(host);

  // The review asks: its button names the host, and Enter does not send.
  await record.open();
  await workbench.replaceInEditor('As agreed', 'By the ward');
  await record.startReview();
  await expect(record.review.getByText(`to Hospital (${host})`)).toBeVisible();
  await expect(record.review.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(record.review).toBeHidden();
  expect(await readPlan(hospital, id)).toContain('As agreed');
  await record.startReview();
  expect((await record.shownRequest()).head[0]).toBe(`PUT ${hospital.origin}/fhir-r4/v1/CarePlan/${id}`);
  await record.save(host);
  await expect(workbench.status.filter({ hasText: 'Saved version 2' })).toBeVisible();
  expect(await readPlan(hospital, id)).toContain('By the ward');
  expect(await readPlan(hospital, id)).toContain('12345678901234567890.10');

  // Another client is faster: both changes are merged.
  await workbench.replaceInEditor('By the ward', 'By the clinic');
  await patchRecord(hospital, `CarePlan/${id}`, '/title', 'Theirs');
  await record.startReview();
  await record.save(host);
  await expect(record.review.getByText(/saved version \d+/)).toBeVisible();
  await record.save(host);
  await expect(workbench.status.filter({ hasText: 'Saved version 4' })).toBeVisible();
  const mergedText = await readPlan(hospital, id);
  expect(mergedText).toContain('By the clinic');
  expect(mergedText).toContain('Theirs');

  // History and restore.
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('listbox', { name: 'Versions' }).getByRole('option')).toHaveCount(4);

  // The local server knows none of these records, and has its own.
  await new Frame(page).run('Switch to Local');
  await connections.worksOn('Local');
  await expect(page.getByRole('tab', { name: 'Theirs' })).toBeHidden();
  await record.open();
  await expect(record.editor).toContainText('As agreed');
  expect(planText).toContain('As agreed');
});

test('lists the records of a read-only connection, and explains unavailable commands @remote', async ({
  workbench,
  connections,
  hospital,
}) => {
  const { page } = workbench;
  await addCompositions(hospital, 1);
  await connections.add({
    name: 'Hospital',
    baseUrl: hospital.origin,
    authentication: 'Bearer token',
    fields: { 'Access token': hospital.token },
  });
  const host = new URL(hospital.origin).host;
  await expect(page.getByText(`All requests go to ${host}.`)).toBeVisible();
  const changedRegion = page.getByRole('region', { name: 'Recently changed Compositions' });
  await expect(changedRegion.getByRole('button', { name: /Added note 0/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show all Compositions' }).click();
  const row = page.getByRole('grid', { name: 'Results' }).getByRole('row', { name: /Added note 0/ });
  await expect(row.getByRole('img', { name: /warning/ })).toBeVisible();
  await row.dblclick();
  await expect(page.getByText('Read-only', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Patch', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('asks before patches and bulk edits, and sends them only to the remote server @remote', async ({
  workbench,
  connections,
  hospital,
  server,
}) => {
  const { page } = workbench;
  const record = new RecordPage(page);
  const quality = new QualityPage(page);
  const [id, otherId] = [await storePlan(hospital), await storePlan(hospital)];
  const localId = await storePlan(server);
  const host = new URL(hospital.origin).host;
  await connections.add({
    name: 'Hospital',
    baseUrl: hospital.origin,
    writes: ask,
    authentication: 'Bearer token',
    fields: { 'Access token': hospital.token },
  });

  await record.open();
  await workbench.patch('/title', 'Patched', host);
  await expect(workbench.dialog('Compose patch')).toBeHidden();

  // For all matches of the search: one prompt for the run, on the button that sends it.
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Bulk edit all results' }).click();
  await quality.dryRun('/description', 'Everywhere');
  await expect(quality.sheet.getByText(`to Hospital (${host})`)).toBeVisible();
  expect(await readPlan(hospital, otherId)).toContain('As agreed');
  await quality.sheet.getByRole('button', { name: `Change 2 records on ${host}` }).click();
  await expect(quality.sheet.getByText('2 records changed')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  for (const remoteId of [id, otherId]) expect(await readPlan(hospital, remoteId)).toContain('Everywhere');
  expect(await readPlan(server, localId)).toContain('As agreed');

  // The run and the requests belong to the connection. The local server does not list them.
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: /^Activity/ })
    .click();
  await expect(page.getByRole('gridcell', { name: 'Hospital' }).first()).toBeVisible();
  await connections.turnTo('Local');
  await quality.open();
  await expect(page.getByRole('region', { name: 'Bulk edits' })).toHaveCount(0);
});
