import { ActivityPage } from './activity-page.ts';
import { expect, test } from './fixtures.ts';
import { readRecord, startTestServer, type TestServer } from './server.ts';
import { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

const patient = 'demo-patient-089';

/** Sends a request as another window of the workbench does. */
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

/** Returns the number of logged requests. */
async function countLogged({ origin, token }: TestServer): Promise<number> {
  const response = await fetch(`${origin}/app/activity`, { headers: { Authorization: `Bearer ${token}` } });
  return (await response.json()).entries.length;
}

test('lists requests, filters them, and shows their details @activity', async ({ workbench, page }) => {
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
  await expect(activity.details).toContainText('Request ID');

  await activity.filter.getByLabel('Find').fill('nothing-like-this');
  await expect(page.getByText('No entries match this filter')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(activity.rows(/Read/).first()).toBeVisible();
});

test('shows new requests while the view is active, without moving the entry being read @activity', async ({
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
  await expect(page.getByRole('button', { name: 'Show 1 newer entry' })).toBeVisible();
  await expect(activity.rows()).toHaveCount(1);
  await page.getByRole('button', { name: 'Show 1 newer entry' }).click();
  await expect(activity.rows()).toHaveCount(2);
});

test('repeats a search, and copies a write as a command without the token @activity', async ({
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
  await activity.details.getByRole('button', { name: 'Repeat search' }).click();
  await expect(page.getByRole('textbox', { name: 'Patient' })).toHaveValue(patient);
  await expect(type).toHaveValue('CarePlan');
  await expect(workbench.rows(/Mine/)).toBeVisible();

  await activity.open();
  await activity.filter.getByLabel('Kind').selectOption('Write');
  await activity.rows(/v1 → v2/).click();
  await expect(activity.details).toContainText('Writes can’t be repeated from here.');
  await expect(activity.details.getByRole('button', { name: 'Repeat search' })).toBeHidden();
  await activity.details.getByRole('button', { name: 'Copy as cURL' }).click();
  await expect(workbench.status).toContainText('cURL command copied');
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`${server.origin}/fhir-r4/v1/CarePlan/`);
  expect(command).toContain('Bearer $TOKEN');
  expect(command).not.toContain(server.token);
  await activity.details.getByRole('button', { name: 'Open record' }).click();
  await expect(page.getByRole('tab', { name: /Mine/ })).toBeVisible();
});

test('keeps the log over a restart, and clears it on request @activity @browser', async ({
  page,
  server,
}) => {
  const workbench = new Workbench(page);
  await workbench.open(await server.link());
  await workbench.search('CarePlan', { patient });
  await expect(workbench.rows(/Asthma/)).toBeVisible();
  await server.stop();
  const restartedServer = await startTestServer(server.dataDir);
  await workbench.open(await restartedServer.link());
  const activity = new ActivityPage(page);
  await activity.open();
  await expect(activity.rows(`CarePlan?subject=${patient}`).first()).toBeVisible();
  await activity.clear();
  await expect(page.getByText('No activity yet')).toBeVisible();
  await expect(workbench.status).toContainText(/\d+ entr(y|ies) cleared/);
  await restartedServer.stop();
});

test('opens the list and its details with the keyboard only @activity', async ({
  workbench: _,
  page,
  server,
}) => {
  const activity = new ActivityPage(page);
  await ask(server, 'Composition?title=first');
  await ask(server, 'Composition?title=second');
  // The list shows the requests that were logged when it opened. A request is logged after its response.
  await expect.poll(() => countLogged(server)).toBeGreaterThan(1);
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
