import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';
import { importDirty, QualityPage } from './quality-page.ts';
import { patchRecord } from './server.ts';

const plan = (id: string, extra: Record<string, unknown>) => ({
  resourceType: 'CarePlan',
  id,
  title: `Plan ${id}`,
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/p' },
  ...extra,
});
const dirty = [
  plan('clean', {}),
  plan('typo', { status: 'actve' }),
  plan('deep', { activity: [{ detail: { status: 'scheduled' } }, { detail: { status: 'doing' } }] }),
  plan('bare', { intent: undefined }),
  plan('late', { title: '=late', period: { start: '2020-02-01', end: '2020-01-01' } }),
];

test('what is wrong is counted by rule, opened at the element, mended, and gone from the list', async ({
  workbench,
  page,
  server,
}) => {
  // The editor is loaded here for the first time, which takes a busy machine a while.
  test.slow();
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await expect(
    page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /^Quality/ }),
  ).toContainText('4');
  await expect(quality.rule(/The code is not one/)).toContainText('2 records');
  await expect(quality.rule(/The code is not one/)).toContainText('40 %');
  await expect(quality.rule(/mandatory element/)).toContainText('1 record');

  await quality.rule(/mandatory element/).click();
  await expect(quality.findings()).toHaveCount(1);
  await expect(quality.findings()).toContainText('The mandatory element intent is missing');

  await quality.rule(/The code is not one/).click();
  await expect(quality.findings()).toHaveCount(2);
  const deep = quality.findings('Plan deep');
  await expect(deep).toContainText('activity[1].detail.status');
  await expect(deep).toContainText('"doing"');
  await deep.click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Plan deep' })).toHaveAttribute('aria-selected', 'true');
  await expect(workbench.editor.locator('.view-line').filter({ hasText: 'doing' })).toBeVisible({
    timeout: 30_000,
  });

  await patchRecord(server, 'CarePlan/deep', '/activity/1/detail/status', 'in-progress');
  await workbench.replaceInEditor('"Plan deep"', '"Plan deeper"');
  await page.getByRole('tab', { name: 'Quality' }).click();
  await quality.findings('Plan typo').getByRole('button', { name: /^Fix/ }).click();
  await expect(page.getByRole('tab', { name: 'Plan typo' })).toHaveAttribute('aria-selected', 'true');
  await expect(workbench.editor.locator('.view-line').filter({ hasText: 'actve' })).toBeVisible();
  await workbench.replaceInEditor('"actve"', '"active"');
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');
  await page.getByRole('tab', { name: 'Quality' }).click();
  await expect(quality.findings('Plan typo')).toHaveCount(0);
  await expect(quality.rule(/The code is not one/)).toHaveCount(0);
});

test('next and previous finding walk through the list from the record @long', async ({
  workbench,
  page,
  server,
}) => {
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule(/The code is not one/).click();
  await quality.findings('Plan typo').dblclick();
  await expect(page.getByRole('tab', { name: 'Plan typo' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+F8');
  await expect(page.getByRole('tab', { name: 'Plan deep' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+Shift+F8');
  await expect(page.getByRole('tab', { name: 'Plan typo' })).toHaveAttribute('aria-selected', 'true');
  await expect(workbench.status).toContainText('Finding 1 of 2');
  await page.keyboard.press('Alt+Shift+F8');
  await expect(workbench.status).toContainText('first finding');
});

test('the list is filtered and exported as CSV, as it is filtered @long', async ({
  workbench,
  page,
  server,
}) => {
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await page.getByRole('searchbox').or(page.getByLabel('Rule, title, id, subject or path')).fill('=late');
  // The list of before has it too: only then is it the filtered one.
  await expect(quality.findings('=late').first()).toBeVisible();
  await expect(quality.findings(/Plan/)).toHaveCount(0);
  await expect(quality.findings('=late').first()).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('quality.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toMatch(/^type,id,version,title/);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(1)) expect(line).toMatch(/^CarePlan,late,1,'=late,Patient\/p,active,/);
  await expect(workbench.status).toContainText('Exported');
  await page.getByLabel('Severity').selectOption('Warnings');
  await page.getByLabel('Rule, title, id, subject or path').fill('no such thing');
  await expect(page.getByText('No issue fits the filter.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(quality.findings('Plan typo').first()).toBeVisible();
});

test('a filter that leaves nothing of the chosen rule leaves its name @long', async ({
  workbench: _,
  page,
  server,
}) => {
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule(/The code is not one/).click();
  await page.getByLabel('Rule, title, id, subject or path').fill('no such thing');
  await expect(page.getByText('No issue fits the filter.')).toBeVisible();
  await expect(page.getByRole('heading', { name: /The code is not one/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /^All issues/ })).toHaveAttribute('aria-selected', 'false');
});

test('where every record conforms, the view says so @long', async ({ workbench: _, page, server }) => {
  await importDirty(server, [plan('clean', {})]);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await expect(page.getByText('Every record conforms at level standard.')).toBeVisible();
  await expect(page.getByText(/Checked 1, /)).toBeVisible();
});

test('the view says by which rules records were judged, and has them judged again @long', async ({
  workbench,
  server,
}) => {
  const { page } = workbench;
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await expect(page.getByText(/^Judged .+ by rules [0-9a-f]{8}$/)).toBeVisible();
  const asked = page.waitForResponse((response) => response.url().endsWith('/app/quality/judge'));
  await page.getByRole('button', { name: 'Judge again' }).click();
  expect((await asked).status()).toBe(202);
  await expect(page.getByRole('button', { name: 'Judge again' })).toBeEnabled();
  await expect(quality.rule(/The code is not one/)).toContainText('2 records');
});

test('the status bar tells how far records are judged anew, and nothing once they are @long', async ({
  workbench,
}) => {
  const { page } = workbench;
  let done = 41;
  await page.route('**/app/overview', async (route) => {
    const answer = await route.fetch();
    const overview: unknown = await answer.json();
    const running = { state: 'running', done, total: 100, parts: ['CarePlan/rules'], skipped: 0 };
    const json = { ...Object(overview), ...(done < 100 && { rebuild: running }) };
    await route.fulfill({ response: answer, json });
  });
  await page.reload();
  const bar = page.getByRole('contentinfo', { name: 'Status' });
  await expect(bar.getByText('Judging records anew: 41 %')).toBeVisible();
  await expect(workbench.status.filter({ hasText: 'anew' })).toHaveCount(1);
  done = 100;
  await expect(bar.getByText(/anew/)).toHaveCount(0);
});
