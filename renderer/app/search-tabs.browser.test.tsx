import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { send, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { Workbench } from './workbench.tsx';

beforeEach(startServer);

async function storePlan(members: Readonly<Record<string, unknown>>): Promise<void> {
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', ...members };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan));
}

const strip = () => page.getByRole('tablist', { name: text.tabs.name });
const tab = (name: string | RegExp) => strip().getByRole('tab', { name });
const search = () =>
  userEvent.click(page.getByRole('search').getByRole('button', { name: text.search.submit, exact: true }));

test('names two search tabs by their queries, with a patient name from another record', async () => {
  await storePlan({ title: 'Diet', subject: { reference: 'Patient/17', display: 'Ada Example' } });
  await storePlan({ title: 'Wound care', subject: { reference: 'urn:uuid:17' } });
  await storePlan({ title: 'Falls', status: 'draft', subject: { reference: 'Patient/18' } });
  await show(<Workbench />);
  await search();
  await expect.element(tab('Search: CarePlan · all 3')).toBeVisible();

  await userEvent.click(page.getByRole('button', { name: text.tabs.newSearch }));
  await userEvent.fill(page.getByRole('textbox', { name: text.search.patient }), 'Patient/17');
  await search();
  await expect.element(tab('Search: CarePlan · Ada Example 2')).toBeVisible();
  await expect.element(tab('Search: CarePlan · all 3')).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'Wound care' });
  await expect.element(row.getByText('Ada Example')).toBeVisible();

  await userEvent.click(tab('Search: CarePlan · all 3'));
  await expect.element(page.getByRole('gridcell', { name: 'Falls' })).toBeVisible();
});

test('does not announce restored results of an inactive search', async () => {
  await storePlan({ title: 'Diet', subject: { reference: 'Patient/17' } });
  const session = {
    tabs: [{ kind: 'view', view: 'data' }],
    active: 0,
    search: { type: 'CarePlan', pairs: [] },
    recent: [],
  };
  await send('PUT', '/app/session', JSON.stringify(session));
  await show(<Workbench />);
  await expect.element(tab('Search: CarePlan · all 1')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: text.data.import.heading })).toBeVisible();
  expect(page.getByText('Found 1 CarePlan').elements()).toEqual([]);
});
