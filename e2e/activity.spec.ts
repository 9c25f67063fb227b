import { ActivityPage } from './activity-page.ts';
import { expect, test } from './fixtures.ts';
import { readRecord, startTestServer, type TestServer } from './server.ts';
import { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

const patient = 'demo-patient-089';

/** A request as another window of the workbench sends it. */
function ask({ origin, token }: TestServer, path: string, patch?: string) {
  return fetch(`${origin}/fhir-r4/v1/${path}`, {
    method: patch === undefined ? 'GET' : 'PATCH',
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Chartkeeper-Client': 'workbench',
      ...(patch !== undefined && { 'Content-Type': 'application/json', 'If-Match': 'W/"1"' }),
    },
    ...(patch !== undefined && { body: patch }),
  });
}

/** How many requests the activity lists. */
async function noted({ origin, token }: TestServer): Promise<number> {
  const answer = await fetch(`${origin}/app/activity`, { headers: { Authorization: `Bearer ${token}` } });
  return (await answer.json()).entries.length;
}

test('requests appear, are filtered, and their facts are shown @long', async ({ workbench, page }) => {
  const activity = new ActivityPage(page);
  await activity.open();
  await expect(page.getByText('No activity yet')).toBeVisible();
  await workbench.search('CarePlan', { patient });
  await workbench.rows(/Asthma/).dblclick();
  await expect(page.getByRole('tab', { name: /Asthma/ })).toBeVisible();
  await activity.open();
  const search = activity.rows(`CarePlan?subject=${patient}`);
  await expect(search).toContainText('200 OK');
  await expect(activity.rows()).not.toHaveCount(1);

  await activity.filter.getByLabel('Kind').selectOption('Search');
  await expect(activity.rows(/Read/)).toHaveCount(0);
  await search.first().click();
  await expect(activity.details).toContainText(patient);
  await expect(activity.details).toContainText('Request id');

  await activity.filter.getByLabel('Find').fill('nothing-like-this');
  await expect(page.getByText('No entry matches this filter')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(activity.rows(/Read/).first()).toBeVisible();
});

test('what comes while the view is in front is shown; what is read does not move @long', async ({
  workbench: _,
  page,
  server,
}) => {
  const activity = new ActivityPage(page);
  await activity.open();
  await expect(page.getByText('No activity yet')).toBeVisible();
  await ask(server, 'Composition?title=first');
  await activity.rows('title=first').click();
  await ask(server, 'Composition?title=second');
  await expect(page.getByRole('button', { name: 'Show 1 newer' })).toBeVisible();
  await expect(activity.rows()).toHaveCount(1);
  await page.getByRole('button', { name: 'Show 1 newer' }).click();
  await expect(activity.rows()).toHaveCount(2);
});

test('a search is replayed; a write is not, and its command has no token @long', async ({
  workbench,
  page,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const activity = new ActivityPage(page);
  await workbench.search('CarePlan', { patient });
  await expect(workbench.rows(/Asthma/)).toBeVisible();
  const { entry } = await readRecord(server, `CarePlan?subject=${patient}&_count=1`);
  const { id } = entry[0].resource;
  await ask(server, `CarePlan/${String(id)}`, '[{"op":"replace","path":"/title","value":"Mine"}]');
  await workbench.search('Composition', {});
  const type = page.getByRole('combobox', { name: 'Resource type' });
  await expect(type).toHaveValue('Composition');

  await activity.open();
  await activity.rows(`CarePlan?subject=${patient}`).last().click();
  await activity.details.getByRole('button', { name: 'Replay search' }).click();
  await expect(page.getByRole('textbox', { name: 'Patient' })).toHaveValue(patient);
  await expect(type).toHaveValue('CarePlan');
  await expect(workbench.rows(/Mine/)).toBeVisible();

  await activity.open();
  await activity.filter.getByLabel('Kind').selectOption('Write');
  await activity.rows(/v1 → v2/).click();
  await expect(activity.details).toContainText('Writes are never replayed.');
  await expect(activity.details.getByRole('button', { name: 'Replay search' })).toBeHidden();
  await activity.details.getByRole('button', { name: 'Copy as cURL' }).click();
  await expect(workbench.status).toContainText('Copied the request as cURL');
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`${server.origin}/fhir-r4/v1/CarePlan/`);
  expect(command).toContain('Bearer $TOKEN');
  expect(command).not.toContain(server.token);
  await activity.details.getByRole('button', { name: 'Open record' }).click();
  await expect(page.getByRole('tab', { name: /Mine/ })).toBeVisible();
});

test('@browser the log is kept over a restart, and cleared when asked @long', async ({ page, server }) => {
  const workbench = new Workbench(page);
  await workbench.open(await server.link());
  await workbench.search('CarePlan', { patient });
  await expect(workbench.rows(/Asthma/)).toBeVisible();
  await server.stop();
  const again = await startTestServer(server.dataDir);
  await workbench.open(await again.link());
  const activity = new ActivityPage(page);
  await activity.open();
  await expect(activity.rows(`CarePlan?subject=${patient}`).first()).toBeVisible();
  await activity.clear();
  await expect(page.getByText('No activity yet')).toBeVisible();
  await expect(workbench.status).toContainText(/Cleared \d+ entr/);
  await again.stop();
});

test('the list and its details are reached by keyboard alone @long', async ({
  workbench: _,
  page,
  server,
}) => {
  const activity = new ActivityPage(page);
  await ask(server, 'Composition?title=first');
  await ask(server, 'Composition?title=second');
  // What the list shows is what was noted when it was opened; an answer is noted behind it.
  await expect.poll(() => noted(server)).toBeGreaterThan(1);
  await activity.open();
  await expect(activity.rows().first()).toBeVisible();
  await page.getByRole('button', { name: 'Clear activity' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(activity.details).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(activity.details).toBeHidden();
  await expect(activity.rows().nth(1)).toBeFocused();
});
