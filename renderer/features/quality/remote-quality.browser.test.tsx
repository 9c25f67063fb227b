/** Tests the worklist of another server, with real servers or with mocked responses. */
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ConnectionSummary } from '../../../core/app/connections.ts';
import type { RemoteJob, RemoteQuality } from '../../../core/app/remote-quality.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { ConnectionContext, remoteConnection } from '../../platform/connection.ts';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startOtherServer, startServer, type RunningServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { QualityView } from './quality-view.tsx';

const messages = text.quality.remote;

let otherServer: RunningServer;
beforeEach(async () => {
  await startServer();
  otherServer = await startOtherServer();
});

async function connect(): Promise<ConnectionSummary> {
  const settings = { name: 'Ward', baseUrl: otherServer.origin, authentication: { kind: 'bearer' } };
  const response = await send('POST', '/app/connections', JSON.stringify(settings));
  const connection = parseAs(ConnectionSummary, await response.text());
  if (!connection) throw new Error('The server answered no connection');
  const secret = JSON.stringify({ secret: otherServer.token });
  await send('PUT', `/app/connections/${connection.id}/secret`, secret);
  return connection;
}

const showOf = (connection: ConnectionSummary) =>
  show(
    <ConnectionContext value={remoteConnection(connection)}>
      <QualityView isActive runs={null} />
    </ConnectionContext>,
  );

const button = (name: string) => page.getByRole('button', { name });

function worklist(job: Partial<RemoteJob>): RemoteQuality {
  const noRecords = { CarePlan: 0, Composition: 0 };
  return {
    computed: '2026-01-01T00:00:00Z',
    level: 'standard',
    records: noRecords,
    flagged: noRecords,
    groups: [],
    job: { state: 'none', read: 0, remarks: [], ...job },
  };
}

/** Shows the view of a server with a mocked job. Returns the sent requests. */
async function showJob(respond: () => ReturnType<Parameters<typeof answerWith>[0][string]>) {
  const connection = await connect();
  const path = `/app/connections/${connection.id}/quality`;
  const sentRequests = answerWith({
    [`GET ${path}`]: respond,
    [`POST ${path}/stop`]: () => worklist({}).job,
  });
  await showOf(connection);
  return { sentRequests, host: connection.host, path };
}

test('shows a placeholder without buttons until the response arrives', async () => {
  const { host } = await showJob(() => 'waits');
  await expect.element(page.getByText(messages.hint(host))).toBeVisible();
  await expect.element(page.getByLabelText(text.quality.loading)).toBeInTheDocument();
  await expect.element(button(messages.check)).not.toBeInTheDocument();
});

test('offers a check and no list for a server that was never checked', async () => {
  await showJob(() => worklist({}));
  await expect.element(button(messages.check)).toBeEnabled();
  for (const name of [messages.anew, messages.stop])
    await expect.element(button(name)).not.toBeInTheDocument();
  await expect.element(page.getByRole('status')).not.toBeInTheDocument();
});

test('shows progress and wait reason of a running check and stops it', async () => {
  const job = { state: 'running', read: 50, total: 200, remarks: ['Name a patient.'] } as const;
  let currentJob: Partial<RemoteJob> = job;
  const { sentRequests, path } = await showJob(() => worklist(currentJob));
  await expect.element(page.getByText(messages.states.running(50, 200))).toBeVisible();
  await expect.element(page.getByText(messages.refused('Name a patient.'))).toBeVisible();
  const bar = page.getByRole('progressbar', { name: messages.progress });
  await expect.element(bar).toHaveAttribute('aria-valuenow', '25');
  // The view polls the job.
  currentJob = {
    ...job,
    state: 'waiting',
    fault: 'The server wants fewer requests.',
    until: '2126-01-01T00:00:00Z',
  };
  await expect.element(page.getByText('The server wants fewer requests.')).toBeVisible();
  await expect.element(page.getByText(/^Next try/)).toBeVisible();
  await button(messages.stop).click();
  await expect.poll(() => sentRequests.map(({ request }) => request)).toContain(`POST ${path}/stop`);
});

test('reports why a check failed and offers to resume it', async () => {
  await showJob(() => worklist({ state: 'failed', read: 7, fault: 'The token is refused.' }));
  await expect.element(page.getByText(messages.states.failed(7))).toBeVisible();
  await expect.element(page.getByText('The token is refused.')).toBeVisible();
  for (const name of [messages.resume, messages.anew]) await expect.element(button(name)).toBeEnabled();
});

test('reports a failed request and retries on demand', async () => {
  let answer: number | object = 500;
  await showJob(() => answer);
  await expect.element(page.getByText(messages.failed)).toBeVisible();
  answer = worklist({});
  await button(text.failure.retry).click();
  await expect.element(button(messages.check)).toBeEnabled();
  await expect.element(page.getByText(messages.failed)).not.toBeInTheDocument();
});

test('validates the records of another server and lists their findings', async () => {
  const connection = await connect();
  const note = {
    resourceType: 'Composition',
    status: 'final',
    type: { text: 'Note' },
    title: 'Discharge summary',
    subject: { reference: 'Patient/p1' },
    date: '2026-01-02',
    author: [{ display: 'Ward 3' }],
  };
  await send('POST', '/fhir-r4/v1/Composition', JSON.stringify(note), otherServer.token);
  await showOf(connection);
  await button(messages.check).click();
  const state = page.getByText(messages.states.done(1));
  await expect.element(state).toBeVisible();
  const rules = page.getByRole('complementary', { name: text.quality.rules });
  await expect.element(rules).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'Discharge summary' }).first();
  await expect.element(row).toBeVisible();
  await expect.element(button(messages.anew)).toBeEnabled();
});
