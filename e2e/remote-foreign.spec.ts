/**
 * The workbench on a FHIR server by another vendor: UUIDs as versions, pages behind links, no `$validate`.
 */
import { startForeignServer, type ForeignServer } from '../server/gateway/testing/foreign-server.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import { planText, RecordPage } from './record-page.ts';
import { QualityPage } from './quality-page.ts';
import { Connections } from './remote-page.ts';

const test = base.extend<{ connections: Connections }, { foreign: ForeignServer }>({
  foreign: [
    // The runner requires the braces, although nothing is destructured.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const foreign = await startForeignServer();
      await use(foreign);
      await foreign.close();
    },
    { scope: 'worker' },
  ],
  connections: async ({ workbench, foreign }, use) => {
    const connections = new Connections(workbench.page);
    await connections.add({ name: 'Foreign', baseUrl: foreign.baseUrl, writes: 'Write without asking' });
    await use(connections);
  },
});

/** Stores a record through the API. Returns its id. */
async function store({ baseUrl }: ForeignServer, json: string): Promise<string> {
  const { resourceType } = JSON.parse(json) as { resourceType: string };
  const answer = await fetch(`${baseUrl}/${resourceType}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/fhir+json' },
    body: json,
  });
  return ((await answer.json()) as { id: string }).id;
}

async function read({ baseUrl }: ForeignServer, address: string): Promise<any> {
  return (await fetch(`${baseUrl}/${address}`)).json();
}

async function change(foreign: ForeignServer, address: string, part: object): Promise<void> {
  const storedText = await read(foreign, address);
  await fetch(`${foreign.baseUrl}/${address}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/fhir+json' },
    body: JSON.stringify({ ...storedText, ...part }),
  });
}

// Each server has its own secrets and validated remote records.
test.use({ servers: 1 });

test('performs every job of the workbench on a foreign server @remote', async ({
  workbench,
  connections,
  foreign,
}) => {
  const { page, status } = workbench;
  const record = new RecordPage(page);
  const id = await store(foreign, planText);

  // Search, open, edit, review, save.
  await record.open();
  await workbench.replaceInEditor('As agreed', 'By the ward');
  await record.startReview();
  const { head } = await record.shownRequest();
  expect(head[0]).toBe(`PUT ${foreign.baseUrl}/CarePlan/${id}`);
  expect(head[2]).toMatch(/^If-Match: W\/"[0-9a-f-]{36}"$/);
  await expect(record.review.getByText('applies its own rules')).toBeVisible();
  await record.save();
  await expect(status.filter({ hasText: 'Saved' })).toBeVisible();
  expect((await read(foreign, `CarePlan/${id}`)).description).toBe('By the ward');

  // An overlapping conflict is resolved path by path.
  await workbench.replaceInEditor('By the ward', 'Mine');
  await change(foreign, `CarePlan/${id}`, { description: 'Theirs', language: 'nb' });
  await record.startReview();
  await record.save();
  await expect(record.conflict).toBeVisible();
  await record.conflict.getByRole('radio', { name: /mine/i }).first().check();
  await record.conflict.getByRole('button', { name: 'Review merged text' }).click();
  await record.save();
  await expect(record.review).toBeHidden();
  expect(await read(foreign, `CarePlan/${id}`)).toMatchObject({ description: 'Mine', language: 'nb' });

  // Patch, history, restore.
  await workbench.patch('/title', 'Patched');
  await expect(workbench.dialog('Compose patch')).toBeHidden();
  expect((await read(foreign, `CarePlan/${id}`)).title).toBe('Patched');
  await page.getByRole('tab', { name: 'History' }).click();
  const versions = page.getByRole('listbox', { name: 'Versions' }).getByRole('option');
  await expect(versions).toHaveCount(5);
  await versions.last().click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(record.review).toBeVisible();
  await record.save();
  await expect(record.review).toBeHidden();
  expect(await read(foreign, `CarePlan/${id}`)).toMatchObject({ description: 'As agreed', title: 'Exact' });

  // The page's own rules, and a replacement in their findings.
  const quality = new QualityPage(page);
  const brokenText = planText.replace('Exact', 'Broken').replace('"active"', '"actve"');
  const ids = [await store(foreign, brokenText), await store(foreign, brokenText)];
  await quality.open();
  const check = page.getByRole('form', { name: 'Check records' });
  await check.getByRole('button', { name: 'Check records' }).click();
  await expect(
    page.getByText('3 records checked against Chartkeeper’s rules and your custom checks'),
  ).toBeVisible();
  await expectAccessible(page);
  await quality.rule('schema-code').click();
  await expect(quality.findings('Broken')).toHaveCount(2);
  await page.getByRole('button', { name: 'Bulk edit', exact: true }).click();
  await quality.dryRun('/status', 'active', 'actve');
  // Next to the button that sends.
  await expect(quality.sheet.getByText(`to Foreign (${new URL(foreign.baseUrl).host})`)).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Change 2 records' }).click();
  await expect(quality.sheet.getByText('2 records changed')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  // Written records are validated again.
  await expect(quality.findings('Broken')).toHaveCount(0);
  for (const id of ids) expect((await read(foreign, `CarePlan/${id}`)).status).toBe('active');

  // The log names the connection. Local views do not show its records.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /^Data/ }).click();
  await expect(page.getByRole('heading', { name: 'Data is for the local server only' })).toBeVisible();
  await expectAccessible(page);
  await connections.openMenu();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await connections.turnTo('Local');
});
