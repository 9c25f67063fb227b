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

test('counts errors by rule, opens them at the element, and removes fixed ones from the list @quality', async ({
  workbench,
  page,
  server,
}) => {
  // The editor is loaded here for the first time, which takes a while on a busy machine.
  test.slow();
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await expect(
    page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /^Quality/ }),
  ).toContainText('4');
  await expect(quality.rule('schema-code')).toContainText('2 records');
  await expect(quality.rule('schema-code')).toContainText('40%');
  await expect(quality.rule('schema-required')).toContainText('1 record');

  await quality.rule('schema-required').click();
  await expect(quality.findings()).toHaveCount(1);
  await expect(quality.findings()).toContainText('The required element intent is missing');

  await quality.rule('schema-code').click();
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
  await quality.findings('Plan typo').getByRole('button', { name: /^Open/ }).click();
  await expect(page.getByRole('tab', { name: 'Plan typo' })).toHaveAttribute('aria-selected', 'true');
  await expect(workbench.editor.locator('.view-line').filter({ hasText: 'actve' })).toBeVisible();
  await workbench.replaceInEditor('"actve"', '"active"');
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');
  await page.getByRole('tab', { name: 'Quality' }).click();
  await expect(quality.findings('Plan typo')).toHaveCount(0);
  await expect(quality.rule('schema-code')).toHaveCount(0);
});

test('steps through the list of findings from the record @quality', async ({ workbench, page, server }) => {
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule('schema-code').click();
  await quality.findings('Plan typo').dblclick();
  await expect(page.getByRole('tab', { name: 'Plan typo' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+F8');
  await expect(page.getByRole('tab', { name: 'Plan deep' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+Shift+F8');
  await expect(page.getByRole('tab', { name: 'Plan typo' })).toHaveAttribute('aria-selected', 'true');
  await expect(workbench.status).toContainText('Issue 1 of 2');
  await page.keyboard.press('Alt+Shift+F8');
  await expect(workbench.status).toContainText('First issue');
});

test('filters the list and exports it as CSV with the same filter @quality', async ({
  workbench,
  page,
  server,
}) => {
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await page.getByRole('searchbox').or(page.getByLabel('Rule, title, ID, patient or path')).fill('=late');
  // The previous list has this finding too. Its visibility proves that the filtered list is loaded.
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
  await expect(workbench.status).toContainText('exported to quality.csv');
  await page.getByLabel('Severity').selectOption('Warnings');
  await page.getByLabel('Rule, title, ID, patient or path').fill('no such thing');
  await expect(page.getByText('No issues match the filter.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(quality.findings('Plan typo').first()).toBeVisible();
});

test('keeps the name of the selected rule if a filter leaves none of its findings @quality', async ({
  workbench: _,
  page,
  server,
}) => {
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule('schema-code').click();
  await page.getByLabel('Rule, title, ID, patient or path').fill('no such thing');
  await expect(page.getByText('No issues match the filter.')).toBeVisible();
  await expect(page.getByRole('heading', { name: /This code isn’t allowed/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /^All issues/ })).toHaveAttribute('aria-selected', 'false');
});

test('reports that every record conforms @quality', async ({ workbench: _, page, server }) => {
  await importDirty(server, [plan('clean', {})]);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await expect(page.getByText('No issues at validation level standard.')).toBeVisible();
  await expect(page.getByText(/^1 record checked /)).toBeVisible();
});

test('shows the rules of the validation, and validates the records again @quality', async ({
  workbench,
  server,
}) => {
  const { page } = workbench;
  await importDirty(server, dirty);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await expect(page.getByTitle(/^Rule set [0-9a-f]{8}/)).toBeVisible();
  const validationResponse = page.waitForResponse((response) =>
    response.url().endsWith('/app/quality/judge'),
  );
  await page.getByRole('button', { name: 'Check again' }).click();
  expect((await validationResponse).status()).toBe(202);
  await expect(page.getByRole('button', { name: 'Check again' })).toBeEnabled();
  await expect(quality.rule('schema-code')).toContainText('2 records');
});

test('shows the progress of a validation in the status bar until it is complete @quality', async ({
  workbench,
  server,
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
  await expect(bar.getByText('Checking records: 41%')).toBeVisible();
  await expect(workbench.status.filter({ hasText: 'Checking records' })).toHaveCount(1);
  done = 100;
  // The page reads the state again when the server reports a change.
  await importDirty(server, [plan('later', {})]);
  await expect(bar.getByText(/^Checking records/)).toHaveCount(0);
});
