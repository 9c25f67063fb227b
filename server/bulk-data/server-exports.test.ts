/** Exports of another server over HTTP, imported into a real store. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ServerExport } from '../../core/app/server-exports.ts';
import { connect } from '../gateway/testing/connect.ts';
import { refuse } from '../gateway/testing/record-server.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import {
  reportProgress,
  startBulkDataServer,
  statusPath,
  type BulkDataServer,
} from './testing/bulk-data-server.ts';

let server: TestServer;
let source: BulkDataServer;
beforeEach(async () => {
  server = await startTestServer();
  source = await startBulkDataServer();
});
afterEach(async () => {
  await server.remove();
  await source.peer.close();
});

const lines = (...resources: readonly object[]) =>
  resources.map((resource) => `${JSON.stringify(resource)}\n`).join('');
const plan = (id: string, patient = 'p1') => ({
  resourceType: 'CarePlan',
  id,
  status: 'active',
  intent: 'plan',
  subject: { reference: `Patient/${patient}` },
});
const patient = (id: string, name: string) => ({ resourceType: 'Patient', id, name: [{ text: name }] });

/** Adds a file to the export. */
function addFile(
  path: string,
  content: string,
  list: 'output' | 'error' | 'deleted' = 'output',
  type = 'CarePlan',
): void {
  source.files.set(path, content);
  const file = { type, url: `${source.peer.origin}${path}` };
  source.manifest[list] = [...(source.manifest[list] ?? []), file];
}

/** Starts an export from a connection to the source. Returns its id. */
async function startExport(body: object = {}): Promise<string> {
  const { id } = await connect(
    server,
    { baseUrl: source.base, ...(source.token !== undefined && { authentication: { kind: 'bearer' } }) },
    source.token,
  );
  const answer = await server.send('POST', `/app/connections/${id}/server-exports`, JSON.stringify(body));
  expect(answer.status).toBe(202);
  return answer.json.id;
}

async function readExport(id: string): Promise<ServerExport> {
  const { json } = await server.send('GET', '/app/server-exports');
  return (
    (json as ServerExport[]).find((listed) => listed.id === id) ?? expect.fail('The export is not listed.')
  );
}

const waitForState = (id: string, state: ServerExport['state']) =>
  vi.waitFor(
    async () => {
      const current = await readExport(id);
      expect(current).toMatchObject({ state });
      return current;
    },
    { timeout: 10_000 },
  );

async function countPlans(): Promise<number> {
  return (await server.send('GET', '/fhir-r4/v1/CarePlan?patient=p1,p2&_summary=count')).json.total;
}

test('imports an export at the pace of its server, and accounts for every file', async () => {
  addFile('/1', lines(plan('a'), plan('b'), { ...plan('c'), description: 7 }));
  addFile('/2', lines(patient('p1', 'Ada Example')), 'output', 'Patient');
  const issue = [{ severity: 'error', code: 'exception', diagnostics: 'Plan d could not be read.' }];
  addFile('/3', lines({ resourceType: 'OperationOutcome', issue }), 'error', 'OperationOutcome');
  const entry = [{ request: { method: 'DELETE', url: 'CarePlan/old' } }];
  addFile('/4', lines({ resourceType: 'Bundle', type: 'transaction', entry }), 'deleted', 'Bundle');
  source.next.set(`GET ${statusPath}`, [
    reportProgress('half of it'),
    (response) => refuse(response, 429, 'Slower.', { 'Retry-After': '1' }),
  ]);
  const id = await startExport({ since: '2026-01-01T00:00:00Z', types: ['CarePlan', 'Patient'] });
  const finished = await waitForState(id, 'done');

  expect(finished).toMatchObject({
    files: { total: 4, read: 4 },
    progress: 'half of it',
    result: { done: { stored: 2, refused: 2, kept: 1, skipped: 1 } },
    problems: [
      { file: 'CarePlan-1.ndjson', place: 3 },
      { file: 'error-1.ndjson', reason: expect.stringContaining('Plan d could not be read.') },
    ],
  });
  const [kickOff] = source.peer.requests;
  expect(kickOff?.url).toBe(
    '/fhir/$export?_outputFormat=application%2Ffhir%2Bndjson&_since=2026-01-01T00%3A00%3A00Z&_type=CarePlan%2CPatient',
  );
  expect(source.requestLines()).toEqual([
    'GET /fhir/$export',
    ...Array.from({ length: 3 }, () => `GET ${statusPath}`),
    'GET /1',
    'GET /2',
    'GET /3',
    'GET /4',
  ]);
  // The identity of a resource is that of its server.
  const reference = encodeURIComponent(`${source.base}/Patient/p1`);
  const { text } = await server.send('GET', `/app/companions/resolve?reference=${reference}`);
  expect(text).toContain('Ada Example');
  // Nothing of the files stays.
  const listFolder = () => readdir(join(server.dataDir, 'exports', id));
  expect(await listFolder()).toEqual(['job.json']);
  // A kill left a file.
  await server.close();
  await writeFile(join(server.dataDir, 'exports', id, 'CarePlan-1.ndjson'), lines(plan('a')));
  await server.restart();
  await expect.poll(listFolder).toEqual(['job.json']);
});

test('resumes after a restart between two files, without asking for the first again', async () => {
  // The secrets of this test server end with its process.
  source.token = undefined;
  addFile('/1', lines(plan('a')));
  addFile('/2', lines(plan('b')));
  const hanging = Promise.withResolvers<undefined>();
  source.next.set('GET /2', [() => hanging.resolve(undefined)]);
  const id = await startExport({ group: 'ward-7' });
  await hanging.promise;
  await server.close();
  await server.restart();
  expect(await waitForState(id, 'done')).toMatchObject({
    group: 'ward-7',
    result: { done: { stored: 2, refused: 0 } },
  });
  expect(source.requestLines()).toEqual([
    'GET /fhir/Group/ward-7/$export',
    `GET ${statusPath}`,
    'GET /1',
    'GET /2',
    'GET /2',
  ]);
});

test('stores nothing twice if a restart interrupts the import', async () => {
  const content = lines(plan('a'), { ...plan('b'), replaces: [{ reference: 'CarePlan/a' }] });
  addFile('/1', content);
  const id = await startExport();
  await waitForState(id, 'done');
  await server.close();
  const folder = join(server.dataDir, 'exports', id);
  const job = JSON.parse(await readFile(join(folder, 'job.json'), 'utf8'));
  await writeFile(join(folder, 'job.json'), JSON.stringify({ ...job, state: 'running' }));
  await writeFile(join(folder, 'CarePlan-1.ndjson'), content);
  await server.restart();
  expect(await waitForState(id, 'done')).toMatchObject({ result: { done: { unchanged: 2, stored: 0 } } });
  expect(await countPlans()).toBe(2);
});

test('asks before it reads files of another server, and sends the token only where the user agrees', async () => {
  const other = await startBulkDataServer();
  const third = await startBulkDataServer();
  onTestFinished(async () => {
    await other.peer.close();
    await third.peer.close();
  });
  for (const files of [other, third]) {
    files.token = undefined;
    files.files.set('/f', lines(plan(files === other ? 'a' : 'b')));
  }
  other.next.set('GET /f2', [
    (response) => void response.writeHead(302, { Location: `${third.peer.origin}/f` }).end(),
  ]);
  source.manifest.output = [{ url: `${other.peer.origin}/f` }, { url: `${other.peer.origin}/f2` }];
  const id = await startExport();
  expect(await waitForState(id, 'asking')).toMatchObject({
    servers: [{ origin: other.peer.origin, requiresToken: true }],
  });
  expect(other.peer.requests).toEqual([]);

  const allow = (origin: string, sendsToken: boolean) =>
    server.send(
      'POST',
      `/app/server-exports/${id}/servers`,
      JSON.stringify({ servers: [{ origin, sendsToken }] }),
    );
  expect((await allow('https://elsewhere.example', false)).status).toBe(422);
  expect((await allow(other.peer.origin, true)).status).toBe(202);
  // A redirect leads to a server that was not allowed either.
  expect(await waitForState(id, 'asking')).toMatchObject({ servers: [{ origin: third.peer.origin }] });
  expect(third.peer.requests).toEqual([]);
  other.next.set('GET /f2', [
    (response) => void response.writeHead(302, { Location: `${third.peer.origin}/f` }).end(),
  ]);
  expect((await allow(third.peer.origin, false)).status).toBe(202);
  await waitForState(id, 'done');
  const tokensOf = ({ peer }: BulkDataServer) => peer.requests.map(({ headers }) => headers.authorization);
  expect(new Set(tokensOf(other))).toEqual(new Set([`Bearer ${source.token}`]));
  expect(tokensOf(third)).toEqual([undefined]);
  expect(await countPlans()).toBe(2);
});

test('sends no token to another server if its files do not require one', async () => {
  const other = await startBulkDataServer();
  onTestFinished(() => other.peer.close());
  other.token = undefined;
  other.files.set('/f', lines(plan('a')));
  source.manifest = { requiresAccessToken: false, output: [{ url: `${other.peer.origin}/f` }] };
  const id = await startExport();
  await waitForState(id, 'asking');
  const servers = [{ origin: other.peer.origin, sendsToken: true }];
  await server.send('POST', `/app/server-exports/${id}/servers`, JSON.stringify({ servers }));
  await waitForState(id, 'done');
  expect(other.peer.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('names files that expired and lines that were cut off, and imports the others', async () => {
  addFile('/1', lines(plan('a'), plan('b')).slice(0, -10));
  addFile('/2', lines(plan('c')));
  source.next.set('GET /2', [(response) => refuse(response, 410, 'Expired.')]);
  addFile('/3', lines(plan('d')));
  const id = await startExport();
  const { result, problems } = await waitForState(id, 'done');
  expect(result?.done).toMatchObject({ stored: 2, refused: 2 });
  expect(problems).toEqual([
    expect.objectContaining({ file: 'CarePlan-1.ndjson', place: 2 }),
    expect.objectContaining({ file: 'CarePlan-2.ndjson', messageCode: 'serverExport.expired' }),
  ]);
});

test('drops files that may contain what is erased, and reads them again', async () => {
  const other = await startBulkDataServer();
  onTestFinished(() => other.peer.close());
  source.token = undefined;
  other.token = undefined;
  addFile('/1', lines(plan('a'), plan('b')));
  other.files.set('/f', lines(patient('p1', 'Ada Example')));
  source.next.set('GET /2', [
    (response) => void response.writeHead(302, { Location: `${other.peer.origin}/f` }).end(),
  ]);
  source.manifest.output = [...source.manifest.output, { type: 'Patient', url: `${source.peer.origin}/2` }];
  const id = await startExport();
  await waitForState(id, 'asking');
  const folder = join(server.dataDir, 'exports', id);
  expect(await readdir(folder)).toContain('CarePlan-1.ndjson');
  await server.send('POST', '/app/import?keepIds=true', JSON.stringify(plan('own')));
  const erasure = { type: 'CarePlan', id: 'own', reason: 'Test' };
  expect((await server.send('POST', '/app/erasures', JSON.stringify(erasure))).status).toBe(201);
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual(['job.json']));
  source.next.set('GET /2', [
    (response) => void response.writeHead(302, { Location: `${other.peer.origin}/f` }).end(),
  ]);
  const servers = [{ origin: other.peer.origin, sendsToken: false }];
  await server.send('POST', `/app/server-exports/${id}/servers`, JSON.stringify({ servers }));
  expect(await waitForState(id, 'done')).toMatchObject({ result: { done: { stored: 2, kept: 1 } } });
  expect(source.requestLines().filter((requestLine) => requestLine === 'GET /1')).toHaveLength(2);
});

test('cancels at the server when it is stopped, and does not resume', async () => {
  source.next.set(
    `GET ${statusPath}`,
    Array.from({ length: 9 }, () => reportProgress('1 %', '600')),
  );
  const id = await startExport();
  await vi.waitFor(async () => expect(await readExport(id)).toMatchObject({ progress: '1 %' }));
  const stopped = await server.send('POST', `/app/server-exports/${id}/stop`);
  expect(stopped.json).toMatchObject({ state: 'stopped' });
  expect(stopped.json).not.toHaveProperty('fault');
  expect(source.requestLines().at(-1)).toBe(`DELETE ${statusPath}`);
  expect(source.peer.requests.at(-1)?.headers.authorization).toBe(`Bearer ${source.token}`);
  await server.close();
  await server.restart();
  expect(await readExport(id)).toMatchObject({ state: 'stopped' });
  expect((await server.send('DELETE', `/app/server-exports/${id}`)).status).toBe(204);
  expect((await server.send('GET', '/app/server-exports')).json).toEqual([]);
});

test('says why an export failed in the words of its server, and can be resumed', async () => {
  source.next.set(`GET ${statusPath}`, [(response) => refuse(response, 500, 'The export ran out of space.')]);
  const id = await startExport();
  expect(await waitForState(id, 'failed')).toMatchObject({ fault: 'The export ran out of space.' });
  expect((await server.send('POST', `/app/server-exports/${id}/resume`)).status).toBe(202);
  await waitForState(id, 'done');
  expect(source.requestLines()).toEqual(['GET /fhir/$export', `GET ${statusPath}`, `GET ${statusPath}`]);
});

test('fails if the server refuses the export, and ends with its connection', async () => {
  source.next.set('GET /fhir/$export', [(response) => refuse(response, 400, 'There is no $export.')]);
  const id = await startExport();
  const { connection } = await waitForState(id, 'failed');
  expect((await server.send('DELETE', `/app/connections/${connection}`)).status).toBe(204);
  expect((await server.send('GET', '/app/server-exports')).json).toEqual([]);
  expect(await readdir(join(server.dataDir, 'exports'))).toEqual([]);
});
