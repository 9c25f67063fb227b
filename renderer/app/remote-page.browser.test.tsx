/** The page of a remote connection, with two real servers: the local one is the gateway to the other. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ReactNode } from 'react';
import { createClient } from '../../core/api/client.ts';
import { ConnectionSummary } from '../../core/app/connections.ts';
import { emptyRecordText, createTemporaryId } from '../../core/fhir/new-record.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { openRecord, recordReducer } from '../features/record/record-state.ts';
import { toVersion } from '../platform/record-version.ts';
import { SavePreviewPane } from '../features/record/review/verdict-pane.tsx';
import { overwrite, record, RecordHost } from '../features/record/testing/record-host.tsx';
import { SearchView } from '../features/search/search-view.tsx';
import { useSearch } from '../features/search/use-search.ts';
import { ConnectionContext, remoteConnection } from '../platform/connection.ts';
import { loadMonaco } from '../platform/monaco-loader.ts';
import { session } from '../platform/session.ts';
import { answerWith } from '../testing/answers.ts';
import { send, show, startOtherServer, startServer, type RunningServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';

beforeAll(async () => {
  await loadMonaco();
});

let otherServer: RunningServer;
beforeEach(async () => {
  await startServer();
  otherServer = await startOtherServer();
});

const plan = (members: object = {}) => ({
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  title: 'Wound care',
  subject: { reference: 'Patient/p1' },
  ...members,
});

const note = {
  resourceType: 'Composition',
  status: 'final',
  type: { text: 'Note' },
  subject: { reference: 'Patient/p1' },
  date: '2026-01-02',
  author: [{ display: 'Ward 3' }],
};
const bySubject = { type: 'CarePlan', pairs: [['subject', 'p1']] };

/** Stores a record directly on the other server. Returns its id. */
async function storeOnOther(record: object, type = 'CarePlan'): Promise<string> {
  const response = await send('POST', `/fhir-r4/v1/${type}`, JSON.stringify(record), otherServer.token);
  return ((await response.json()) as { id: string }).id;
}

async function connect(mode: string): Promise<ConnectionSummary> {
  const settings = { name: 'Ward', baseUrl: otherServer.origin, mode, authentication: { kind: 'bearer' } };
  const created = (await (await send('POST', '/app/connections', JSON.stringify(settings))).json()) as {
    id: string;
  };
  await send('PUT', `/app/connections/${created.id}/secret`, JSON.stringify({ secret: otherServer.token }));
  const connection: unknown = await (await send('GET', `/app/connections/${created.id}`)).json();
  if (matchesSchema(ConnectionSummary, connection)) return connection;
  throw new Error('The server answered no connection');
}

async function showRemote(mode: string, component: ReactNode): Promise<ConnectionSummary> {
  const summary = await connect(mode);
  await show(<ConnectionContext value={remoteConnection(summary)}>{component}</ConnectionContext>);
  return summary;
}

function Find() {
  return (
    <div style={{ height: 640, display: 'grid' }}>
      <SearchView search={useSearch()} isActive onFront={() => undefined} />
    </div>
  );
}

test('marks a read-only record in its header, and explains disabled actions', async () => {
  const id = await storeOnOther(plan());
  await showRemote('read-only', <RecordHost ids={[id]} />);
  await expect.element(page.getByText(text.record.readOnly, { exact: true })).toBeVisible();
  for (const name of [text.record.review, text.record.patch, text.record.format]) {
    await expect.element(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  }
  await page.getByRole('button', { name: text.record.patch }).hover();
  await expect.element(page.getByText(text.record.refusal.readOnly('Ward'))).toBeVisible();
});

test('shows no read-only mark on a writable connection', async () => {
  const id = await storeOnOther(plan());
  await showRemote('normal', <RecordHost ids={[id]} />);
  await expect
    .element(page.getByRole('button', { name: text.record.patch }))
    .toHaveAttribute('aria-disabled', 'false');
  await expect.element(page.getByText(text.record.readOnly, { exact: true })).not.toBeInTheDocument();
});

test('names the host on the save button and does not focus it if writes need confirmation', async () => {
  const id = await storeOnOther(plan({ title: 'Alpha' }));
  const { host } = await showRemote('confirm', <RecordHost ids={[id]} />);
  await overwrite('Alpha', 'Mine');
  await record.review.click();
  const { sheet } = record;
  await expect.element(sheet.getByRole('button', { name: text.review.keepEditing })).toHaveFocus();
  await expect
    .element(sheet.getByRole('button', { name: text.review.save, exact: true }))
    .not.toBeInTheDocument();
  await sheet.getByRole('button', { name: text.consent.save(host) }).click();
  await expect.element(page.getByText(text.record.saved(2))).toBeInTheDocument();
  const response = await send('GET', `/fhir-r4/v1/CarePlan/${id}`, undefined, otherServer.token);
  expect(await response.text()).toContain('"title":"Mine"');
});

test('validates a new record by the rules of the page without blocking the save', async () => {
  const newRecord = recordReducer(openRecord('CarePlan', createTemporaryId('a')), {
    type: 'restored',
    base: toVersion({ text: emptyRecordText('CarePlan') }),
    text: JSON.stringify({ ...plan(), status: 'unheard-of' }),
  });
  const { host } = await showRemote('normal', <SavePreviewPane state={newRecord} onGo={() => undefined} />);
  const preview = page.getByRole('region', { name: text.verdict.name });
  await expect.element(preview.getByText(text.verdict.found)).toBeVisible();
  await expect.element(preview.getByText(text.verdict.errors(1))).toBeVisible();
  await expect.element(preview.getByText(text.verdict.theirs(host))).toBeVisible();
});

test('lists recent changes, opens the list of all, and validates visible rows', async () => {
  await storeOnOther({ ...note, title: 'Discharge summary' }, 'Composition');
  await showRemote('read-only', <Find />);
  const recentChanges = page.getByRole('region', { name: text.connections.start.changed('Composition') });
  await expect
    .element(recentChanges.getByRole('button').filter({ hasText: 'Discharge summary' }))
    .toBeVisible();
  await page.getByRole('button', { name: text.start.all('Composition') }).click();
  const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Discharge summary' });
  // The document is final without an attester.
  await expect.element(row.getByRole('img', { name: 'warning', exact: false })).toBeVisible();
});

test('reads visible records one by one if the server rejects a search by ids', async () => {
  await storeOnOther(plan({ title: 'Diet', status: 'completed' }));
  const summary = await connect('read-only');
  await send('POST', '/app/recents', JSON.stringify(bySubject), undefined, summary.id);
  const client = createClient({
    base: '',
    remote: summary,
    token: () => session.token(),
    fetch: (address, init) =>
      address.includes('_id=') ? Promise.resolve(Response.json({}, { status: 400 })) : fetch(address, init),
  });
  await show(
    <ConnectionContext value={{ ...remoteConnection(summary), client }}>
      <Find />
    </ConnectionContext>,
  );
  const patients = page.getByRole('region', { name: text.connections.start.patients });
  await patients.getByRole('button', { name: 'p1' }).click();
  const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Diet' });
  await expect.element(row.getByRole('img')).toBeVisible();
});

test('offers no list of all if the server rejects a search without criteria', async () => {
  const summary = await connect('read-only');
  answerWith({ [`GET /app/connections/${summary.id}/fhir-r4/v1/CarePlan`]: () => 400 });
  await show(
    <ConnectionContext value={remoteConnection(summary)}>
      <Find />
    </ConnectionContext>,
  );
  await expect
    .element(page.getByText(text.connections.start.refused('CarePlan'), { exact: false }))
    .toBeVisible();
  await expect
    .element(page.getByRole('button', { name: text.start.all('CarePlan') }))
    .not.toBeInTheDocument();
});

test('offers the parameters of the CapabilityStatement with their documentation', async () => {
  const summary = await connect('read-only');
  const searchParam = [{ name: 'ward', type: 'token', documentation: 'The ward of the plan.' }];
  answerWith({
    [`GET /app/connections/${summary.id}/fhir-r4/v1/metadata`]: () => ({
      resourceType: 'CapabilityStatement',
      rest: [{ resource: [{ type: 'CarePlan', searchParam }] }],
    }),
  });
  await show(
    <ConnectionContext value={remoteConnection(summary)}>
      <Find />
    </ConnectionContext>,
  );
  await page.getByRole('button', { name: text.parameter.add }).click();
  const name = page.getByRole('combobox', { name: text.parameter.name });
  await name.selectOptions('ward');
  await expect.element(page.getByText('The ward of the plan.')).toBeVisible();
});
