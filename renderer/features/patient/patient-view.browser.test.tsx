import { beforeEach, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { ConnectionSummary } from '../../../core/app/connections.ts';
import { definitionOf } from '../../../core/fhir/resource.ts';
import { is } from '../../../core/json/shape.ts';
import { ConnectionContext, remoteConnection } from '../../platform/connection.ts';
import { session } from '../../platform/session.ts';
import { WorkbenchActionsContext, type WorkbenchActions } from '../../platform/workbench-actions.ts';
import { holdRequests, send, show, startOther, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { mostDrawn } from '../../ui/timeline/timeline.tsx';
import { mostRead } from './patient-records.ts';
import { PatientView } from './patient-view.tsx';

beforeEach(startServer);

const region = page.getByRole('region', { name: text.patient.region });
const figure = region.getByRole('figure', { name: text.timeline.name });
const listed = () =>
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

const plan = (title: string, reference: string, more: object = {}) =>
  store({
    ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', title },
    subject: { reference },
    period: { start: '2024-01-03', end: '2024-04-03' },
    ...more,
  });

const letter = (title: string, subject: object, date: string) =>
  store({
    ...{ resourceType: 'Composition', status: 'final', type: { text: 'Letter' }, title, date, subject },
    author: [{ display: 'Dr Specimen' }],
    section: [
      {
        title: 'Course',
        text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Well.</div>' },
      },
    ],
  });

interface Asked {
  readonly opened: string[];
  readonly searched: unknown[];
}

async function shown(remote?: ConnectionSummary): Promise<Asked> {
  const opened: string[] = [];
  const searched: unknown[] = [];
  const nothing = () => undefined;
  const actions: WorkbenchActions = {
    openRecord: ({ type, title }) => opened.push(`${type} ${title}`),
    ...{
      beginRecord: nothing,
      search: (pairs, type) => searched.push([type, ...pairs]),
      openPatient: nothing,
      openView: nothing,
      worklistOf: nothing,
    },
    ...{ auditOf: nothing, composePatch: nothing, replaceInAll: nothing, openBulkRun: nothing },
    recordsInHand: () => [],
  };
  const view = (
    <WorkbenchActionsContext value={actions}>
      <PatientView patient={{ id, name: '' }} front />
    </WorkbenchActionsContext>
  );
  await show(remote ? <ConnectionContext value={remoteConnection(remote)}>{view}</ConnectionContext> : view);
  return { opened, searched };
}

test('all records of a subject are there whatever form its reference has, by name, in lanes by type', async () => {
  await plan('By its type', `Patient/${id}`);
  await plan('By a version', `https://a.example/fhir/Patient/${id}/_history/2`, { status: 'on-hold' });
  await plan('By uuid', `urn:uuid:${id}`, { period: { start: '2025' } });
  await plan('Without a date', `Patient/${id}`, { period: undefined });
  await plan('Of another', 'Patient/other');
  await letter('Discharge letter', { reference: `urn:uuid:${id}`, display: 'Ada Example' }, '2024-04-02');
  const { opened } = await shown();
  await expect.element(region.getByRole('heading', { name: 'Ada Example' })).toBeVisible();
  await expect
    .poll(() => listed().toSorted())
    .toEqual(['By a version', 'By its type', 'By uuid', 'Discharge letter', 'Without a date']);
  expect(listed()[0]).toBe('By uuid');
  for (const form of [`Patient/${id}`, `urn:uuid:${id}`])
    await expect.element(region).toMatchTextContent(form);

  const bar = (name: RegExp) => figure.getByRole('button', { name });
  await expect.element(bar(/^By a version, on-hold, 2024-01-03 – 2024-04-03/)).toBeVisible();
  await expect.element(bar(/^By uuid, active, 2025 – open/)).toBeVisible();
  await expect.element(figure).toMatchTextContent(text.patient.untimed(1));
  const lanes = [...figure.element().querySelectorAll('[data-lane]')];
  expect(lanes.map((lane) => lane.textContent)).toEqual(['CarePlans', 'Compositions']);
  await bar(/^Discharge letter/).click();
  (region.getByRole('button', { name: 'By its type', exact: true }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(opened).toEqual(['Composition Discharge letter', 'CarePlan By its type']);
});

/** What the page says of who the patient is. */
const person = region.getByRole('region', { name: text.patient.person.region });

test('who the patient is stands above the records, from a companion, with its exact JSON', async () => {
  await plan('Wound care', `urn:uuid:${id}`);
  const patient =
    '{"resourceType":"Patient","identifier":[{"type":{"text":"MRN"},"value":"0042"}],"name":[{"given":["Ada"],"family":"Example"}],"gender":"female","birthDate":"1950-02-01","deceasedDateTime":"2019-05-06","address":[{"line":["7 Sample Road"],"city":"Exampleton"}],"x":1.10}';
  const entry = `{"fullUrl":"urn:uuid:${id}","resource":${patient}}`;
  await send('POST', '/app/import', `{"resourceType":"Bundle","type":"collection","entry":[${entry}]}`);
  await shown();
  await expect.element(region.getByRole('heading', { name: 'Ada Example (deceased)' })).toBeVisible();
  for (const fact of ['1950-02-01 · lived 69 years', 'female', '2019-05-06', '0042 (MRN)', 'Exampleton'])
    await expect.element(person.getByText(fact, { exact: true })).toBeVisible();
  await expect.element(person).not.toMatchTextContent('Sample Road');
  await person.getByRole('button', { name: text.card.json }).click();
  await expect.element(person.getByText('"x": 1.10', { exact: false })).toBeVisible();
  expect(listed()).toEqual(['Wound care']);
});

test('one quiet line tells that no record of the patient is at hand; what shares its id is not taken for it', async () => {
  await plan('Wound care', `urn:uuid:${id}`);
  const visit = `{"resourceType":"Encounter","id":"${id}","status":"finished","class":{"code":"AMB"}}`;
  await send('POST', '/app/import', visit);
  await shown();
  await expect.element(person).toMatchTextContent(text.patient.person.absent);
  expect(person.getByRole('button').elements()).toEqual([]);
});

test('of very many the first thousand are shown, which it says, with the way to all', async () => {
  const records = Array.from({ length: mostRead + 1 }, (_, at) => ({
    ...{
      resourceType: 'CarePlan',
      id: `plan-${at}`,
      status: 'completed',
      intent: 'plan',
      title: `Plan ${at}`,
    },
    ...{ subject: { reference: `Patient/${id}` }, period: { start: '2024-01-03', end: '2024-01-04' } },
  }));
  const lines = records.map((one) => JSON.stringify(one)).join('\n');
  const headers = { Authorization: `Bearer ${session.token()}`, 'Content-Type': 'application/x-ndjson' };
  await (await fetch('/app/import?level=off&keepIds=true', { method: 'POST', headers, body: lines })).text();
  const { searched } = await shown();
  await expect
    .element(region)
    .toMatchTextContent(text.patient.bounded(mostRead, mostRead + 1, definitionOf('CarePlan').plural));
  await expect.element(figure).toMatchTextContent(text.timeline.drawn(mostDrawn, mostRead));
  expect(listed()).toHaveLength(200);
  await region.getByRole('button', { name: text.patient.showAll(mostRead) }).click();
  expect(listed()).toHaveLength(mostRead);
  await region.getByRole('button', { name: text.patient.searchAll('CarePlans') }).click();
  expect(searched).toEqual([['CarePlan', ['subject', id]]]);
});

test('a patient of another server has the same page, without findings, which that does not tell', async () => {
  const other = await startOther();
  const settings = {
    name: 'Ward',
    baseUrl: other.origin,
    mode: 'read-only',
    authentication: { kind: 'bearer' },
  };
  const made = (await (await send('POST', '/app/connections', JSON.stringify(settings))).json()) as {
    id: string;
  };
  await send('PUT', `/app/connections/${made.id}/secret`, JSON.stringify({ secret: other.token }));
  const summary: unknown = await (await send('GET', `/app/connections/${made.id}`)).json();
  if (!is(ConnectionSummary, summary)) throw new Error('The connection was not made.');
  const there = {
    ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', title: 'Diet' },
    ...{
      subject: { reference: `Patient/${id}`, display: 'Ada Example' },
      period: { start: '2024-01-03', end: '2024-01-04' },
    },
  };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(there), other.token);
  await plan('Of the local server', `Patient/${id}`);
  await shown(summary);
  await expect.element(region.getByRole('heading', { name: 'Ada Example' })).toBeVisible();
  expect(listed()).toEqual(['Diet']);
  await expect.element(figure.getByRole('button', { name: /^Diet, active, [-–0-9 ]+$/ })).toBeVisible();
  await expect.element(figure).not.toMatchTextContent('findings');
  await expect.element(person).toMatchTextContent(text.patient.person.absentThere(summary.name));
});

test('what has findings is marked, in words too', async () => {
  const activity = [{ detail: { status: 'completed', code: { text: 'Walk' } } }];
  await plan('Clean', `Patient/${id}`, { status: 'completed', activity });
  await plan('Active long after its end', `Patient/${id}`, { activity });
  await shown();
  const row = (name: string) => region.getByRole('row', { name: new RegExp(`^${name}`) });
  await expect.element(row('Active')).toMatchTextContent(/warning/);
  await expect.element(row('Clean')).not.toMatchTextContent(/error|warning/);
  const bar = (name: RegExp) => figure.getByRole('button', { name });
  await expect.element(bar(/^Active long.*warning/)).toBeVisible();
  await expect.element(bar(/^Clean, completed, [-–0-9 ]+$/)).toBeVisible();
  await expect.element(figure).toMatchTextContent(text.patient.withFindings(1));
});

test('a patient without a record is told so, with the next thing to do', async () => {
  await shown();
  await expect.element(region.getByRole('heading', { name: text.patient.empty })).toBeVisible();
  await expect.element(region.getByRole('heading', { name: text.patient.unnamed })).toBeVisible();
  await expect.element(region.getByRole('button', { name: text.patient.newRecord })).toBeVisible();
});

test('while the records are read their place is held; where they are not, it says so and asks again', async () => {
  await plan('Here', `Patient/${id}`);
  const release = await holdRequests();
  await shown();
  await expect.element(region.getByRole('heading')).toBeVisible();
  expect(region.element().querySelector('.mantine-Skeleton-root')).not.toBeNull();
  // Held until its server is gone.
  await commands.removeServer(session.token() ?? '');
  await release();
  const alert = region.getByRole('alert');
  await expect.element(alert).toMatchTextContent(text.patient.failed);
  await expect.element(alert.getByRole('button', { name: text.failure.retry })).toBeVisible();
});
