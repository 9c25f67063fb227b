/**
 * The jobs of a steward with the records of a remote server, one function each. Every job creates its own
 * records.
 */
import { expect, type Page } from '@playwright/test';
import type { Hospital } from './authentications.ts';
import { DataPage } from './data-page.ts';
import { PatchPage } from './patch-page.ts';
import { importDirty, QualityPage } from './quality-page.ts';
import { planText, readPlan, storePlan, type RecordPage } from './record-page.ts';
import { patchRecord } from './server.ts';
import type { Workbench } from './workbench.ts';

/** The workbench on a remote server. */
export interface Remote {
  readonly workbench: Workbench;
  readonly page: Page;
  readonly record: RecordPage;
  readonly hospital: Hospital;
  /** Name of the connection. */
  readonly name: string;
  readonly base: string;
  /** Kills the local server, starts it on the same folder and opens the page again. */
  readonly restart: () => Promise<void>;
}

let count = 0;

/** Stores a plan of a new patient and opens it. */
async function openNewPlan({ workbench, hospital }: Remote): Promise<{ id: string; title: string }> {
  const key = `ward-${++count}`;
  const title = `Plan ${key}`;
  const id = await storePlan(hospital.server, planText.replace('Exact', title).replace('exact', key));
  await workbench.search('CarePlan', { patient: key });
  await workbench.openRow(workbench.rows(title));
  return { id, title };
}

async function expectStored({ hospital }: Remote, id: string, part: Record<string, unknown>): Promise<void> {
  const storedText = await readPlan(hospital.server, id);
  expect(JSON.parse(storedText)).toMatchObject(part);
  // No save loses a digit.
  expect(storedText).toContain('12345678901234567890.10');
}

async function search({ workbench, hospital }: Remote): Promise<void> {
  const key = `ward-${++count}`;
  const plan = planText.replace('exact', key);
  await storePlan(hospital.server, plan.replace('Exact', 'Of the clinic'));
  const stay = `"encounter":{"reference":"Encounter/stay-${key}"},"description"`;
  await storePlan(hospital.server, plan.replace('Exact', 'Of the stay').replace('"description"', stay));
  await workbench.search('CarePlan', { patient: key });
  await expect(workbench.rows()).toHaveCount(2);
  await workbench.search('CarePlan', { patient: key, encounter: `stay-${key}` });
  await expect(workbench.rows()).toHaveCount(1);
  await expect(workbench.rows('Of the stay')).toContainText('active');
  await workbench.search('Composition', { patient: key });
  await expect(workbench.rows()).toHaveCount(0);
}

async function save(remote: Remote): Promise<void> {
  const { workbench, record, base, name } = remote;
  const { id } = await openNewPlan(remote);
  await workbench.replaceInEditor('As agreed', 'By the ward');
  await record.startReview();
  const host = new URL(base).host;
  await expect(record.review.getByText(`to ${name} (${host})`)).toBeVisible();
  const { head, body } = await record.shownRequest();
  expect(head).toEqual(expect.arrayContaining([`PUT ${base}/CarePlan/${id}`, 'If-Match: W/"1"']));
  expect(body).toContain('12345678901234567890.10');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 2');
  await expectStored(remote, id, { description: 'By the ward' });
}

async function merge(remote: Remote): Promise<void> {
  const { workbench, record, hospital } = remote;
  const { id } = await openNewPlan(remote);
  await workbench.replaceInEditor('As agreed', 'Mine');
  await patchRecord(hospital.server, `CarePlan/${id}`, '/status', 'on-hold');
  await record.startReview();
  await record.save();
  await expect(record.review).toContainText('saved version 2');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  await expectStored(remote, id, { description: 'Mine', status: 'on-hold' });
}

async function overlap(remote: Remote): Promise<void> {
  const { workbench, record, hospital } = remote;
  const { id } = await openNewPlan(remote);
  await workbench.replaceInEditor('As agreed', 'Mine');
  await patchRecord(hospital.server, `CarePlan/${id}`, '/description', 'Theirs');
  await patchRecord(hospital.server, `CarePlan/${id}`, '/status', 'on-hold');
  await record.startReview();
  await record.save();
  const choice = record.conflict.getByRole('radiogroup', { name: 'Choice for /description' });
  await expect(choice.getByRole('radio', { checked: true })).toHaveCount(0);
  await choice.getByText('Theirs').click();
  await choice.getByText('Mine').click();
  await record.conflict.getByRole('button', { name: 'Review merged text' }).click();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 4');
  await expectStored(remote, id, { description: 'Mine', status: 'on-hold' });
}

async function patch(remote: Remote): Promise<void> {
  const { workbench, page, hospital } = remote;
  const { id } = await openNewPlan(remote);
  const composer = new PatchPage(page);
  await composer.open();
  await composer.path().fill('/status');
  await composer.value().selectOption('completed');
  await composer.add('/activity/0/detail/quantity/value', 2);
  await composer.value(2).fill('2.50');
  await expect(composer.preview).toContainText('completed');
  await composer.apply.click();
  await expect(workbench.status).toContainText('Saved version 2');
  await expectStored(remote, id, { status: 'completed' });
  expect(await readPlan(hospital.server, id)).toContain('"value":2.50');
}

async function history(remote: Remote): Promise<void> {
  const { workbench, page, record, hospital } = remote;
  const { id } = await openNewPlan(remote);
  await patchRecord(hospital.server, `CarePlan/${id}`, '/description', 'Later');
  await workbench.page.keyboard.press('Control+K');
  await page.keyboard.type('Reload from server');
  await page.keyboard.press('Enter');
  await expect(workbench.editor).toContainText('Later');
  await page.getByRole('tab', { name: 'History' }).click();
  const versions = page.getByRole('listbox', { name: 'Versions' });
  await expect(versions.getByRole('option')).toHaveCount(2);
  await expect(versions.getByRole('option').first()).toContainText('CarePlan.description');
  await versions.focus();
  for (const key of ['Space', 'End', 'Space', 'Enter']) await page.keyboard.press(key);
  const sheet = page.getByRole('dialog', { name: /^History of/ });
  const difference = sheet.getByRole('region', { name: 'Changes', exact: true });
  await expect(difference).toContainText('As agreed');
  await expect(difference).toContainText('Later');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await versions.getByRole('option').last().click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  await expectStored(remote, id, { description: 'As agreed' });
  await page.getByRole('tab', { name: 'Summary' }).click();
}

async function qualityAndBulk({ workbench, page, hospital, name, base }: Remote): Promise<void> {
  const key = `ward-${++count}`;
  const plan = JSON.parse(planText.replace('exact', key)) as object;
  const brokenPlans = ['a', 'b', 'c'].map((suffix) => ({
    ...plan,
    id: `${key}-${suffix}`,
    title: `Broken ${suffix}`,
    status: 'actve',
  }));
  await importDirty(hospital.server, [...brokenPlans, { ...plan, id: `${key}-whole` }]);
  const quality = new QualityPage(page);
  await quality.open();
  const check = page.getByRole('form', { name: 'Check records' });
  await check.getByRole('button', { name: 'Check records' }).click();
  await expect(
    page.getByText(/^\d+ records checked against Chartkeeper’s rules and your custom checks/),
  ).toBeVisible();
  await quality.rule('schema-code').click();
  await expect(quality.findings('Broken')).toHaveCount(3);

  // One is fixed by hand, at its element.
  await quality.findings('Broken a').getByRole('button', { name: /^Open/ }).click();
  await expect(workbench.editor.locator('.view-line').filter({ hasText: 'actve' })).toBeVisible();
  await workbench.replaceInEditor('"actve"', '"active"');
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');

  // The others in a run, after a dry run.
  await quality.open();
  await expect(quality.findings('Broken')).toHaveCount(2);
  await page.getByRole('button', { name: 'Bulk edit', exact: true }).click();
  await quality.dryRun('/status', 'active', 'actve');
  await expect(quality.sheet.getByText(`to ${name} (${new URL(base).host})`)).toBeVisible();
  expect(await readPlan(hospital.server, `${key}-b`)).toContain('actve');
  await quality.sheet.getByRole('button', { name: 'Change 2 records' }).click();
  await expect(quality.sheet.getByText('2 records changed')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(quality.findings('Broken')).toHaveCount(0);
  for (const suffix of ['a', 'b', 'c']) {
    const storedText = await readPlan(hospital.server, `${key}-${suffix}`);
    expect(JSON.parse(storedText)).toMatchObject({ status: 'active', meta: { versionId: '2' } });
  }
}

async function bulkOverSearch({ workbench, page, hospital }: Remote): Promise<void> {
  const key = `ward-${++count}`;
  const plan = planText.replace('exact', key);
  const ids = [await storePlan(hospital.server, plan), await storePlan(hospital.server, plan)];
  await workbench.search('CarePlan', { patient: key });
  await expect(workbench.rows()).toHaveCount(2);
  await page.getByRole('button', { name: 'Bulk edit all results' }).click();
  const quality = new QualityPage(page);
  await quality.dryRun('/description', 'Everywhere');
  await quality.sheet.getByRole('button', { name: 'Change 2 records' }).click();
  await expect(quality.sheet.getByText('2 records changed')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  for (const id of ids) expect(await readPlan(hospital.server, id)).toContain('Everywhere');
}

/** Files, the audit log and tokens exist only on the local server, as their views explain. */
async function localViews({ page }: Remote): Promise<void> {
  const views = page.getByRole('navigation', { name: 'Views' });
  for (const view of ['Data', 'Audit', 'Access']) {
    await views.getByRole('button', { name: view, exact: true }).click();
    await expect(page.getByRole('heading', { name: `${view} is for the local server only` })).toBeVisible();
  }
  await expect(new DataPage(page).button('Choose files')).toHaveCount(0);
}

async function draft(remote: Remote): Promise<void> {
  const { workbench, page, record } = remote;
  const { id, title } = await openNewPlan(remote);
  await workbench.replaceInEditor('As agreed', 'Drafted');
  await record.draftSaved();
  await remote.restart();
  await page.getByRole('tab', { name: title }).click();
  await expect(record.editor).toContainText('Drafted');
  await expectStored(remote, id, { description: 'As agreed', meta: { versionId: '1' } });
  await record.startReview();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 2');
  await expectStored(remote, id, { description: 'Drafted' });
}

async function unconfirmed(remote: Remote): Promise<void> {
  const { workbench, record, hospital } = remote;
  const { id } = await openNewPlan(remote);
  await workbench.replaceInEditor('As agreed', 'Arrived');
  await record.startReview();
  hospital.loseNextWrite = true;
  await record.save();
  await expect(record.review.getByText('Not confirmed')).toBeVisible();
  await record.review.getByRole('button', { name: 'Load again and compare' }).click();
  await expect(record.review).toBeHidden();
  await expect(workbench.status).toContainText('Saved version 2');
  await expectStored(remote, id, { description: 'Arrived', meta: { versionId: '2' } });
}

async function activity({ page, name }: Remote): Promise<void> {
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('button', { name: /^Activity/ }).click();
  await expect(page.getByRole('gridcell', { name, exact: true }).first()).toBeVisible();
}

/** Every job, in the order of the tests. */
export const jobs: readonly (readonly [name: string, job: (remote: Remote) => Promise<void>])[] = [
  ['search by patient and encounter', search],
  ['open, edit, review, save', save],
  ['a conflict that merges', merge],
  ['a conflict that overlaps', overlap],
  ['the patch composer', patch],
  ['history, difference, restore', history],
  ['quality by the page’s own rules, and a replacement in its findings', qualityAndBulk],
  ['a replacement in all that a search finds', bulkOverSearch],
  ['import, export, audit and access, which are of the local server', localViews],
  ['a draft after a restart', draft],
  ['a save whose answer was lost', unconfirmed],
  ['the activity log', activity],
];
