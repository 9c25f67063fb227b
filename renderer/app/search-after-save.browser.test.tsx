import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createClient, type Client } from '../../core/api/client.ts';
import { SearchView } from '../features/search/search-view.tsx';
import { useSearch } from '../features/search/use-search.ts';
import { toVersion } from '../platform/record-version.ts';
import { useRecordRequests } from '../features/record/use-record-requests.ts';
import { ConnectionContext, localConnection, useConnection } from '../platform/connection.ts';
import { session } from '../platform/session.ts';
import { send, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';

beforeEach(startServer);

const messages = text.results;

async function store(...titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    const record = {
      resourceType: 'Composition',
      status: 'final',
      type: { text: 'Discharge summary' },
      date: '2024-03-01',
      author: [{ display: 'Ward 3' }],
      title,
    };
    await send('POST', '/fhir-r4/v1/Composition', JSON.stringify(record));
  }
}

/** Returns a client whose searches have pages of one record. */
function createSmallPageClient(): Client {
  return createClient({
    base: '',
    fetch: (address, init) => fetch(address.replace('_count=500', '_count=1'), init),
    token: () => session.token(),
  });
}

/** A search of all documents, and a button that renames the record `from`. */
function Desk({ from, to }: { readonly from: string; readonly to: string }) {
  const { client } = useConnection();
  const search = useSearch();
  const requests = useRecordRequests();

  async function save() {
    const matches = await client.search('Composition', [['title', from]]);
    const id = /"id": ?"([^"]+)"/.exec(matches.records[0]?.text ?? '')?.[1] ?? '';
    const base = toVersion(await client.read('Composition', id));
    const editedText = base.text.replace(`"${from}"`, `"${to}"`);
    const state = {
      type: 'Composition',
      id,
      base,
      text: editedText,
      phase: { name: 'reviewing' },
      lastEdit: 0,
      method: 'put',
    } as const;
    await requests.saveRecord({ state, modelPath: id, dispatch: () => undefined });
  }

  return (
    <div style={{ display: 'flex', flexDirection: 'column', height: 600 }}>
      <button onClick={() => search.run({ type: 'Composition', pairs: [] })}>Find all</button>
      <button onClick={() => void save()}>Rename</button>
      <SearchView search={search} isActive onFront={() => undefined} />
    </div>
  );
}

const title = (name: string) => page.getByRole('gridcell', { name, exact: true });
const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }));

test('refetches the results after a save', async () => {
  await store('Note A', 'Note B');
  await show(<Desk from="Note A" to="Note A, signed" />);
  await press('Find all');
  await expect.element(title('Note A')).toBeVisible();
  await press('Rename');
  await expect.element(title('Note A, signed')).toBeVisible();
  await expect.element(page.getByText(messages.outdated)).not.toBeInTheDocument();
});

test('marks more than four pages as outdated after a save, and refetches on request', async () => {
  await store('Note A', 'Note B', 'Note C', 'Note D', 'Note E');
  await show(
    <ConnectionContext value={{ ...localConnection, client: createSmallPageClient() }}>
      <Desk from="Note A" to="Renamed" />
    </ConnectionContext>,
  );
  await press('Find all');
  await press(messages.all);
  await expect.poll(() => page.getByRole('grid').getByRole('row').elements().length).toBe(6);
  await press('Rename');
  await expect.element(page.getByText(messages.outdated)).toBeVisible();
  await expect.element(title('Note A')).toBeVisible();
  await press(messages.again);
  await expect.element(page.getByText(messages.outdated)).not.toBeInTheDocument();
  await press(messages.all);
  await expect.element(title('Renamed')).toBeVisible();
});
