import { expect, test } from './fixtures.ts';
import { SearchPage } from './search-page.ts';

test.use({ flags: ['--demo'], networkOff: true });

// The fixture `workbench` fails a test whose page asks any other host for anything.

test('with the network off, records are found, narrowed, sorted, saved as a search and opened', async ({
  workbench,
  page,
}) => {
  expect(await page.evaluate(() => navigator.onLine)).toBe(false);
  const search = new SearchPage(page);
  await workbench.search('CarePlan', { patient: 'demo-patient-089' });
  await expect(workbench.rows()).toHaveCount(5);
  await search.narrow('status', { value: 'completed' });
  await search.submit.click();
  await expect(workbench.status).toContainText('status is completed');
  await search.head('Title').getByRole('button').click();
  await expect(search.head('Title')).toHaveAttribute('aria-sort', 'ascending');

  await search.form.getByRole('button', { name: 'Save search' }).click();
  const name = page.getByRole('textbox', { name: 'Name of the search' });
  await name.fill('Offline');
  await name.press('Enter');
  await expect(search.views.getByRole('button', { name: 'Offline', exact: true })).toBeVisible();
  await workbench.openRow(workbench.rows().first());
});
