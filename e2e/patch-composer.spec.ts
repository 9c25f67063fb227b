import type { Page } from '@playwright/test';
import { expect, test, type Fixtures } from './fixtures.ts';
import { PatchPage } from './patch-page.ts';
import { readPlan, storePlan } from './record-page.ts';
import { patchRecord } from './server.ts';

const plan =
  '{"resourceType":"CarePlan","title":"Knee","status":"active","intent":"plan","subject":{"reference":"Patient/knee"},"period":{"start":"2024-01-03"},"activity":[{"detail":{"status":"scheduled","doNotPerform":false,"quantity":{"value":1.50}}}]}';

/** Opens the composer on a new plan. */
async function compose({ workbench, page, server }: Pick<Fixtures, 'workbench' | 'server'> & { page: Page }) {
  const id = await storePlan(server, plan);
  await workbench.search('CarePlan', { patient: 'knee' });
  await workbench.openRow(workbench.rows('Knee'));
  const patch = new PatchPage(page);
  await patch.open();
  return { patch, id };
}

test('selects a code from the tree and its list, and shows the effect before sending @patch', async ({
  workbench,
  page,
  server,
}) => {
  const { patch, id } = await compose({ workbench, page, server });

  await patch.tree.getByRole('treeitem', { name: /^activity / }).focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key);
  }
  await expect(patch.tree.getByRole('treeitem', { name: /^status / }).last()).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(patch.path()).toHaveValue('/activity/0/detail/status');
  await expect(patch.row(1)).toContainText('CarePlan.activity[0].detail.status');
  await expect(patch.row(1)).toContainText('"scheduled"');
  await expect(patch.value()).toBeFocused();
  await expect(patch.value().getByRole('option')).toHaveCount(10);
  await patch.value().selectOption('completed');
  await expect(patch.preview).toContainText('completed');
  await patch.apply.click();
  await expect(workbench.status).toContainText('Saved version 2');
  expect(await readPlan(server, id)).toContain('"status":"completed"');
});

test('opens the composer with an unsaved edit, and keeps the unsent part as an edit @patch', async ({
  workbench,
  page,
  server,
}) => {
  const id = await storePlan(server, plan);
  await workbench.search('CarePlan', { patient: 'knee' });
  await workbench.openRow(workbench.rows('Knee'));
  await workbench.replaceInEditor('1.50', '1.750');
  await workbench.replaceInEditor('"scheduled"', '"soon"');
  const patch = new PatchPage(page);
  await patch.open();
  await expect(patch.path()).toHaveValue('/activity/0/detail/status');
  await expect(patch.path(2)).toHaveValue('/activity/0/detail/quantity/value');
  await expect(patch.apply).toBeDisabled();
  await patch.row(1).getByRole('button', { name: 'Remove operation 1' }).click();
  const preview = patch.dialog.getByRole('group', { name: 'Validation' });
  await expect(preview).toHaveText('No issues found.');
  await patch.add('/activity/0', 2);
  await patch.value(2).fill('{"reference":{"reference":"Task/1"},"detail":{"status":"scheduled"}}');
  await expect(preview).toContainText('will refuse this save: 1 error. CarePlan.activity[0]');
  await patch.row(2).getByRole('button', { name: 'Remove operation 2' }).click();
  await patch.apply.click();
  await expect(patch.dialog).toBeHidden();
  const storedText = await readPlan(server, id);
  expect(storedText).toContain('"versionId":"2"');
  expect(storedText).toContain('"status":"scheduled"');
  expect(storedText).toContain('1.750');
  await expect(workbench.editor).toContainText('"soon"');
  await expect(page.getByRole('tab', { name: 'knee · Knee' })).toHaveAttribute('data-unsaved');

  await workbench.replaceInEditor('"title": "Knee"', '"title": "Knee", "note": [{"text": "x"}]');
  await page.getByRole('button', { name: 'Patch', exact: true }).click();
  await expect(workbench.status).toContainText('replace operations can’t add elements (/note)');
});

test('sends several operations with typed values as one patch, with exact digits @patch', async ({
  workbench,
  page,
  server,
}) => {
  const { patch, id } = await compose({ workbench, page, server });

  await patch.path().fill('/activity/0/detail/quantity/value');
  await patch.value().fill('1.00');
  await patch.add('/activity/0/detail/doNotPerform', 2);
  await patch.row(2).getByText('true', { exact: true }).click();
  await patch.add('/period/start', 3);
  await patch.value(3).fill('2024-13');
  await expect(patch.row(3)).toContainText('Enter YYYY, YYYY-MM, YYYY-MM-DD');
  await expect(patch.apply).toBeDisabled();
  await patch.value(3).fill('2024-02');
  await patch.add('/title', 4);
  await patch.value(4).fill('Knee, "left"');
  await patch.add('/description', 5);
  await patch.value(5).fill('x');
  await expect(patch.row(5)).toContainText('Nothing exists at this path');
  await patch.row(5).getByRole('button', { name: 'Remove operation 5' }).click();

  await patch.show('JSON');
  await expect(patch.body).toHaveValue(/"value": 1\.00\n/);
  const body = await patch.body.inputValue();
  await patch.body.fill(body.replace('2024-02', '2024-03'));
  await patch.show('Rows');
  await expect(patch.value(3)).toHaveValue('2024-03');
  await expect(patch.value(4)).toHaveValue('Knee, "left"');
  await expect(patch.value()).toHaveValue('1.00');

  await patch.apply.click();
  await expect(workbench.status).toContainText('Saved version 2');
  const text = await readPlan(server, id);
  expect(text).toMatch(/"quantity":\{"value":1\.00\}/);
  expect(JSON.parse(text)).toMatchObject({
    title: 'Knee, "left"',
    period: { start: '2024-03' },
    activity: [{ detail: { doNotPerform: true } }],
  });
});

test(
  'reads a newer version, shows its changes, and sends the operations for it',
  { tag: '@patch' },
  async ({ workbench, page, server }) => {
    const { patch, id } = await compose({ workbench, page, server });
    await patch.path().fill('/status');
    await patch.value().selectOption('completed');
    await patchRecord(server, `CarePlan/${id}`, '/status', 'on-hold');

    await patch.apply.click();
    const banner = patch.dialog.getByRole('alert');
    await expect(banner).toContainText('saved version 2');
    await expect(banner).toContainText('"active"');
    await expect(banner).toContainText('"on-hold"');
    await expect(patch.value()).toHaveValue('completed');
    await patch.apply.click();
    await expect(workbench.status).toContainText('Saved version 3');
    expect(await readPlan(server, id)).toContain('"status":"completed"');
  },
);

test('compares a patch with a lost response with the record before it is sent again @patch', async ({
  workbench,
  page,
  server,
}) => {
  const { patch, id } = await compose({ workbench, page, server });
  await patch.path().fill('/status');
  await patch.value().selectOption('completed');
  await page.route(`**/CarePlan/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await patch.apply.click();
  await expect(patch.dialog).toContainText('Not confirmed');
  await expect(patch.apply).toBeDisabled();
  await patch.dialog.getByRole('button', { name: 'Reload record' }).click();
  await expect(workbench.status).toContainText('Saved version 2');
  await expect(patch.dialog).toBeHidden();
});

test('shows a rejection at the operation that caused it @patch', async ({ workbench, page, server }) => {
  const { patch } = await compose({ workbench, page, server });
  await patch.path().fill('/title');
  await patch.value().fill('Kept');
  await patch.add('/period', 2);
  await patch.value(2).fill('{"start":"2024-05-01","end":"2024-01-01"}');
  await patch.apply.click();
  await expect(patch.dialog.getByRole('alert')).toContainText('Couldn’t apply the patch.');
  await expect(patch.row(2)).toContainText(/per-1|start|end/i);
  await expect(patch.value()).toHaveValue('Kept');
});

test('reads and patches a record known only by its id @patch', async ({ workbench, page, server }) => {
  const id = await storePlan(server, plan);
  const patch = new PatchPage(page);
  await page.keyboard.press('Control+K');
  await page.keyboard.type('Patch a record by ID');
  await page.keyboard.press('Enter');
  const ask = page.getByRole('dialog', { name: 'Patch a record by ID' });
  await ask.getByLabel('ID').fill(`CarePlan/${id}`);
  await ask.getByRole('button', { name: 'Load and compose' }).click();
  await expect(patch.dialog).toContainText('If-Match: W/"1"');
  await patch.path().fill('/intent');
  await patch.value().selectOption('order');
  await patch.apply.click();
  await expect(workbench.status).toContainText(`CarePlan/${id} patched: version 2`);
});

test('patches an unreadable record without If-Match only after confirmation @patch', async ({
  workbench,
  page,
  server,
}) => {
  const id = await storePlan(server, plan);
  const patch = new PatchPage(page);
  await page.route(`**/CarePlan/${id}`, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 403, body: '{}' }) : route.fallback(),
  );
  await page.keyboard.press('Control+K');
  await page.keyboard.type('Patch a record by ID');
  await page.keyboard.press('Enter');
  const ask = page.getByRole('dialog', { name: 'Patch a record by ID' });
  await ask.getByLabel('ID').fill(id);
  await ask.getByRole('button', { name: 'Load and compose' }).click();
  await patch.dialog.getByRole('button', { name: 'Compose without loading' }).click();
  await patch.path().fill('/status');
  await patch.value().selectOption('revoked');
  await expect(patch.apply).toBeDisabled();
  await patch.dialog.getByLabel(/^Send without If-Match/).check();
  await patch.apply.click();
  await expect(workbench.status).toContainText(`CarePlan/${id} patched: version 2`);
});
