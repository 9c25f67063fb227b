import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createClient } from '../../../core/api/client.ts';
import { ConnectionContext, localConnection } from '../../platform/connection.ts';
import { session } from '../../platform/session.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { SearchView } from './search-view.tsx';
import { useSearch } from './use-search.ts';

beforeEach(startServer);

const plan = {
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/17' },
};

/** Stores a plan by its text, which keeps its digits. */
async function store(members: string): Promise<void> {
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan).replace(/}$/, `,${members}}`));
}

function Find() {
  const search = useSearch();
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: 1400, height: 600 }}>
      <SearchView search={search} front onFront={() => undefined} />
    </div>
  );
}

/** What the page hands to the browser as files, until the test ends. */
function savedFiles(): readonly Blob[] {
  const saved: Blob[] = [];
  const createObjectURL = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (content: Blob) => {
    saved.push(content);
    return createObjectURL(new Blob());
  };
  onTestFinished(() => {
    URL.createObjectURL = createObjectURL;
  });
  return saved;
}

const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }));
const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });

async function exportAs(format: keyof typeof text.export.formats): Promise<void> {
  await press(text.export.name);
  await userEvent.click(page.getByRole('menuitem', { name: text.export.formats[format] }));
}

async function fileOf(saved: readonly Blob[]): Promise<string> {
  await expect.poll(() => saved.length).toBe(1);
  return (await saved[0]?.text()) ?? '';
}

test('CSV has the shown columns of every match, and no cell that a spreadsheet takes for a formula', async () => {
  await store('"title":"=1+1","period":{"start":"2024-01-02","end":"2024-03-04"}');
  await store('"title":"Walking, daily"');
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(cell('Walking, daily')).toBeVisible();
  const saved = savedFiles();
  await exportAs('csv');
  const lines = (await fileOf(saved)).split('\r\n');
  expect(lines[0]).toMatch(/^Status,Title,Subject,Date,/);
  expect(lines[1]).toMatch(/^active,"Walking, daily",Patient\/17,,/);
  expect(lines[2]).toMatch(/^active,'=1\+1,Patient\/17,2024-01-02\/2024-03-04,/);
  expect(lines.slice(3)).toEqual(['']);
});

test('adds a byte order mark to CSV if the user chose Excel', async () => {
  await send('PUT', '/app/preferences', JSON.stringify({ csvForExcel: true }));
  await store('"title":"Überwachung"');
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(cell('Überwachung')).toBeVisible();
  const saved = savedFiles();
  await exportAs('csv');
  await expect.poll(() => saved.length).toBe(1);
  const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer());
  expect([...bytes.subarray(0, 9)]).toEqual([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('Status')]);
});

test('NDJSON and Bundle hold the records whole, with the digits that they have', async () => {
  const number = '"extension":[{"url":"http://e.test/x","valueDecimal":1.00}]';
  await store(`"title":"Exact",${number}`);
  await store('"title":"Other"');
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(cell('Exact')).toBeVisible();
  const saved = savedFiles();
  await exportAs('ndjson');
  const lines = (await fileOf(saved)).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('"valueDecimal":1.00}');

  await expect.element(page.getByRole('button', { name: text.export.name })).toBeEnabled();
  await exportAs('bundle');
  await expect.poll(() => saved.length).toBe(2);
  const bundle = (await saved[1]?.text()) ?? '';
  expect(bundle).toContain('"valueDecimal":1.00}');
  const { type, entry } = JSON.parse(bundle) as {
    type: string;
    entry: { fullUrl: string; resource: { id: string; title: string } }[];
  };
  expect(type).toBe('collection');
  expect(entry.map(({ resource }) => resource.title)).toEqual(['Other', 'Exact']);
  expect(entry[0]?.fullUrl).toBe(`${localConnection.fhirBase}/CarePlan/${entry[0]?.resource.id}`);
});

test('every page is written, though one alone is loaded', async () => {
  const entry = Array.from({ length: 501 }, (_, at) => ({ resource: { ...plan, id: `p-${at}` } }));
  const bundle = JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
  await (await send('POST', '/app/import?keepIds=true', bundle)).text();
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(page.getByRole('button', { name: text.results.more })).toBeVisible();
  const saved = savedFiles();
  await exportAs('ndjson');
  const ids = (await fileOf(saved))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(new Set(ids).size).toBe(501);
});

test('of a selection the chosen rows alone are written', async () => {
  await store('"title":"One"');
  await store('"title":"Two"');
  await store('"title":"Three"');
  await show(<Find />);
  await press(text.search.submit);
  await userEvent.click(cell('One'));
  await userEvent.keyboard(' {ArrowUp}{ArrowUp} ');
  const saved = savedFiles();
  await exportAs('ndjson');
  const titles = (await fileOf(saved))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { title: string }).title);
  expect(titles).toEqual(['Three', 'One']);
  await expect.element(page.getByRole('button', { name: text.export.name })).toBeEnabled();
  await exportAs('csv');
  await expect.poll(() => saved.length).toBe(2);
  expect(((await saved[1]?.text()) ?? '').split('\r\n')).toHaveLength(4);
});

test('a page that fails is told, nothing is written, and the export can be tried again', async () => {
  await store('"title":"One"');
  let away = false;
  const client = createClient({
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
  await expect.element(cell('One')).toBeVisible();
  const saved = savedFiles();
  away = true;
  await exportAs('bundle');
  const failed = page.getByText(text.export.failed(0, 1), { exact: false });
  await expect.element(failed).toBeVisible();
  expect(saved).toEqual([]);
  away = false;
  await press(text.failure.retry);
  expect(await fileOf(saved)).toContain('"title":"One"');
  await expect.element(failed).not.toBeInTheDocument();
});

test('an export that is stopped writes nothing', async () => {
  await store('"title":"One"');
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  let hold = false;
  const client = createClient({
    base: '',
    fetch: async (address, init) => {
      if (hold) await held;
      return fetch(address, init);
    },
    token: () => session.token(),
  });
  await show(
    <ConnectionContext value={{ ...localConnection, client }}>
      <Find />
    </ConnectionContext>,
  );
  await press(text.search.submit);
  await expect.element(cell('One')).toBeVisible();
  const saved = savedFiles();
  hold = true;
  await exportAs('ndjson');
  await press(text.export.stop);
  hold = false;
  release(undefined);
  await exportAs('csv');
  expect(await fileOf(saved)).toMatch(/^Status,/);
});
