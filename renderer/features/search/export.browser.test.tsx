import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createClient } from '../../../core/api/client.ts';
import { ConnectionContext, localConnection } from '../../platform/connection.ts';
import { session } from '../../platform/session.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { resultColumns } from './result-columns.tsx';
import { SearchView } from './search-view.tsx';
import { useSearch } from './use-search.ts';

beforeEach(startServer);

const plan = {
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/17' },
};

/** Stores a plan by its text, which preserves its digits. */
async function store(members: string): Promise<void> {
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan).replace(/}$/, `,${members}}`));
}

function Find() {
  const search = useSearch();
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: 1400, height: 600 }}>
      <SearchView search={search} isActive onFront={() => undefined} />
    </div>
  );
}

/** Records the files that the page saves until the test ends. */
function recordSavedFiles(): readonly Blob[] {
  const files: Blob[] = [];
  const createObjectURL = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (content: Blob) => {
    files.push(content);
    return createObjectURL(new Blob());
  };
  onTestFinished(() => {
    URL.createObjectURL = createObjectURL;
  });
  return files;
}

const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }));
const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });

async function exportAs(format: keyof typeof text.export.formats): Promise<void> {
  await press(text.export.name);
  await userEvent.click(page.getByRole('menuitem', { name: text.export.formats[format] }));
}

async function fileOf(files: readonly Blob[]): Promise<string> {
  await expect.poll(() => files.length).toBe(1);
  return (await files[0]?.text()) ?? '';
}

test('writes the visible columns of every match as CSV without spreadsheet formulas', async () => {
  await store('"title":"=1+1","period":{"start":"2024-01-02","end":"2024-03-04"}');
  await store('"title":"Walking, daily"');
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(cell('Walking, daily')).toBeVisible();
  const files = recordSavedFiles();
  await exportAs('csv');
  const lines = (await fileOf(files)).split('\r\n');
  expect(lines[0]).toMatch(/^status,title,subject,date,/);
  expect(lines[1]).toMatch(/^active,"Walking, daily",Patient\/17,,/);
  expect(lines[2]).toMatch(/^active,'=1\+1,Patient\/17,2024-01-02\/2024-03-04,/);
  expect(lines.slice(3)).toEqual(['']);
});

test('writes CSV with column IDs and severity codes that no language changes', async () => {
  await store('"title":"Walking"');
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(cell('Walking')).toBeVisible();
  const files = recordSavedFiles();
  await exportAs('csv');
  const [head = '', row = ''] = (await fileOf(files)).split('\r\n');
  const ids = head.split(',');
  expect(resultColumns.CarePlan.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  expect(row.split(',')[ids.indexOf('quality')]).toMatch(/^error=\d+ warning=\d+$/);
});

test('adds a byte order mark to CSV if the user chose Excel', async () => {
  await send('PUT', '/app/preferences', JSON.stringify({ csvForExcel: true }));
  await store('"title":"Überwachung"');
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(cell('Überwachung')).toBeVisible();
  const files = recordSavedFiles();
  await exportAs('csv');
  await expect.poll(() => files.length).toBe(1);
  const bytes = new Uint8Array((await files[0]?.arrayBuffer()) ?? new ArrayBuffer());
  expect([...bytes.subarray(0, 9)]).toEqual([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('status')]);
});

test('exports records to NDJSON and Bundle with their exact digits', async () => {
  const number = '"extension":[{"url":"http://e.test/x","valueDecimal":1.00}]';
  await store(`"title":"Exact",${number}`);
  await store('"title":"Other"');
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(cell('Exact')).toBeVisible();
  const files = recordSavedFiles();
  await exportAs('ndjson');
  const lines = (await fileOf(files)).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('"valueDecimal":1.00}');

  await expect.element(page.getByRole('button', { name: text.export.name })).toBeEnabled();
  await exportAs('bundle');
  await expect.poll(() => files.length).toBe(2);
  const bundle = (await files[1]?.text()) ?? '';
  expect(bundle).toContain('"valueDecimal":1.00}');
  const { type, entry } = JSON.parse(bundle) as {
    type: string;
    entry: { fullUrl: string; resource: { id: string; title: string } }[];
  };
  expect(type).toBe('collection');
  expect(entry.map(({ resource }) => resource.title)).toEqual(['Other', 'Exact']);
  expect(entry[0]?.fullUrl).toBe(`${localConnection.fhirBase}/CarePlan/${entry[0]?.resource.id}`);
});

test('writes every page although only one is loaded', async () => {
  const entry = Array.from({ length: 501 }, (_, index) => ({ resource: { ...plan, id: `p-${index}` } }));
  const bundle = JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
  await (await send('POST', '/app/import?keepIds=true', bundle)).text();
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(page.getByRole('button', { name: text.results.more })).toBeVisible();
  const files = recordSavedFiles();
  await exportAs('ndjson');
  const ids = (await fileOf(files))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(new Set(ids).size).toBe(501);
});

test('writes only the selected rows', async () => {
  await store('"title":"One"');
  await store('"title":"Two"');
  await store('"title":"Three"');
  await show(<Find />);
  await press(text.search.submit);
  await userEvent.click(cell('One'));
  await userEvent.keyboard(' {ArrowUp}{ArrowUp} ');
  const files = recordSavedFiles();
  await exportAs('ndjson');
  const titles = (await fileOf(files))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { title: string }).title);
  expect(titles).toEqual(['Three', 'One']);
  await expect.element(page.getByRole('button', { name: text.export.name })).toBeEnabled();
  await exportAs('csv');
  await expect.poll(() => files.length).toBe(2);
  expect(((await files[1]?.text()) ?? '').split('\r\n')).toHaveLength(4);
});

test('reports a failed page, writes nothing and allows a retry', async () => {
  await store('"title":"One"');
  let isOffline = false;
  const client = createClient({
    base: '',
    fetch: (address, init) => (isOffline ? Promise.reject(new TypeError('away')) : fetch(address, init)),
    token: () => session.token(),
  });
  await show(
    <ConnectionContext value={{ ...localConnection, client }}>
      <Find />
    </ConnectionContext>,
  );
  await press(text.search.submit);
  await expect.element(cell('One')).toBeVisible();
  const files = recordSavedFiles();
  isOffline = true;
  await exportAs('bundle');
  const failure = page.getByText(text.export.failed(0), { exact: false });
  await expect.element(failure).toBeVisible();
  expect(files).toEqual([]);
  isOffline = false;
  await press(text.failure.retry);
  expect(await fileOf(files)).toContain('"title":"One"');
  await expect.element(failure).not.toBeInTheDocument();
});

test('writes nothing if the export is stopped', async () => {
  await store('"title":"One"');
  const { promise: gate, resolve: release } = Promise.withResolvers<undefined>();
  let isHolding = false;
  const client = createClient({
    base: '',
    fetch: async (address, init) => {
      if (isHolding) await gate;
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
  const files = recordSavedFiles();
  isHolding = true;
  await exportAs('ndjson');
  await press(text.export.stop);
  isHolding = false;
  release(undefined);
  await exportAs('csv');
  expect(await fileOf(files)).toMatch(/^status,/);
});
