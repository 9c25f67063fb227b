import { beforeEach, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { ConnectionSummary } from '../../../core/app/connections.ts';
import { matchesSchema } from '../../../core/json/shape.ts';
import { ConnectionContext, remoteConnection } from '../../platform/connection.ts';
import { session } from '../../platform/session.ts';
import { WorkbenchActionsContext, type WorkbenchActions } from '../../platform/workbench-actions.ts';
import { holdRequests, send, show, startOtherServer, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { maxRendered } from '../../ui/timeline/timeline.tsx';
import { maxRead } from './patient-records.ts';
import { PatientView } from './patient-view.tsx';

beforeEach(startServer);

const region = page.getByRole('region', { name: text.patient.region });
const figure = region.getByRole('figure', { name: text.timeline.name });
const listTitles = () =>
  region
    .getByRole('table', { name: text.patient.records })
    .getByRole('row')
    .elements()
    .map((row) => row.querySelector('th[scope=row]')?.textContent)
    .slice(1);

const id = '0a1b2c3d-0000-4000-8000-000000000017';

async function store(record: { readonly resourceType: string } & Record<string, unknown>): Promise<void> {
  await send('POST', `/fhir-r4/v1/${record.resourceType}`, JSON.stringify(record));
}

const plan = (title: string, reference: string, members: object = {}) =>
  store({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    title,
    subject: { reference },
    period: { start: '2024-01-03', end: '2024-04-03' },
    ...members,
  });

const letter = (title: string, subject: object, date: string) =>
  store({
    resourceType: 'Composition',
    status: 'final',
    type: { text: 'Letter' },
    title,
    date,
    subject,
    author: [{ display: 'Dr Specimen' }],
    section: [
      {
        title: 'Course',
        text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Well.</div>' },
      },
    ],
  });

interface ActionCalls {
  readonly openedRecords: string[];
  readonly searched: unknown[];
}

async function showPatient(remote?: ConnectionSummary): Promise<ActionCalls> {
  const openedRecords: string[] = [];
  const searched: unknown[] = [];
  const noop = () => undefined;
  const actions: WorkbenchActions = {
    openRecord: ({ type, title }) => openedRecords.push(`${type} ${title}`),
    beginRecord: noop,
    search: (pairs, type) => searched.push([type, ...pairs]),
    openPatient: noop,
    openView: noop,
    worklistOf: noop,
    auditOf: noop,
    composePatch: noop,
    replaceInAll: noop,
    openBulkRun: noop,
    loadedRecords: () => [],
  };
  const view = (
    <WorkbenchActionsContext value={actions}>
      <PatientView patient={{ id, name: '' }} isActive />
    </WorkbenchActionsContext>
  );
  await show(remote ? <ConnectionContext value={remoteConnection(remote)}>{view}</ConnectionContext> : view);
  return { openedRecords, searched };
}

test('lists all records of a subject in lanes by type, for any form of its reference', async () => {
  await plan('By its type', `Patient/${id}`);
  await plan('By a version', `https://a.example/fhir/Patient/${id}/_history/2`, { status: 'on-hold' });
  await plan('By uuid', `urn:uuid:${id}`, { period: { start: '2025' } });
  await plan('Without a date', `Patient/${id}`, { period: undefined });
  await plan('Of another', 'Patient/other');
  await letter('Discharge letter', { reference: `urn:uuid:${id}`, display: 'Ada Example' }, '2024-04-02');
  const { openedRecords } = await showPatient();
  await expect.element(region.getByRole('heading', { name: 'Ada Example' })).toBeVisible();
  await expect
    .poll(() => listTitles().toSorted())
    .toEqual(['By a version', 'By its type', 'By uuid', 'Discharge letter', 'Without a date']);
  expect(listTitles()[0]).toBe('By uuid');
  for (const form of [`Patient/${id}`, `urn:uuid:${id}`])
    await expect.element(region).toMatchTextContent(form);

  const bar = (name: RegExp) => figure.getByRole('button', { name });
  await expect.element(bar(/^By a version, on-hold, 2024-01-03 – 2024-04-03/)).toBeVisible();
  await expect.element(bar(/^By uuid, active, since 2025/)).toBeVisible();
  await expect.element(figure).toMatchTextContent(text.patient.untimed(1));
  const lanes = [...figure.element().querySelectorAll('[data-lane]')];
  expect(lanes.map((lane) => lane.textContent)).toEqual(['CarePlans', 'Compositions']);
  await bar(/^Discharge letter/).click();
  (region.getByRole('button', { name: 'By its type', exact: true }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(openedRecords).toEqual(['Composition Discharge letter', 'CarePlan By its type']);
});

/** Region with the details of the patient. */
const person = region.getByRole('region', { name: text.patient.person.region });

test('shows the patient from a supporting resource, with its exact JSON', async () => {
  await plan('Wound care', `urn:uuid:${id}`);
  const patient =
    '{"resourceType":"Patient","identifier":[{"type":{"text":"MRN"},"value":"0042"}],"name":[{"given":["Ada"],"family":"Example"}],"gender":"female","birthDate":"1950-02-01","deceasedDateTime":"2019-05-06","address":[{"line":["7 Sample Road"],"city":"Exampleton"}],"x":1.10}';
  const entry = `{"fullUrl":"urn:uuid:${id}","resource":${patient}}`;
  await send('POST', '/app/import', `{"resourceType":"Bundle","type":"collection","entry":[${entry}]}`);
  await showPatient();
  await expect.element(region.getByRole('heading', { name: 'Ada Example (deceased)' })).toBeVisible();
  for (const fact of ['1950-02-01 · died aged 69', 'female', '2019-05-06', '0042 (MRN)', 'Exampleton'])
    await expect.element(person.getByText(fact, { exact: true })).toBeVisible();
  await expect.element(person).not.toMatchTextContent('Sample Road');
  await person.getByRole('button', { name: text.card.json }).click();
  await expect.element(person.getByText('"x": 1.10', { exact: false })).toBeVisible();
  expect(listTitles()).toEqual(['Wound care']);
});

test('reports a missing Patient resource and ignores other resources with its ID', async () => {
  await plan('Wound care', `urn:uuid:${id}`);
  const visit = `{"resourceType":"Encounter","id":"${id}","status":"finished","class":{"code":"AMB"}}`;
  await send('POST', '/app/import', visit);
  await showPatient();
  await expect.element(person).toMatchTextContent(text.patient.person.absent);
  expect(person.getByRole('button').elements()).toEqual([]);
});

test('shows the first thousand records with a note and a link to all', async () => {
  const records = Array.from({ length: maxRead + 1 }, (_, index) => ({
    resourceType: 'CarePlan',
    id: `plan-${index}`,
    status: 'completed',
    intent: 'plan',
    title: `Plan ${index}`,
    subject: { reference: `Patient/${id}` },
    period: { start: '2024-01-03', end: '2024-01-04' },
  }));
  const lines = records.map((record) => JSON.stringify(record)).join('\n');
  const headers = { Authorization: `Bearer ${session.token()}`, 'Content-Type': 'application/x-ndjson' };
  await (await fetch('/app/import?level=off&keepIds=true', { method: 'POST', headers, body: lines })).text();
  const { searched } = await showPatient();
  await expect.element(region).toMatchTextContent(text.patient.bounded('CarePlan', maxRead, maxRead + 1));
  await expect.element(figure).toMatchTextContent(text.timeline.drawn(maxRendered, maxRead));
  expect(listTitles()).toHaveLength(200);
  await region.getByRole('button', { name: text.patient.showAll(maxRead) }).click();
  expect(listTitles()).toHaveLength(maxRead);
  await region.getByRole('button', { name: text.patient.searchAll('CarePlan') }).click();
  expect(searched).toEqual([['CarePlan', ['subject', id]]]);
});

test('shows a patient of another server without issue counts', async () => {
  const otherServer = await startOtherServer();
  const settings = {
    name: 'Ward',
    baseUrl: otherServer.origin,
    mode: 'read-only',
    authentication: { kind: 'bearer' },
  };
  const created = (await (await send('POST', '/app/connections', JSON.stringify(settings))).json()) as {
    id: string;
  };
  await send('PUT', `/app/connections/${created.id}/secret`, JSON.stringify({ secret: otherServer.token }));
  const summary: unknown = await (await send('GET', `/app/connections/${created.id}`)).json();
  if (!matchesSchema(ConnectionSummary, summary)) throw new Error('The connection was not made.');
  const remotePlan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    title: 'Diet',
    subject: { reference: `Patient/${id}`, display: 'Ada Example' },
    period: { start: '2024-01-03', end: '2024-01-04' },
  };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(remotePlan), otherServer.token);
  await plan('Of the local server', `Patient/${id}`);
  await showPatient(summary);
  await expect.element(region.getByRole('heading', { name: 'Ada Example' })).toBeVisible();
  expect(listTitles()).toEqual(['Diet']);
  await expect.element(figure.getByRole('button', { name: /^Diet, active, [-–0-9 ]+$/ })).toBeVisible();
  await expect.element(figure).not.toMatchTextContent('findings');
  await expect.element(person).toMatchTextContent(text.patient.person.absentThere(summary.name));
});

test('marks records with issues, also in words', async () => {
  const activity = [{ detail: { status: 'completed', code: { text: 'Walk' } } }];
  await plan('Clean', `Patient/${id}`, { status: 'completed', activity });
  await plan('Active long after its end', `Patient/${id}`, { activity });
  await showPatient();
  const row = (name: string) => region.getByRole('row', { name: new RegExp(`^${name}`) });
  await expect.element(row('Active')).toMatchTextContent(/warning/);
  await expect.element(row('Clean')).not.toMatchTextContent(/error|warning/);
  const bar = (name: RegExp) => figure.getByRole('button', { name });
  await expect.element(bar(/^Active long.*warning/)).toBeVisible();
  await expect.element(bar(/^Clean, completed, [-–0-9 ]+$/)).toBeVisible();
  await expect.element(figure).toMatchTextContent(text.patient.withFindings(1));
});

test('reports a patient without records and offers a new record', async () => {
  await showPatient();
  await expect.element(region.getByRole('heading', { name: text.patient.empty })).toBeVisible();
  await expect.element(region.getByRole('heading', { name: text.patient.unnamed })).toBeVisible();
  await expect.element(region.getByRole('button', { name: text.patient.newRecord })).toBeVisible();
});

test('shows a placeholder while loading, and reports and retries a failure', async () => {
  await plan('Here', `Patient/${id}`);
  const release = await holdRequests();
  await showPatient();
  await expect.element(region.getByRole('heading')).toBeVisible();
  expect(region.element().querySelector('.mantine-Skeleton-root')).not.toBeNull();
  // Requests are held until their server has stopped.
  await commands.removeServer(session.token() ?? '');
  await release();
  const alert = region.getByRole('alert');
  await expect.element(alert).toMatchTextContent(text.patient.failed);
  await expect.element(alert.getByRole('button', { name: text.failure.retry })).toBeVisible();
});
