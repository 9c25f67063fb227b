import { expect, test } from './fixtures.ts';
import { openWindow } from './offline.ts';
import { allowClipboard, SearchPage } from './search-page.ts';
import { addCompositions, startTestServer } from './server.ts';

test.use({ flags: ['--demo'] });

const patient = 'demo-patient-089';

test('narrows a search by further parameters, each with a fitting control @search', async ({
  workbench,
  page,
}) => {
  const search = new SearchPage(page);
  await search.form.getByRole('combobox', { name: 'Resource type' }).selectOption('Composition');
  await search.narrow('status', { comparison: 'is not', value: 'final' });
  await search.narrow('date', { comparison: 'on or after', value: '2024' });
  await search.submit.click();
  await expect(workbench.status).toContainText(/Found \d+ Compositions/);
  const statuses = await search.column('Status');
  expect(statuses.length).toBeGreaterThan(0);
  expect(statuses).not.toContain('final');
  for (const date of await search.column('Date')) expect(date >= '2024').toBe(true);

  await search.form.getByRole('button', { name: 'Remove status' }).click();
  await expect(search.parameter(1).getByRole('combobox', { name: 'Name' })).toHaveValue('date');
  await search.submit.click();
  await expect.poll(() => search.column('Status')).toContain('final');
  for (const date of await search.column('Date')) expect(date >= '2024').toBe(true);
});

test('explains a rejected search issue by issue, and marks the field @search', async ({
  workbench,
  page,
}) => {
  const search = new SearchPage(page);
  await search.form.getByRole('combobox', { name: 'Resource type' }).selectOption('Composition');
  await search.narrow('date', { value: 'soon' });
  await search.submit.click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The parameter date must be a date such as 2026-03-01');
  await expect(alert).toContainText(/Request ID [0-9a-f-]{36}/);
  const value = search.parameter(1).getByRole('textbox', { name: 'Value' });
  await expect(value).toHaveAttribute('aria-invalid', 'true');
  await expect(search.views.getByRole('listitem')).toHaveCount(0);

  await value.fill('2025');
  await expect(value).not.toHaveAttribute('aria-invalid', 'true');
  await search.submit.click();
  await expect(workbench.rows().first()).toBeVisible();
});

test('reports where there are matches instead @search', async ({ workbench, page }) => {
  await workbench.search('CarePlan', { patient, encounter: '4' });
  await expect(page.getByRole('heading', { name: 'No CarePlan found.' })).toBeVisible();
  await expect(page.getByText('This patient has 5 CarePlans in other encounters.')).toBeVisible();
  await page.getByRole('button', { name: 'Show 5 CarePlans' }).click();
  await expect(workbench.rows()).toHaveCount(5);
});

test('keeps saved and recent searches over a restart, and renames and removes them @search @browser', async ({
  workbench,
  page,
  server,
}) => {
  const search = new SearchPage(page);
  await workbench.search('CarePlan', { patient });
  await expect(workbench.rows()).toHaveCount(5);
  await search.form.getByRole('button', { name: 'Save search' }).click();
  await page.getByRole('textbox', { name: 'Search name' }).fill('Ward round');
  await page.getByRole('textbox', { name: 'Search name' }).press('Enter');
  await expect(workbench.status).toContainText('Search “Ward round” saved');

  await server.stop();
  const restartedServer = await startTestServer(server.dataDir);
  // Another origin is a new page: nothing can come from the browser's storage.
  const otherPage = await openWindow(page.context());
  await otherPage.goto(await restartedServer.link());
  const reopened = new SearchPage(otherPage);
  await expect(reopened.views.getByRole('button', { name: / CarePlan$/ }).first()).toBeVisible();
  await reopened.form.getByRole('textbox', { name: 'Patient' }).fill('');
  await reopened.views.getByRole('button', { name: 'Ward round', exact: true }).click();
  await expect(reopened.form.getByRole('textbox', { name: 'Patient' })).toHaveValue(patient);
  await expect(otherPage.getByRole('status')).toContainText('Found 5 CarePlans');

  await reopened.views.getByRole('button', { name: 'Actions for Ward round' }).click();
  await otherPage.getByRole('menuitem', { name: 'Rename' }).click();
  await otherPage.getByRole('textbox', { name: 'New name for Ward round' }).fill('Ward 3');
  await otherPage.keyboard.press('Enter');
  await expect(reopened.views.getByRole('button', { name: 'Ward 3', exact: true })).toBeVisible();
  await reopened.views.getByRole('button', { name: 'Actions for Ward 3' }).click();
  await otherPage.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(reopened.views.getByRole('button', { name: 'Ward 3', exact: true })).toBeHidden();
  await otherPage.close();
  await restartedServer.stop();
});

test('selects and widens columns by keys, and keeps them @search', async ({ workbench, page }) => {
  const search = new SearchPage(page);
  await workbench.search('CarePlan', { patient });
  await page.getByRole('button', { name: 'Hide filters' }).click();
  await expect(search.head('Updated')).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Updated' }).click();
  await page.keyboard.press('Escape');
  await expect(search.head('Updated')).toBeHidden();

  const width = async () => Math.round((await search.head('Title').boundingBox())?.width ?? 0);
  const before = await width();
  await search.head('Title').getByRole('button').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  const saveResponse = page.waitForResponse(
    (answer) => answer.url().endsWith('/app/preferences') && answer.request().method() === 'PUT',
  );
  await expect.poll(width).toBe(before + 32);
  await saveResponse;

  await page.reload();
  await workbench.search('CarePlan', { patient });
  await expect(search.head('Title')).toBeVisible();
  await expect(search.head('Updated')).toBeHidden();
  await expect.poll(width).toBe(before + 32);
});

test('sorts loaded results in the page, and asks the server if there are more @search', async ({
  workbench,
  page,
  server,
}) => {
  const search = new SearchPage(page);
  await workbench.search('CarePlan', { patient });
  await search.head('Title').getByRole('button').click();
  await expect(search.head('Title')).toHaveAttribute('aria-sort', 'ascending');
  const titles = await search.column('Title');
  expect(titles).toEqual([...titles].sort((left, right) => left.localeCompare(right, 'en')));
  await search.head('Title').getByRole('button').click();
  await expect(search.head('Title')).toHaveAttribute('aria-sort', 'descending');
  expect(await search.column('Title')).toEqual(titles.toReversed());

  await addCompositions(server, 120);
  await workbench.search('Composition', {});
  await expect(page.getByText(/^500 of \d+ loaded$/)).toBeVisible();
  await search.head('Date').getByRole('button').click();
  await expect(search.parameter(1).getByRole('combobox', { name: 'Value' })).toHaveValue('date');
  await expect(search.head('Date')).toHaveAttribute('aria-sort', 'ascending');
  await expect(workbench.status).toContainText(/Found \d+ Compositions/);
  const dates = await search.column('Date');
  expect(dates).toEqual([...dates].sort());

  await search.head('Subject').getByRole('button').click();
  await expect(
    page.getByText(/Only the 500 loaded of \d+ records are sorted by Subject/).first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Load all' }).click();
  await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden();
  await expect(search.head('Subject')).toHaveAttribute('aria-sort', 'ascending');
});

test('moves, selects, copies and opens in the grid with the keyboard only @search', async ({
  workbench,
  page,
  server,
}) => {
  await allowClipboard(page, server);
  const search = new SearchPage(page);
  await search.form.getByRole('textbox', { name: 'Patient' }).fill(patient);
  await page.keyboard.press('Enter');
  await expect(workbench.rows()).toHaveCount(5);
  await page.getByRole('button', { name: 'Hide filters' }).click();
  await expect(search.head('ID')).toBeVisible();
  const ids = await search.column('ID');
  await workbench.rows().first().focus();

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(workbench.rows().last()).toBeFocused();
  await page.keyboard.press('Control+c');
  await expect(workbench.status).toContainText('ID copied');
  expect(await search.clipboard()).toBe(ids[4]);

  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('Control+c');
  await expect(workbench.status).toContainText('3 IDs copied');
  expect(await search.clipboard()).toBe(ids.slice(0, 3).join('\n'));
  await page.keyboard.press('Escape');

  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Copy as cURL' }).focus();
  await page.keyboard.press('Enter');
  await expect(workbench.status).toContainText('without the token');
  const command = await search.clipboard();
  expect(command).toContain(`${server.origin}/fhir-r4/v1/CarePlan/${ids[2]}`);
  expect(command).toContain('Authorization: Bearer $TOKEN');
  expect(command).not.toContain(server.token);

  await expect(workbench.rows().nth(2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab')).toHaveCount(2);
  await expect(page.getByRole('tab', { name: 'Search' })).toHaveAttribute('aria-selected', 'false');
});

test('copies the search as cURL, and steps back to it @search', async ({ workbench, page, server }) => {
  await allowClipboard(page, server);
  const search = new SearchPage(page);
  await workbench.search('CarePlan', { patient });
  await expect(workbench.rows()).toHaveCount(5);
  await search.form.getByRole('button', { name: 'Copy as cURL' }).click();
  await expect(workbench.status).toContainText('cURL command copied');
  const command = await search.clipboard();
  expect(command).toContain(`${server.origin}/fhir-r4/v1/CarePlan?subject=${patient}`);
  expect(command).not.toContain(server.token);

  await workbench.search('Composition', { patient });
  await expect(workbench.status).toContainText('Found 4 Compositions');
  await search.form.getByRole('textbox', { name: 'Patient' }).focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(workbench.status).toContainText('Found 5 CarePlans');
  await page.keyboard.press('Alt+ArrowRight');
  await expect(workbench.status).toContainText('Found 4 Compositions');
});
