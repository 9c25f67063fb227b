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

/** The hospital's server: another Chartkeeper, on a folder of its own. */
const test = base.extend<{ hospital: TestServer; connections: Connections }>({
  // The runner wants the braces, whatever is taken of them.
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

// Secrets and judged records of other servers are each server's own.
test.use({ servers: 1 });

const ask = 'Ask before each write';

test('a steward works on a remote server as at home @long', async ({
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

  // Added, tested before it is used, and turned to.
  await connections.startAdding({
    name: 'Hospital',
    baseUrl: hospital.origin,
    writes: ask,
    authentication: 'Bearer token',
    fields: { 'Access token': hospital.token },
  });
  await connections.dialog.getByRole('button', { name: 'Test connection' }).click();
  const tested = connections.dialog.getByRole('status', { name: 'Test' });
  await expect(tested).toContainText(/Software\s*Chartkeeper/);
  await expect(tested).toContainText('Versions with ETags, which updates must name');
  await connections.save();
  await connections.worksOn('Hospital');
  await expect(connections.switcher).toContainText(host);

  // The review asks: its button names the host, and Enter alone sends nothing.
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

  // Somebody else is faster: both changes come together.
  await workbench.replaceInEditor('By the ward', 'By the clinic');
  await patchRecord(hospital, `CarePlan/${id}`, '/title', 'Theirs');
  await record.startReview();
  await record.save(host);
  await expect(record.review.getByText('was saved by another client')).toBeVisible();
  await record.save(host);
  await expect(workbench.status.filter({ hasText: 'Saved version 4' })).toBeVisible();
  const merged = await readPlan(hospital, id);
  expect(merged).toContain('By the clinic');
  expect(merged).toContain('Theirs');

  // History and restore.
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('listbox', { name: 'Versions' }).getByRole('option')).toHaveCount(4);

  // The local server knows nothing of it, and has its own.
  await new Frame(page).run('Work on Local');
  await connections.worksOn('Local');
  await expect(page.getByRole('tab', { name: 'Theirs' })).toBeHidden();
  await record.open();
  await expect(record.editor).toContainText('As agreed');
  expect(planText).toContain('As agreed');
});

test('the page of a read-only connection begins with what its server lists, and says what cannot be done @long', async ({
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
  await expect(page.getByText(`Every request goes to ${host}.`)).toBeVisible();
  const changed = page.getByRole('region', { name: 'Compositions changed last' });
  await expect(changed.getByRole('button', { name: /Added note 0/ })).toBeVisible();
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

test('@long patches and bulk replaces ask first, and go to the remote server alone', async ({
  workbench,
  connections,
  hospital,
  server,
}) => {
  const { page } = workbench;
  const record = new RecordPage(page);
  const quality = new QualityPage(page);
  const [id, other] = [await storePlan(hospital), await storePlan(hospital)];
  const atHome = await storePlan(server);
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

  // In all that the search finds: one question for the run, on the button that sends it.
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Replace in all results' }).click();
  await quality.dryRun('/description', 'Everywhere');
  await expect(quality.sheet.getByText(`to Hospital (${host})`)).toBeVisible();
  expect(await readPlan(hospital, other)).toContain('As agreed');
  await quality.sheet.getByRole('button', { name: `Replace in 2 records on ${host}` }).click();
  await expect(quality.sheet.getByText('Replaced in 2 records')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  for (const one of [id, other]) expect(await readPlan(hospital, one)).toContain('Everywhere');
  expect(await readPlan(server, atHome)).toContain('As agreed');

  // The run and the requests are the connection's; the local server shows neither as its own.
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: /^Activity/ })
    .click();
  await expect(page.getByRole('gridcell', { name: 'Hospital' }).first()).toBeVisible();
  await connections.turnTo('Local');
  await quality.open();
  await expect(page.getByRole('region', { name: 'Bulk runs' })).toHaveCount(0);
});
