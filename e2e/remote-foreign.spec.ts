/** The workbench on a FHIR server by other people: versions that are UUIDs, pages behind links, no `$validate`. */
import { startForeignServer, type ForeignServer } from '../server/gateway/testing/foreign-server.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import { planText, RecordPage } from './record-page.ts';
import { QualityPage } from './quality-page.ts';
import { Connections } from './remote-page.ts';

const test = base.extend<{ connections: Connections }, { foreign: ForeignServer }>({
  foreign: [
    // The runner wants the braces, whatever is taken of them.
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
    await connections.add({ name: 'Foreign', baseUrl: foreign.base, writes: 'Send without asking' });
    await use(connections);
  },
});

/** Stores a record past the page; its id. */
async function store({ base: place }: ForeignServer, json: string): Promise<string> {
  const { resourceType } = JSON.parse(json) as { resourceType: string };
  const answer = await fetch(`${place}/${resourceType}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/fhir+json' },
    body: json,
  });
  return ((await answer.json()) as { id: string }).id;
}

async function read({ base: place }: ForeignServer, address: string): Promise<any> {
  return (await fetch(`${place}/${address}`)).json();
}

async function change(foreign: ForeignServer, address: string, part: object): Promise<void> {
  const held = await read(foreign, address);
  await fetch(`${foreign.base}/${address}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/fhir+json' },
    body: JSON.stringify({ ...held, ...part }),
  });
}

// Secrets and judged records of other servers are each server's own.
test.use({ servers: 1 });

test('@long every job of the workbench is done on a foreign server', async ({
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
  expect(head[0]).toBe(`PUT ${foreign.base}/CarePlan/${id}`);
  expect(head[2]).toMatch(/^If-Match: W\/"[0-9a-f-]{36}"$/);
  await expect(record.review.getByText('decides by its own')).toBeVisible();
  await record.save();
  await expect(status.filter({ hasText: 'Saved' })).toBeVisible();
  expect((await read(foreign, `CarePlan/${id}`)).description).toBe('By the ward');

  // A conflict that overlaps is chosen path by path.
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

  // The page's own rules, and a replacement in what they find.
  const quality = new QualityPage(page);
  const broken = planText.replace('Exact', 'Broken').replace('"active"', '"actve"');
  const ids = [await store(foreign, broken), await store(foreign, broken)];
  await quality.open();
  const check = page.getByRole('form', { name: 'Check of records' });
  await check.getByRole('button', { name: 'Check records' }).click();
  await expect(page.getByText('Checked 3 records by Chartkeeper’s rules and My checks')).toBeVisible();
  await expectAccessible(page);
  await quality.rule(/The code is not one/).click();
  await expect(quality.findings('Broken')).toHaveCount(2);
  await page.getByRole('button', { name: 'Replace in all' }).click();
  await quality.dryRun('/status', 'active', 'actve');
  // Beside the button that sends.
  await expect(quality.sheet.getByText(`to Foreign (${new URL(foreign.base).host})`)).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Replace in 2 records' }).click();
  await expect(quality.sheet.getByText('Replaced in 2 records')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  // What was written is judged anew.
  await expect(quality.findings('Broken')).toHaveCount(0);
  for (const one of ids) expect((await read(foreign, `CarePlan/${one}`)).status).toBe('active');

  // The log names the connection; what is here is not there.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /^Data/ }).click();
  await expect(page.getByRole('heading', { name: 'Data belongs to the local server' })).toBeVisible();
  await expectAccessible(page);
  await connections.openMenu();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await connections.turnTo('Local');
});
