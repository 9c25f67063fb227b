import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createClient, type Client } from '../../../core/api/client.ts';
import { ConnectionContext, localConnection } from '../../platform/connection.ts';
import { session } from '../../platform/session.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { SearchView } from './search-view.tsx';
import { useSearch } from './use-search.ts';

beforeEach(startServer);

async function storePlan(members: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/17' },
    ...members,
  };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan));
}

function Find() {
  const search = useSearch();
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: 1100, height: 600 }}>
      <SearchView search={search} front onFront={() => undefined} />
    </div>
  );
}

const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }));
const rows = () => page.getByRole('grid', { name: text.results.name }).getByRole('gridcell').elements();

test('a search that asks nothing lists every record; one by encounter alone lists those of it', async () => {
  await storePlan({ title: 'Diabetes plan', encounter: { reference: 'Encounter/4' } });
  await storePlan({ title: 'Wound care' });
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Wound care' })).toBeVisible();
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();

  await userEvent.fill(page.getByRole('textbox', { name: text.search.encounter }), '4');
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Wound care' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();
});

test('a search that is not repeated keeps its rows and says from when they are', async () => {
  await storePlan({ title: 'Diabetes plan' });
  let away = false;
  const client: Client = createClient({
    base: '',
    fetch: (address, init) => (away ? Promise.reject(new TypeError('away')) : fetch(address, init)),
    token: () => session.token(),
  });
  await show(
    <ConnectionContext value={{ ...localConnection, client }}>
      <Find />
    </ConnectionContext>,
  );
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();
  away = true;
  await press(text.search.submit);
  const alert = page.getByRole('alert');
  await expect
    .element(page.getByText(/The search was not repeated; these rows are from \d\d:\d\d\./))
    .toBeVisible();
  expect(rows().length).toBeGreaterThan(0);
  away = false;
  await press(text.failure.retry);
  await expect.element(alert).not.toBeInTheDocument();
});

test('a pasted reference finds every form of its id, and the foot says which', async () => {
  await storePlan({ title: 'Diabetes plan' });
  await storePlan({ title: 'Wound care', subject: { reference: 'urn:uuid:17' } });
  await show(<Find />);
  await userEvent.fill(page.getByRole('textbox', { name: text.search.patient }), 'Patient/17/_history/1');
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Wound care' })).toBeVisible();
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();
  await expect.element(page.getByText(/Named as .*urn:uuid:… in 1/)).toBeVisible();

  await userEvent.fill(page.getByRole('textbox', { name: text.search.patient }), 'urn:uuid:17');
  await press(text.search.formMenu(text.search.patient));
  await userEvent.click(page.getByRole('menuitemradio', { name: text.search.exactly }));
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('gridcell', { name: 'Wound care' })).toBeVisible();
});
