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
        front
        onFront={() => undefined}
        draw={({ type, id, title, version }) =>
          isResourceType(type) && <RowPreview record={{ type, id, title }} version={version} />
        }
      />
    </div>
  );
}

/** A connection on which some requests find no server. */
function failing(fails: (address: string) => boolean) {
  const client: Client = createClient({
    base: '',
    fetch: (address, init) => (fails(address) ? Promise.reject(new TypeError('away')) : fetch(address, init)),
    token: () => session.token(),
  });
  return { ...localConnection, client };
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
  await show(
    <ConnectionContext value={failing(() => away)}>
      <Find width={1000} />
    </ConnectionContext>,
  );
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();
  away = true;
  await press(text.search.submit);
  await expect
    .element(page.getByText(/The search was not repeated; these rows are from \d\d:\d\d\./))
    .toBeVisible();
  expect(rows().length).toBeGreaterThan(0);
  away = false;
  await press(text.failure.retry);
  await expect.element(page.getByText(/The search was not repeated/)).not.toBeInTheDocument();
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

const preview = () => page.getByRole('region', { name: text.preview.name });

test('the record under the cursor is shown beside the results, arrows lead on, and it is folded away for good', async () => {
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

test('a record that cannot be read any more says so in the preview', async () => {
  await storePlan({ title: 'Diabetes plan' });
  await show(
    <ConnectionContext value={failing((address) => /CarePlan\/[^?]+$/.test(address))}>
      <Find width={1300} />
    </ConnectionContext>,
  );
  await press(text.search.submit);
  await expect.element(preview().getByText(text.preview.failed)).toBeVisible();
});

test('where there is no room the preview lies over the results, and only when it is called', async () => {
  await storePlan({ title: 'Diabetes plan' });
  await show(<Find width={800} />);
  await press(text.search.submit);
  await expect.element(page.getByRole('gridcell', { name: 'Diabetes plan' })).toBeVisible();
  expect(preview().elements()).toEqual([]);
  await press(text.preview.toggle);
  await expect.element(preview().getByRole('heading', { name: 'Diabetes plan' })).toBeVisible();
});

test('a column of the type is chosen, moved by keys and by the mouse, and kept for this type', async () => {
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
      .map((one) => one.textContent);
  await press(text.results.chooseColumns);
  await userEvent.click(page.getByRole('menuitemcheckbox', { name: 'Author' }));
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('gridcell', { name: 'Dr Nia Specimen' })).toBeVisible();

  const before = heads().indexOf('Author');
  head('Author').getByRole('button').element().focus();
  await userEvent.keyboard('{Control>}{Shift>}{ArrowLeft}{/Shift}{/Control}');
  await expect.poll(() => heads().indexOf('Author')).toBe(before - 1);
  await userEvent.dragAndDrop(head('Author').getByRole('button'), head('Status'));
  await expect.poll(heads).toEqual(expect.arrayContaining(['Author', 'Status']));
  await expect.poll(() => heads()[0]).toBe('Author');
  await expect
    .poll(async () => {
      const kept = (await (await send('GET', '/app/preferences')).json()) as {
        searchColumns: { types?: Record<string, { shown: string[] }> } | null;
      };
      return kept.searchColumns?.types?.CarePlan?.shown[0];
    })
    .toBe('author');
});

test('what finds nothing offers a search that does; where that cannot be asked, a hint stands in its place', async () => {
  const note = {
    ...{ resourceType: 'Composition', status: 'final', type: { text: 'Note' }, title: 'Discharge summary' },
    ...{ subject: { reference: 'Patient/18' }, date: '2026-01-02', author: [{ display: 'Ward 3' }] },
  };
  await send('POST', '/fhir-r4/v1/Composition', JSON.stringify(note));
  let away = true;
  await show(
    <ConnectionContext value={failing((address) => away && address.includes('_summary=count'))}>
      <Find />
    </ConnectionContext>,
  );
  const patient = page.getByRole('textbox', { name: text.search.patient });
  const nothing = page.getByRole('heading', {
    name: text.results.none('CarePlan', text.search.ofPatient('17')),
  });
  await userEvent.fill(patient, '17');
  await press(text.search.submit);
  await expect.element(nothing).toBeVisible();
  await expect.element(page.getByText(text.results.noneHint)).toBeVisible();

  away = false;
  await userEvent.fill(patient, '18');
  await press(text.search.submit);
  await press(text.results.show('Composition', 1));
  await expect.element(page.getByRole('gridcell', { name: 'Discharge summary' })).toBeVisible();
});

test('a second order that is chosen before the first is answered is the server’s too', async () => {
  // One more than a page, which lacks the oldest: its day is the last.
  const entry = Array.from({ length: 501 }, (_, index) => ({
    resource: {
      ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', title: `Plan ${index}` },
      subject: { reference: 'Patient/17' },
      period: { start: `${2600 - index}-01-01` },
    },
  }));
  const bundle = { resourceType: 'Bundle', type: 'collection', entry };
  // Its report ends once all is stored.
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

/** What is copied from now on. */
function noteCopies(): readonly string[] {
  const copied: string[] = [];
  const writeText = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = (value) => Promise.resolve(void copied.push(value));
  onTestFinished(() => {
    navigator.clipboard.writeText = writeText;
  });
  return copied;
}

test('a search is copied as cURL, also one that asks nothing', async () => {
  const copied = noteCopies();
  await show(<Find />);
  await press(text.rowMenu.copyCurl);
  await userEvent.fill(page.getByRole('textbox', { name: text.search.encounter }), '4');
  await press(text.rowMenu.copyCurl);
  expect(copied).toHaveLength(2);
  expect(copied[0]).toMatch(/\/CarePlan \\$/m);
  expect(copied[1]).toMatch(/\/CarePlan\?encounter=/);
});

test('an id under the pointer is copied by its button, whole', async () => {
  const id = '3819264d-f39e-4c1f-9d0a-a523e807bea1';
  const copied = noteCopies();
  await storePlan({ title: 'Diabetes plan', subject: { reference: `urn:uuid:${id}` } });
  await show(<Find />);
  await press(text.search.submit);
  await userEvent.hover(page.getByTitle(id).first());
  await press(text.results.copy);
  expect(copied).toEqual([id]);
});
