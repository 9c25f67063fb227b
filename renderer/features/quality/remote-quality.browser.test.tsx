/** The faces of another server's worklist: real servers where they can be brought to it, else answers in their place. */
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ConnectionSummary } from '../../../core/app/connections.ts';
import type { RemoteJob, RemoteQuality } from '../../../core/app/remote-quality.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { ConnectionContext, remoteConnection } from '../../platform/connection.ts';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startOther, startServer, type RunningServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { QualityView } from './quality-view.tsx';

const words = text.quality.remote;

let other: RunningServer;
beforeEach(async () => {
  await startServer();
  other = await startOther();
});

async function connect(): Promise<ConnectionSummary> {
  const settings = { name: 'Ward', baseUrl: other.origin, authentication: { kind: 'bearer' } };
  const made = await send('POST', '/app/connections', JSON.stringify(settings));
  const connection = parseAs(ConnectionSummary, await made.text());
  if (!connection) throw new Error('The server answered no connection');
  const secret = JSON.stringify({ secret: other.token });
  await send('PUT', `/app/connections/${connection.id}/secret`, secret);
  return connection;
}

const showOf = (connection: ConnectionSummary) =>
  show(
    <ConnectionContext value={remoteConnection(connection)}>
      <QualityView front runs={null} />
    </ConnectionContext>,
  );

const button = (name: string) => page.getByRole('button', { name });

function worklist(job: Partial<RemoteJob>): RemoteQuality {
  const none = { CarePlan: 0, Composition: 0 };
  return {
    ...{ computed: '2026-01-01T00:00:00Z', level: 'standard', records: none, flagged: none, groups: [] },
    job: { state: 'none', read: 0, remarks: [], ...job },
  };
}

/** Shows the view of a server whose job is as it is said; what is sent about it is in the list. */
async function showJob(jobOf: () => ReturnType<Parameters<typeof answerWith>[0][string]>) {
  const connection = await connect();
  const path = `/app/connections/${connection.id}/quality`;
  const sent = answerWith({ [`GET ${path}`]: jobOf, [`POST ${path}/stop`]: () => worklist({}).job });
  await showOf(connection);
  return { sent, host: connection.host, path };
}

test('before the answer there is a shape of what comes, and nothing to press', async () => {
  const { host } = await showJob(() => 'waits');
  await expect.element(page.getByText(words.hint(host))).toBeVisible();
  await expect.element(page.getByLabelText(text.quality.loading)).toBeInTheDocument();
  await expect.element(button(words.check)).not.toBeInTheDocument();
});

test('a server that was never checked has a way to begin, and no list', async () => {
  await showJob(() => worklist({}));
  await expect.element(button(words.check)).toBeEnabled();
  for (const name of [words.anew, words.stop]) await expect.element(button(name)).not.toBeInTheDocument();
  await expect.element(page.getByRole('status')).not.toBeInTheDocument();
});

test('a check under way says how far it is and why it waits, and is stopped', async () => {
  const job = { state: 'running', read: 50, total: 200, remarks: ['Name a patient.'] } as const;
  let shown: Partial<RemoteJob> = job;
  const { sent, path } = await showJob(() => worklist(shown));
  await expect.element(page.getByText(words.states.running(50, 200))).toBeVisible();
  await expect.element(page.getByText(words.refused('Name a patient.'))).toBeVisible();
  const bar = page.getByRole('progressbar', { name: words.progress });
  await expect.element(bar).toHaveAttribute('aria-valuenow', '25');
  // Looked at again by itself.
  shown = {
    ...job,
    state: 'waiting',
    fault: 'The server wants fewer requests.',
    until: '2126-01-01T00:00:00Z',
  };
  await expect.element(page.getByText('The server wants fewer requests.')).toBeVisible();
  await expect.element(page.getByText(words.until, { exact: false })).toBeVisible();
  await button(words.stop).click();
  await expect.poll(() => sent.map(({ request }) => request)).toContain(`POST ${path}/stop`);
});

test('a check that ended early says why, and goes on where it was', async () => {
  await showJob(() => worklist({ state: 'failed', read: 7, fault: 'The token is refused.' }));
  await expect.element(page.getByText(words.states.failed(7))).toBeVisible();
  await expect.element(page.getByText('The token is refused.')).toBeVisible();
  for (const name of [words.resume, words.anew]) await expect.element(button(name)).toBeEnabled();
});

test('a worklist that cannot be looked at says so, and is looked at again when asked', async () => {
  let answer: number | object = 500;
  await showJob(() => answer);
  await expect.element(page.getByText(words.failed)).toBeVisible();
  answer = worklist({});
  await button(text.failure.retry).click();
  await expect.element(button(words.check)).toBeEnabled();
  await expect.element(page.getByText(words.failed)).not.toBeInTheDocument();
});

test('a check reads and judges another server’s records, and lists what is wrong with them', async () => {
  const connection = await connect();
  const note = {
    ...{ resourceType: 'Composition', status: 'final', type: { text: 'Note' }, title: 'Discharge summary' },
    ...{ subject: { reference: 'Patient/p1' }, date: '2026-01-02', author: [{ display: 'Ward 3' }] },
  };
  await send('POST', '/fhir-r4/v1/Composition', JSON.stringify(note), other.token);
  await showOf(connection);
  await button(words.check).click();
  const state = page.getByText(words.states.done(1));
  await expect.element(state).toBeVisible();
  const rules = page.getByRole('complementary', { name: text.quality.rules });
  await expect.element(rules).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'Discharge summary' }).first();
  await expect.element(row).toBeVisible();
  await expect.element(button(words.anew)).toBeEnabled();
});
