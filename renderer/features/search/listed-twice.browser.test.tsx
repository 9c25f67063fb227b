/** Tests with a server that lists a record twice. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createClient } from '../../../core/api/client.ts';
import { ConnectionContext, localConnection } from '../../platform/connection.ts';
import { session } from '../../platform/session.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { SearchView } from './search-view.tsx';
import { useSearch } from './use-search.ts';

beforeEach(startServer);

async function storePlan(title: string, patient: string): Promise<void> {
  const subject = { reference: `Patient/${patient}` };
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', title, subject };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan));
}

/** Searches for patient `many` repeat their last record. */
const client = createClient({
  base: '',
  fetch: async (address, init) => {
    const answer = await fetch(address, init);
    if (!address.includes('CarePlan?') || !address.includes('many')) return answer;
    const bundle = (await answer.json()) as { total: number; entry: readonly unknown[] };
    const entry = [...bundle.entry, bundle.entry.at(-1)];
    return new Response(JSON.stringify({ ...bundle, total: entry.length, entry }), answer);
  },
  token: () => session.token(),
});

function Find() {
  const search = useSearch();
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: 1400, height: 600 }}>
      <SearchView search={search} isActive onFront={() => undefined} />
    </div>
  );
}

const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }));
const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });

async function find(patient: string): Promise<void> {
  await userEvent.fill(page.getByRole('textbox', { name: 'Patient' }), patient);
  await press(text.search.submit);
}

test('shows and counts a repeated record once and leaves no row in the next search', async () => {
  for (const title of ['First', 'Second']) await storePlan(title, 'many');
  await storePlan('The one', 'p');
  await show(
    <ConnectionContext value={{ ...localConnection, client }}>
      <Find />
    </ConnectionContext>,
  );
  const grid = page.getByRole('grid', { name: text.results.name });
  const countRows = () => grid.element().querySelectorAll('[role=row][data-index]').length;
  await find('many');
  await expect.element(page.getByText(text.results.repeated(1))).toBeVisible();
  await expect.element(page.getByText('2 CarePlans', { exact: false }).first()).toBeVisible();
  expect(countRows()).toBe(2);
  await find('p');
  await expect.element(cell('The one')).toBeVisible();
  await expect.poll(countRows).toBe(1);
  await expect.element(page.getByText(text.results.repeated(1))).not.toBeInTheDocument();
});
