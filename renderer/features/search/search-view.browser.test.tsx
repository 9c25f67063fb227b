import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createClient, type Client } from '../../../core/api/client.ts';
import { ConnectionContext, localConnection } from '../../platform/connection.ts';
import { session } from '../../platform/session.ts';
import { holdRequests, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { RowPreview } from '../../app/row-preview.tsx';
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

function Find({ width = 1100 }: { readonly width?: number }) {
  const search = useSearch();
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width, height: 600 }}>
      <SearchView
        search={search}
        isActive
        onFront={() => undefined}
        draw={({ type, id, title, version }) =>
          isResourceType(type) && <RowPreview record={{ type, id, title }} version={version} />
        }
      />
    </div>
  );
}

/** A connection whose matching requests fail. */
function createFailingConnection(shouldFail: (address: string) => boolean) {
  const client: Client = createClient({
    base: '',
    fetch: (address, init) =>
      shouldFail(address) ? Promise.reject(new TypeError('away')) : fetch(address, init),
    token: () => session.token(),
  });
  return { ...localConnection, client };
}

const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }));
const rows = () => page.getByRole('grid', { name: text.results.name }).getByRole('gridcell').elements();

test('lists every record without criteria, and only matching records for an encounter', async () => {
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

test('keeps the rows of a failed refresh and shows their time', async () => {
  await storePlan({ title: 'Diabetes plan' });
  let isOffline = false;
  await show(
    <ConnectionContext value={createFailingConnection(() => isOffline)}>
      <Find width={1000} />
    </ConnectionContext>,
  );
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();
  isOffline = true;
  await press(text.search.submit);
  await expect.element(page.getByText(/Couldn’t refresh. These results are from \d\d:\d\d\./)).toBeVisible();
  expect(rows().length).toBeGreaterThan(0);
  isOffline = false;
  await press(text.failure.retry);
  await expect.element(page.getByText(/Couldn’t refresh/)).not.toBeInTheDocument();
});

test('finds every form of a pasted reference and names the forms in the footer', async () => {
  await storePlan({ title: 'Diabetes plan' });
  await storePlan({ title: 'Wound care', subject: { reference: 'urn:uuid:17' } });
  await show(<Find />);
  await userEvent.fill(page.getByRole('textbox', { name: text.search.patient }), 'Patient/17/_history/1');
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Wound care' })).toBeVisible();
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();
  await expect.element(page.getByText(/Referenced as .*urn:uuid:… \(1\)/)).toBeVisible();

  await userEvent.fill(page.getByRole('textbox', { name: text.search.patient }), 'urn:uuid:17');
  await press(text.search.formMenu(text.search.patient));
  await userEvent.click(page.getByRole('menuitemradio', { name: text.search.exactly }));
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('gridcell', { name: 'Wound care' })).toBeVisible();
});

const preview = () => page.getByRole('region', { name: text.preview.name });

test('previews the current record, follows the arrow keys and stays hidden once closed', async () => {
  await storePlan({
    title: 'Diabetes plan',
    activity: [{ detail: { status: 'scheduled', description: 'Walk' } }],
  });
  await storePlan({ title: 'Wound care', description: 'Dress twice a week' });
  await show(<Find width={1300} />);
  await press(text.search.submit);
  await expect.element(preview().getByRole('heading', { name: 'Wound care' })).toBeVisible();
  await expect.element(preview().getByText('Dress twice a week')).toBeVisible();
  await userEvent.click(page.getByRole('gridcell', { name: 'Wound care' }));
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(preview().getByRole('heading', { name: 'Diabetes plan' })).toBeVisible();
  await expect.element(preview().getByText('Walk')).toBeVisible();

  await press(text.preview.hide);
  await expect.element(preview()).not.toBeInTheDocument();
  await expect
    .poll(
      async () => ((await (await send('GET', '/app/preferences')).json()) as { preview: boolean }).preview,
    )
    .toBe(false);
});

test("reports in the preview that a record can't be read", async () => {
  await storePlan({ title: 'Diabetes plan' });
  await show(
    <ConnectionContext value={createFailingConnection((address) => /CarePlan\/[^?]+$/.test(address))}>
      <Find width={1300} />
    </ConnectionContext>,
  );
  await press(text.search.submit);
  await expect.element(preview().getByText(text.preview.failed)).toBeVisible();
});

test('overlays the preview on request if the window is narrow', async () => {
  await storePlan({ title: 'Diabetes plan' });
  await show(<Find width={800} />);
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();
  expect(preview().elements()).toEqual([]);
  await press(text.preview.toggle);
  await expect.element(preview().getByRole('heading', { name: 'Diabetes plan' })).toBeVisible();
});

test('adds a column, moves it with keys and mouse, and stores the layout for the type', async () => {
  await storePlan({
    title: 'Diabetes plan',
    author: { display: 'Dr Nia Specimen' },
    goal: [{ reference: 'Goal/1' }],
  });
  await show(<Find />);
  await press(text.search.submit);
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  const heads = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map((header) => header.textContent);
  await press(text.results.chooseColumns);
  await userEvent.click(page.getByRole('menuitemcheckbox', { name: 'Author' }));
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('gridcell', { name: 'Dr Nia Specimen' })).toBeVisible();

  const previousIndex = heads().indexOf('Author');
  head('Author').getByRole('button').element().focus();
  await userEvent.keyboard('{Control>}{Shift>}{ArrowLeft}{/Shift}{/Control}');
  await expect.poll(() => heads().indexOf('Author')).toBe(previousIndex - 1);
  await userEvent.dragAndDrop(head('Author').getByRole('button'), head('Status'));
  await expect.poll(heads).toEqual(expect.arrayContaining(['Author', 'Status']));
  await expect.poll(() => heads()[0]).toBe('Author');
  await expect
    .poll(async () => {
      const preferences = (await (await send('GET', '/app/preferences')).json()) as {
        searchColumns: { types?: Record<string, { shown: string[] }> } | null;
      };
      return preferences.searchColumns?.types?.CarePlan?.shown[0];
    })
    .toBe('author');
});

test('suggests a search with matches, or a hint if the count fails', async () => {
  const note = {
    resourceType: 'Composition',
    status: 'final',
    type: { text: 'Note' },
    title: 'Discharge summary',
    subject: { reference: 'Patient/18' },
    date: '2026-01-02',
    author: [{ display: 'Ward 3' }],
  };
  await send('POST', '/fhir-r4/v1/Composition', JSON.stringify(note));
  let isOffline = true;
  await show(
    <ConnectionContext
      value={createFailingConnection((address) => isOffline && address.includes('_summary=count'))}
    >
      <Find />
    </ConnectionContext>,
  );
  const patient = page.getByRole('textbox', { name: text.search.patient });
  const emptyHeading = page.getByRole('heading', { name: text.results.none('CarePlan') });
  await userEvent.fill(patient, '17');
  await press(text.search.submit);
  await expect.element(emptyHeading).toBeVisible();
  await expect.element(page.getByText(text.results.noneHint)).toBeVisible();

  isOffline = false;
  await userEvent.fill(patient, '18');
  await press(text.search.submit);
  await press(text.results.show('Composition', 1));
  await expect.element(page.getByRole('gridcell', { name: 'Discharge summary' })).toBeVisible();
});

test('sends a second order although the first is still pending', async () => {
  // One more than a page. The first page lacks the oldest record, which sorts first.
  const entry = Array.from({ length: 501 }, (_, index) => ({
    resource: {
      resourceType: 'CarePlan',
      status: 'active',
      intent: 'plan',
      title: `Plan ${index}`,
      subject: { reference: 'Patient/17' },
      period: { start: `${2600 - index}-01-01` },
    },
  }));
  const bundle = { resourceType: 'Bundle', type: 'collection', entry };
  // The response ends after everything is stored.
  await (await send('POST', '/app/import?level=off', JSON.stringify(bundle))).text();
  await show(<Find />);
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: /^Plan / }).first()).toBeVisible();
  const head = page.getByRole('columnheader', { name: text.results.columns.date, exact: true });
  const release = await holdRequests();
  await userEvent.click(head.getByRole('button'));
  await expect.element(head).toHaveAttribute('aria-sort', 'ascending');
  await userEvent.click(head.getByRole('button'));
  await release();
  await expect.element(head).toHaveAttribute('aria-sort', 'descending');
  await expect.element(page.getByRole('row').nth(1)).toMatchTextContent('Plan 0');
});

/** Records the texts that the page copies. */
function recordCopies(): readonly string[] {
  const copiedTexts: string[] = [];
  const writeText = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = (value) => Promise.resolve(void copiedTexts.push(value));
  onTestFinished(() => {
    navigator.clipboard.writeText = writeText;
  });
  return copiedTexts;
}

test('copies a search as cURL, also without criteria', async () => {
  const copiedTexts = recordCopies();
  await show(<Find />);
  await press(text.rowMenu.copyCurl);
  await userEvent.fill(page.getByRole('textbox', { name: text.search.encounter }), '4');
  await press(text.rowMenu.copyCurl);
  expect(copiedTexts).toHaveLength(2);
  expect(copiedTexts[0]).toMatch(/\/CarePlan \\$/m);
  expect(copiedTexts[1]).toMatch(/\/CarePlan\?encounter=/);
});

test('copies the whole ID under the pointer', async () => {
  const id = '3819264d-f39e-4c1f-9d0a-a523e807bea1';
  const copiedTexts = recordCopies();
  await storePlan({ title: 'Diabetes plan', subject: { reference: `urn:uuid:${id}` } });
  await show(<Find />);
  await press(text.search.submit);
  await userEvent.hover(page.getByTitle(id).first());
  await press(text.results.copy);
  expect(copiedTexts).toEqual([id]);
});

/** A document of a source with the ids of every other one. Its references state no names. */
function createDocument(source: string, name: string): string {
  const resources = [
    {
      resourceType: 'Composition',
      id: 'c1',
      status: 'final',
      type: { coding: [{ system: 'http://loinc.org', code: '18842-5' }] },
      title: `Letter of ${source}`,
      date: '2026-01-02',
      subject: { reference: 'Patient/p1' },
      encounter: { reference: 'Encounter/e1' },
      author: [{ reference: 'Practitioner/d1' }],
    },
    { resourceType: 'Patient', id: 'p1', name: [{ text: `${name} Example` }] },
    { resourceType: 'Practitioner', id: 'd1', name: [{ text: `Dr ${name}` }] },
    { resourceType: 'Encounter', id: 'e1', status: 'finished', type: [{ text: `Visit of ${name}` }] },
  ];
  const entry = resources.map((resource) => ({
    fullUrl: `https://${source}.example/fhir/${resource.resourceType}/${resource.id}`,
    resource,
  }));
  return JSON.stringify({ resourceType: 'Bundle', type: 'document', entry });
}

test('shows references by the names of their resources, each from the source of its record', async () => {
  await send('POST', '/app/import', createDocument('north', 'Ada'));
  await send('POST', '/app/import', createDocument('south', 'Ben'));
  await show(<Find width={2000} />);
  await userEvent.selectOptions(page.getByRole('combobox', { name: text.search.type }), 'Composition');
  await press(text.search.submit);
  for (const [source, name] of [
    ['north', 'Ada'],
    ['south', 'Ben'],
  ]) {
    const row = page.getByRole('row').filter({ hasText: `Letter of ${source}` });
    for (const words of [`${name} Example`, `Dr ${name}`, `Visit of ${name}`])
      await expect.element(row.getByText(words)).toBeVisible();
  }
});

test('names what a previewed document refers to from its own source', async () => {
  await send('POST', '/app/import', createDocument('north', 'Ada'));
  const imported = await send('POST', '/app/import', createDocument('south', 'Ben'));
  const [, id = ''] = /"record":"Composition\/([^"]+)"/.exec(await imported.text()) ?? [];
  await show(<RowPreview record={{ type: 'Composition', id, title: '' }} version="1" />);
  await expect.element(page.getByText('Dr Ben').first()).toBeVisible();
  await expect.element(page.getByText('Discharge summary').first()).toBeVisible();
});
