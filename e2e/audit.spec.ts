import { AuditTrailPage } from './audit-page.ts';
import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { openWindow } from './offline.ts';
import { RecordPage, storePlan } from './record-page.ts';
import {
  makeDataDir,
  patchRecord,
  removeDataDir,
  startTestServer,
  tamper,
  type TestServer,
} from './server.ts';
import { Workbench } from './workbench.ts';

/** Requests a record without a valid token. */
function intrude({ origin }: TestServer, id: string): Promise<Response> {
  return fetch(`${origin}/fhir-r4/v1/CarePlan/${id}`, { headers: { Authorization: 'Bearer wrong' } });
}

function read({ origin, token }: TestServer, id: string): Promise<Response> {
  return fetch(`${origin}/fhir-r4/v1/CarePlan/${id}`, { headers: { Authorization: `Bearer ${token}` } });
}

test('lists entries, latest first, filters them, and opens the record @audit', async ({
  workbench: _,
  page,
  server,
}) => {
  const id = await storePlan(server);
  await patchRecord(server, `CarePlan/${id}`, '/title', 'Renamed');
  expect((await intrude(server, id)).status).toBe(401);
  const audit = new AuditTrailPage(page);
  await audit.open();
  const patched = audit.rows(/Patch.*v1 → v2.*200 OK/);
  await expect(patched).toHaveCount(1);
  await expect(patched).toContainText(`CarePlan/${id}`);
  const numbers = await audit
    .rows()
    .evaluateAll((rows) => rows.map((row) => Number(row.firstElementChild?.textContent.replaceAll(',', ''))));
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a));

  await audit.filter.getByLabel('Result').selectOption('Refused');
  await expect(audit.rows('401 Unauthorized')).not.toHaveCount(0);
  await expect(audit.rows('200 OK')).toHaveCount(0);
  await expect(audit.rows(/Not signed in.*401/)).not.toHaveCount(0);
  await audit.filter.getByLabel('Result').selectOption('Succeeded');
  await audit.filter.getByLabel('Action').selectOption('Create');
  await expect(audit.rows()).toHaveCount(1);
  await audit.filter.getByLabel('Time').selectOption('Last hour');
  await audit.filter.getByLabel('Find').fill(id);
  await expect(audit.rows(/Create.*v1/)).toHaveCount(1);

  await audit.rows().focus();
  await page.keyboard.press('Enter');
  await expect(audit.details).toContainText('Request ID');
  await expectAccessible(page);
  await audit.details.getByRole('button', { name: 'Open record' }).click();
  await expect(new RecordPage(page).editor).toContainText('Renamed');
  await audit.open();
  await audit.details.getByRole('button', { name: 'Close details' }).click();
  await expect(audit.rows().first()).toBeFocused();

  await audit.filter.getByLabel('Find').fill('nothing-like-this');
  await expect(page.getByText('No entries match this filter')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  // The entry of the opened record exists by now.
  await audit.button('Refresh').click();
  await expect(audit.rows(new RegExp(`Read.*CarePlan/${id}.*200 OK`))).not.toHaveCount(0);
});

test(
  'reads a long audit log page by page while scrolling',
  { tag: '@audit' },
  async ({ workbench: _, page, server }) => {
    const id = await storePlan(server);
    for (let times = 0; times < 250; times += 1) await read(server, id);
    const audit = new AuditTrailPage(page);
    await audit.open();
    await expect(audit.rows().first()).toBeVisible();
    await expect(page.getByText('Newest 100 entries. Scroll for older ones.')).toBeVisible();
    // Only a few more rows are rendered than are visible.
    expect(await audit.rows().count()).toBeLessThan(60);
    await audit.rows().first().focus();
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(audit.rows(/Create/)).toBeVisible({ timeout: 5000 });
    }).toPass();
    await page.keyboard.press('End');
    await expect(page.getByText(/^2\d\d entries$/)).toBeVisible();
  },
);

test('reports an intact audit log, and names a changed entry @audit', async ({ browser }) => {
  test.slow();
  const dataDir = await makeDataDir();
  let server = await startTestServer(dataDir);
  const page = await openWindow(browser);
  const workbench = new Workbench(page);
  await workbench.open(await server.link());
  await storePlan(server);
  await new Frame(page).run('Verify audit log');
  const audit = new AuditTrailPage(page);
  await expect(page.getByRole('note')).toContainText(/^\d+ entr(y|ies) verified/);
  await expect(workbench.status).toContainText('No changes found.');
  await expectAccessible(page);

  await server.stop();
  // As somebody with access to the file or the database could do.
  await tamper(dataDir, `UPDATE audit SET who = 'somebody else' WHERE action = 'create'`);
  server = await startTestServer(dataDir);
  await page.goto('about:blank');
  await workbench.open(await server.link());
  await audit.open();
  await audit.button('Verify log').click();
  await expect(page.getByRole('alert')).toContainText(/^Verification failed at entry \d+/);
  await expect(page.getByRole('alert')).toContainText('Leave the data folder as it is');
  await expectAccessible(page);
  await audit.button('Close result').click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.close();
  await server.stop();
  await removeDataDir(dataDir);
});

test('exports the audit log as AuditEvent records, one per line @audit @browser', async ({
  workbench,
  page,
  server,
}) => {
  const id = await storePlan(server);
  await new AuditTrailPage(page).open();
  const { name, text } = await new DataPage(page).download('Export as AuditEvent');
  expect(name).toMatch(/^chartkeeper-AuditEvent-[0-9-]{10}\.ndjson$/);
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { resourceType: string });
  expect(new Set(events.map(({ resourceType }) => resourceType))).toEqual(new Set(['AuditEvent']));
  expect(text).toContain(`CarePlan/${id}`);
  await expect(workbench.status).toContainText(`to ${name}`);
  await expect(workbench.status).toContainText(new RegExp(`^${events.length} entr`));
});

test('reports an audit log that cannot be read, and reads it again @audit', async ({
  workbench: _,
  page,
  server,
}) => {
  await storePlan(server);
  await page.route('**/app/audit?*', (route) => route.abort());
  const audit = new AuditTrailPage(page);
  await audit.open();
  await expect(page.getByText('Couldn’t load the audit log.')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/app/audit?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(audit.rows(/Create/)).toBeVisible();
});
