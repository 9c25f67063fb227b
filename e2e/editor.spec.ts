import { EditorPage } from './editor-page.ts';
import { expect, test } from './fixtures.ts';
import { storePlan } from './record-page.ts';
import { Workbench } from './workbench.ts';

const plan = (title: string, otherMembers = '') =>
  `{"resourceType":"CarePlan","title":"${title}","status":"active","intent":"plan","subject":{"reference":"Patient/ada"},"activity":[{"detail":{"code":{"text":"Walk"},"status":"scheduled"}}]${otherMembers}}`;

test('completes the codes of a status and missing elements @edit', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Coded'), 'Coded');
  await editor.cursorBehind('"status": "');
  await page.keyboard.press('Control+Delete');
  await page.keyboard.press('Control+Space');
  await expect(editor.suggestions.getByRole('option', { name: /^on-hold/ })).toBeVisible();
  await page.keyboard.type('revo');
  await page.keyboard.press('Enter');
  await expect(workbench.editor).toContainText('"status": "revoked",');

  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('"per');
  await editor.suggestions.getByRole('option', { name: /^period/ }).click();
  await expect(workbench.editor).toContainText('"period": {');
  await page.keyboard.type('"');
  await expect(editor.suggestions.getByRole('option', { name: /^start/ })).toBeVisible();
});

test('shows type, cardinality and meaning of an element on hover @edit', async ({
  page,
  workbench,
  server,
}) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Told'), 'Told');
  await expect(editor.issuesTab(0)).toBeVisible();
  const hover = page.getByRole('tooltip').filter({ hasText: 'CarePlan.intent' });
  // A layout change hides the hover of the editor. A person would move the mouse again.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await workbench.editor.getByText('"intent"').hover();
    await expect(hover).toContainText('code', { timeout: 10_000 });
  }).toPass();
  await expect(hover).toContainText('1..1');
  await expect(hover).toContainText('proposal | plan | order | option');
});

test('shows an error at its line and in the issue list, with a link to its element @edit', async ({
  page,
  workbench,
  server,
}) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Faulty'), 'Faulty');
  await expect(editor.issuesTab(0)).toBeVisible();
  await workbench.replaceInEditor('"scheduled"', '"soon"');
  await expect(editor.issuesTab(1)).toBeVisible();
  await expect(workbench.editor).toContainText('"soon"    This code isn’t allowed');

  await editor.text.focus();
  await page.keyboard.press('Control+Home');
  await editor.issuesTab(1).click();
  const errors = editor.inspector.getByRole('list', { name: 'Errors' });
  const issue = errors.getByRole('button', { name: /schema-code/ });
  await expect(issue).toContainText('CarePlan.activity[0].detail.status');
  await expect(issue).toContainText('conformance · schema-code');
  await issue.focus();
  await page.keyboard.press('Enter');
  await expect(editor.crumbs.getByRole('button')).toHaveText(['CarePlan', 'activity[0]', 'detail', 'status']);
  await expect(editor.text).toBeFocused();

  await errors.getByRole('button', { name: 'Patch CarePlan.activity[0].detail.status' }).click();
  const composer = page.getByRole('dialog', { name: 'Compose patch' });
  await expect(composer.getByLabel('Path', { exact: true })).toHaveValue('/activity/0/detail/status');
  await page.keyboard.press('Escape');
  await expect(composer).toBeHidden();

  await editor.inspector.getByRole('textbox', { name: 'Filter issues' }).fill('narrative');
  await expect(editor.inspector).toContainText('No issues match');
});

test('shows one issue for invalid JSON, at the first error @edit', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Broken'), 'Broken');
  await workbench.replaceInEditor('"intent":', '"intent"');
  await editor.issuesTab(1).click();
  await editor.inspector.getByRole('button', { name: /: expected/ }).click();
  await expect(editor.crumbs).toContainText('intent');
  await expect(editor.inspector).toContainText('Fix the JSON errors to check the record');

  await page.keyboard.press('Control+S');
  await expect(workbench.status).toContainText(/JSON error in line \d+, column \d+\. Fix it first/);
  await workbench.replaceInEditor('"intent"', '"intent":');
  await expect(workbench.status).not.toContainText('JSON error');
});

test('shows breadcrumbs for each step to the cursor @edit', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Crumbs'), 'Crumbs');
  await editor.cursorBehind('"text": "Wal');
  await expect(editor.crumbs.getByRole('button')).toHaveText([
    'CarePlan',
    'activity[0]',
    'detail',
    'code',
    'text',
  ]);
  await editor.crumbs.getByRole('button', { name: 'detail' }).click();
  await expect(editor.crumbs.getByRole('button')).toHaveText(['CarePlan', 'activity[0]', 'detail']);
});

test('names elements in the outline by their content @edit', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Outlined'), 'Outlined');
  await page.getByRole('button', { name: 'Outline' }).click();
  await expect(page.getByRole('textbox', { name: 'Type to narrow down results' })).toBeFocused();
  await page.keyboard.type('activity[0]');
  await expect(page.getByRole('option', { name: /activity\[0\].*Walk/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(editor.crumbs).toContainText('activity[0]');
});

test('keeps undo after a switch of tabs @edit', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('First'), 'First');
  await workbench.replaceInEditor('"title": "First"', '"title": "First changed"');
  await editor.openStored(server, 'CarePlan', plan('Second'), 'Second');
  await expect(workbench.editor).toContainText('"Second"');
  await page.getByRole('tab', { name: /\bFirst/ }).click();
  await expect(workbench.editor).toContainText('"First changed"');
  await editor.text.focus();
  await page.keyboard.press('Control+Z');
  await expect(workbench.editor).toContainText('"title": "First",');
  await expect(page.getByRole('button', { name: 'Review changes' })).toBeDisabled();
});

test('changes no other record by keys while a record is loading @edit', async ({
  page,
  workbench,
  server,
}) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('First'), 'First');
  const secondId = await editor.openStored(server, 'CarePlan', plan('Second'), 'Second');
  await page.keyboard.press('Control+W');
  await expect(workbench.editor).toContainText('"First"');
  await editor.text.focus();

  let release = (): void => undefined;
  const holdPromise = new Promise<void>((resolve) => (release = resolve));
  let readCount = 0;
  await page.route(`**/fhir-r4/v1/CarePlan/${secondId}`, async (route) => {
    readCount += 1;
    await holdPromise;
    await route.continue();
  });
  await page.keyboard.press('Control+P');
  await page.keyboard.type('Second');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: /\bSecond/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('lost');
  release();
  await expect(workbench.editor).toContainText('"Second"');
  expect(readCount).toBe(1);
  await page.getByRole('tab', { name: /\bFirst/ }).click();
  await expect(workbench.editor).toContainText('"title": "First"');
  await expect(workbench.editor).not.toContainText('lost');
  await expect(page.getByRole('button', { name: 'Review changes' })).toBeDisabled();
});

test('formats the text and keeps every digit @edit', async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  const dose = ',"extension":[{"url":"http://a.example/x","valueDecimal":1.00}]';
  await editor.openStored(server, 'CarePlan', plan('Digits', dose), 'Digits');
  await workbench.replaceInEditor('"valueDecimal": 1.00', '"valueDecimal":1.00,"n":[1e400,   0.10]');
  await page.getByRole('button', { name: 'Format' }).click();
  await expect(workbench.editor).toContainText('"valueDecimal": 1.00,');
  await expect(workbench.editor).toContainText('1e400,');
  await expect(workbench.editor).toContainText('0.10');
});

test('searches for records with the same reference on a double click @edit', async ({
  page,
  workbench,
  server,
}) => {
  const editor = new EditorPage(page, workbench);
  const encounter = ',"encounter":{"reference":"Encounter/visit"}';
  await editor.openStored(server, 'CarePlan', plan('Linked', encounter), 'Linked');
  await workbench.editor.getByText('"Encounter/visit"').click();
  await expect(editor.crumbs.getByRole('button')).toHaveText(['CarePlan', 'encounter', 'reference']);
  await workbench.editor.getByText('"Encounter/visit"').dblclick();
  await expect(page.getByRole('tab', { name: 'Search' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: 'Encounter' })).toHaveValue('visit');
  await expect(workbench.rows('Linked')).toHaveCount(1);
});

test("covers the content behind the editor's menu @edit", async ({ page, workbench, server }) => {
  const editor = new EditorPage(page, workbench);
  await editor.openStored(server, 'CarePlan', plan('Asked'), 'Asked');
  await workbench.editor.locator('.view-line').first().click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Copy' })).toBeVisible();
  await expect(
    page.locator('.monaco-scrollable-element', { has: page.locator('.monaco-menu') }),
  ).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
});

test('reports an editor that cannot be loaded in its tab, and loads it on the next try @edit', async ({
  page,
  server,
}) => {
  await storePlan(server);
  const editorModule = /\/assets\/monaco-(?!themes)[^/]+\.js(\?|$)/;
  await page.route(editorModule, (route) => route.abort());
  const workbench = new Workbench(page);
  await workbench.open(await server.link());
  await workbench.search('CarePlan', { patient: 'exact' });
  await workbench.rows().first().dblclick();
  const failure = page.getByRole('alert').filter({ hasText: 'This part of the window couldn’t be loaded.' });
  await expect(failure).toBeVisible();
  await expect(page.getByRole('tab', { name: /\bExact/ })).toBeVisible();
  await page.unroute(editorModule);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(workbench.editor).toContainText('"title": "Exact"');
});
