/** The page of a connection, before two real servers: the page's own, and another one that it reaches through the first. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ReactNode } from 'react';
import { createClient } from '../../core/api/client.ts';
import { ConnectionSummary } from '../../core/app/connections.ts';
import { blank, createTemporaryId } from '../../core/fhir/new-record.ts';
import { is } from '../../core/json/shape.ts';
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
import { send, show, startOther, startServer, type RunningServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';

beforeAll(async () => {
  await loadMonaco();
});

let other: RunningServer;
beforeEach(async () => {
  await startServer();
  other = await startOther();
});

const plan = (more: object = {}) => ({
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  title: 'Wound care',
  subject: { reference: 'Patient/p1' },
  ...more,
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

/** Stores a record on the other server, past both; its id. */
async function storeThere(record: object, type = 'CarePlan'): Promise<string> {
  const answer = await send('POST', `/fhir-r4/v1/${type}`, JSON.stringify(record), other.token);
  return ((await answer.json()) as { id: string }).id;
}

async function connect(mode: string): Promise<ConnectionSummary> {
  const settings = { name: 'Ward', baseUrl: other.origin, mode, authentication: { kind: 'bearer' } };
  const made = (await (await send('POST', '/app/connections', JSON.stringify(settings))).json()) as {
    id: string;
  };
  await send('PUT', `/app/connections/${made.id}/secret`, JSON.stringify({ secret: other.token }));
  const found: unknown = await (await send('GET', `/app/connections/${made.id}`)).json();
  if (is(ConnectionSummary, found)) return found;
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
      <SearchView search={useSearch()} front onFront={() => undefined} />
    </div>
  );
}

test('a record of a read-only connection says so in its head, and what cannot be done says why', async () => {
  const id = await storeThere(plan());
  await showRemote('read-only', <RecordHost ids={[id]} />);
  await expect.element(page.getByText(text.record.readOnly, { exact: true })).toBeVisible();
  for (const name of [text.record.review, text.record.patch, text.record.format]) {
    await expect.element(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  }
  await page.getByRole('button', { name: text.record.patch }).hover();
  await expect.element(page.getByText(text.record.refusal.readOnly('Ward'))).toBeVisible();
});

test('a record of a connection that may write says nothing of it', async () => {
  const id = await storeThere(plan());
  await showRemote('normal', <RecordHost ids={[id]} />);
  await expect
    .element(page.getByRole('button', { name: text.record.patch }))
    .toHaveAttribute('aria-disabled', 'false');
  await expect.element(page.getByText(text.record.readOnly, { exact: true })).not.toBeInTheDocument();
});

test('a connection that asks before each write is asked in the review: its button names the host, and is no default', async () => {
  const id = await storeThere(plan({ title: 'Alpha' }));
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
  const stored = await send('GET', `/fhir-r4/v1/CarePlan/${id}`, undefined, other.token);
  expect(await stored.text()).toContain('"title":"Mine"');
});

test('a record that is begun here is judged by the page’s own rules, which stop nothing', async () => {
  const begun = recordReducer(openRecord('CarePlan', createTemporaryId('a')), {
    type: 'restored',
    base: toVersion({ text: blank('CarePlan') }),
    text: JSON.stringify({ ...plan(), status: 'unheard-of' }),
  });
  const { host } = await showRemote('normal', <SavePreviewPane state={begun} onGo={() => undefined} />);
  const verdict = page.getByRole('region', { name: text.verdict.name });
  await expect.element(verdict.getByText(text.verdict.found)).toBeVisible();
  await expect.element(verdict.getByText(text.verdict.errors(1))).toBeVisible();
  await expect.element(verdict.getByText(text.verdict.theirs(host))).toBeVisible();
});

test('the start lists what changed last and opens the list of all; rows in sight are judged', async () => {
  await storeThere({ ...note, title: 'Discharge summary' }, 'Composition');
  await showRemote('read-only', <Find />);
  const changed = page.getByRole('region', { name: text.connections.start.changed('Composition') });
  await expect.element(changed.getByRole('button').filter({ hasText: 'Discharge summary' })).toBeVisible();
  await page.getByRole('button', { name: text.start.all('Composition') }).click();
  const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Discharge summary' });
  // Final, and nobody attests it.
  await expect.element(row.getByRole('img', { name: 'warning', exact: false })).toBeVisible();
});

test('where a search by ids is refused, records in sight are read one by one', async () => {
  await storeThere(plan({ title: 'Diet', status: 'completed' }));
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

test('a server that lists nothing without criteria offers no list of all', async () => {
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

test('parameters are those that the server says it has, with its own words', async () => {
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
