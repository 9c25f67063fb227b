/** A store with a sample of all data that a move copies, and its responses over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { startSharedServer } from '../shared/start-shared.ts';
import { sealKey, type SealKey } from '../store/audit-chain.ts';
import { migrate } from '../shared/postgres/migrate.ts';
import { verifyFile } from '../store/sqlite/verify.ts';
import { testDatabase, type TestDatabase } from './postgres.ts';
import { carePlan, composition, collectErrors, noFault, sendTo, type Json } from './test-server.ts';

/** Content of the audit key file. */
export const auditSecret = 'a-key-of-at-least-thirty-two-characters';
export const auditKey: SealKey = sealKey(Buffer.from(auditSecret));

/**
 * A running server. `ask` sends a request and returns the response body, with JSON parsed. A body that is not a string is
 * sent as JSON. `ask` throws on an error status.
 */
export interface ServedStore {
  readonly origin: string;
  readonly token: string;
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Json>;
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'chartkeeper-moved-'));
}

/** New stores to move from and to. {@link Places.remove} deletes them. */
export class Places {
  private readonly undo: (() => unknown)[] = [];

  /** Path of a data folder that does not exist yet. */
  folder(): string {
    const folder = createFolder();
    this.undo.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return join(folder, 'data');
  }

  /** Creates a migrated database. */
  async store(): Promise<TestDatabase> {
    const database = await testDatabase();
    if (!database) throw new Error('PostgreSQL is not installed.');
    this.undo.push(() => database.remove());
    await migrate(database.keeper, 'server');
    return database;
  }

  async remove(): Promise<void> {
    for (const undo of this.undo.splice(0).reverse()) await undo();
  }
}

/** Returns the problems that `verify` reports in a data folder. */
export async function listProblems(folder: string): Promise<string[]> {
  const problems: string[] = [];
  const findings = verifyFile(join(folder, 'records.db'), { key: auditKey });
  for await (const { where, problem } of findings) problems.push(`${where} ${problem}`);
  return problems;
}

/** Does work with a server on a data folder, or on a shared store. */
export async function withServer<Result>(
  place: string,
  work: (server: ServedStore) => Promise<Result>,
  { sealed = true, log = noFault } = {},
): Promise<Result> {
  const token = createToken();
  const faults = collectErrors(log);
  const options = { port: 0, token, pageFolder, log: faults.log, auditKey: sealed ? auditKey : undefined };
  const server = await (place.startsWith('postgres:')
    ? startSharedServer({ ...options, dataDir: createFolder(), address: place })
    : startServer({ ...options, dataDir: place }));
  try {
    return await work(withToken(server.origin, token));
  } finally {
    await server.close();
    faults.end();
  }
}

function withToken(origin: string, token: string): ServedStore {
  return {
    origin,
    token,
    async ask(method, path, body, headers) {
      const bodyText = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await sendTo(origin, `Bearer ${token}`, method, path, bodyText, headers);
      const { status, text } = answer;
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
      const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
      return isJson ? answer.json : text;
    },
  };
}

const plans = '/fhir-r4/v1/CarePlan';

/** JSON with digits, an order and characters that a move must preserve. */
const exact =
  ',"extension":[{"url":"http://example.org/x","valueDecimal":1.50}],"title":"Ünï \\u0041 \\"q\\" \\\\ 😀"';

const dirty = [
  '{"resourceType":"CarePlan","id":"no-intent","title":"=cmd()","subject":{"reference":"Patient/a"},"activity":[{"detail":{"status":"doing"}}]}',
  '{"resourceType":"CarePlan","id":"bad-status","status":"actve","intent":"plan","subject":{"reference":"Patient/b"}}',
];

const documents = ['a', 'b'].map((name) => ({
  resourceType: 'Bundle',
  type: 'document',
  identifier: { value: name },
  timestamp: '2026-01-02T03:04:05Z',
  entry: [
    JSON.parse(composition('Patient/same').replace('{', `{"id":"document-${name}",`)),
    { resourceType: 'Patient', id: 'same', name: [{ text: name }] },
  ].map((resource: Json) => ({
    fullUrl: `http://${name}.example/fhir/${resource.resourceType}/${resource.id}`,
    resource,
  })),
}));

/** Fills an empty data folder through its server. */
export async function fill(server: ServedStore): Promise<void> {
  const { ask } = server;
  const { id } = await ask('POST', plans, carePlan('Patient/p', exact));
  for (const status of ['on-hold', 'active', 'revoked']) {
    const next = carePlan('Patient/p', `${exact},"id":"${id}"`).replace('active', status);
    await ask('PUT', `${plans}/${id}`, next);
  }
  for (let index = 0; index < 5; index += 1)
    await ask('POST', '/fhir-r4/v1/Composition', composition(`Patient/${index}`));
  const ndjson = { 'Content-Type': 'application/x-ndjson' };
  await ask('POST', '/app/import?level=off&keepIds=true', dirty.join('\n'), ndjson);
  for (const document of documents) await ask('POST', '/app/import?keepIds=true', document);
  await importAndUndo(server);
  await changeFindingStates(server);
  await writeAsPerson(server, id);
  await saveWork(server, id);
  const erasedRecord = await ask('POST', plans, carePlan('Patient/gone'));
  await ask('POST', '/app/erasures', { type: 'CarePlan', id: erasedRecord.id, reason: 'Asked for.' });
}

/** Imports three batches. The second replaces a related resource of the first; the third is undone. */
async function importAndUndo({ ask }: ServedStore): Promise<void> {
  const imported = async (id: string, name: string) => {
    const resources = [
      carePlan('Patient/imported', `,"id":"${id}"`),
      `{"resourceType":"Patient","id":"imported","x":"${name}"}`,
    ];
    const entries = resources.map(
      (resource, index) =>
        `{"fullUrl":"https://ward.example/fhir/${index === 0 ? `CarePlan/${id}` : 'Patient/imported'}","resource":${resource}}`,
    );
    const body = `{"resourceType":"Bundle","type":"collection","entry":[${entries.join(',')}]}`;
    const json = { 'Content-Type': 'application/json' };
    const report: string = await ask('POST', `/app/import?keepIds=true&name=${name}`, body, json);
    return (JSON.parse(report.trim().split('\n').at(-1) ?? '') as { batch: string }).batch;
  };
  for (const name of ['first', 'second']) await imported(name, name);
  const undone = await imported('removed', 'third');
  await ask('POST', `/app/batches/${undone}/undo`, { reason: 'The wrong ward.' });
}

async function changeFindingStates({ ask }: ServedStore): Promise<void> {
  const { findings } = await ask('GET', '/app/quality/findings?rule=schema-code');
  const [firstFinding, ...otherFindings] = findings.map(({ type, id, rule, pointer }: Json) => ({
    type,
    id,
    rule,
    pointer,
  }));
  const until = '2099-01-01';
  await ask('PUT', '/app/quality/states', {
    set: 'waived',
    reason: 'Agreed.',
    until,
    findings: [firstFinding],
  });
  await ask('PUT', '/app/quality/states', { set: 'note', note: 'Ask the ward.', findings: otherFindings });
}

/** Writes a version as a named person, with a reason. */
async function writeAsPerson({ origin, ask }: ServedStore, id: string): Promise<void> {
  const ada = await ask('POST', '/app/people', { name: 'Ada' });
  const { code } = await ask('POST', '/app/sign-in-codes', {});
  const signedIn = await sendTo(origin, undefined, 'POST', '/app/sign-in', JSON.stringify({ code }));
  const session = withToken(origin, signedIn.json.token);
  await session.ask('PUT', '/app/person', { id: ada.id });
  const provenance = {
    'X-Provenance': JSON.stringify({ resourceType: 'Provenance', reason: [{ text: 'It ended.' }] }),
  };
  const patch = JSON.stringify([{ op: 'replace', path: '/status', value: 'completed' }]);
  await session.ask('PATCH', `${plans}/${id}`, patch, {
    ...provenance,
    'Content-Type': 'application/json-patch+json',
  });
}

async function saveWork({ ask }: ServedStore, id: string): Promise<void> {
  const search = { type: 'CarePlan', pairs: [['status', 'active']] };
  await ask('POST', '/app/tokens', { name: 'Ward', scopes: ['system/*.rs'] });
  await ask('POST', '/app/searches', { name: 'Active', ...search });
  await ask('POST', '/app/recents', search);
  await ask('PUT', '/app/preferences', { theme: 'dark' });
  const draft = { type: 'CarePlan', recordId: id, title: 'Plan', baseVersion: 2, window: 'w', base: '{}' };
  await ask('PUT', '/app/drafts/one', { ...draft, text: 'a\u0000b "half' });
  const operations = [{ path: '/title', value: '"Other"' }];
  const run = await ask('POST', '/app/bulk', { label: 'All', operations });
  const target = { type: 'CarePlan', id, title: 'Plan', state: 'done', version: 3, etag: 'W/"3"' };
  await ask('POST', `/app/bulk/${run.id}/targets`, [{ ...target, place: 0 }]);
  await ask('POST', '/app/connections', {
    name: 'Ward',
    baseUrl: 'https://fhir.example.org/r4',
    colour: 'blue',
    mode: 'read-only',
    authentication: { kind: 'none' },
    proxy: { kind: 'default' },
    timeoutSeconds: 30,
    encounterParameter: 'encounter',
    patchType: 'application/json-patch+json',
  });
}

/** Returns status and text of many responses by path, without the server's origin. */
export async function readResponses({
  origin,
  token,
  ask,
}: ServedStore): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  const recordAnswer = async (path: string) => {
    const { status, text } = await sendTo(origin, `Bearer ${token}`, 'GET', path);
    answers[path] = [status, text.replaceAll(origin, '')];
  };
  for (const { identifier } of documents)
    await recordAnswer(`/fhir-r4/v1/Composition/document-${identifier.value}/$document`);
  const { batches } = await ask('GET', '/app/batches');
  for (const { id } of batches)
    for (const part of ['', '/lines']) await recordAnswer(`/app/batches/${id}${part}`);
  for (const path of ['/app/batches', '/app/removed/CarePlan/removed']) await recordAnswer(path);
  for (const type of ['CarePlan', 'Composition']) {
    const bundle = await ask('GET', `/fhir-r4/v1/${type}?_count=500&_sort=_id`);
    for (const { resource } of bundle.entry) {
      const path = `/fhir-r4/v1/${type}/${resource.id}`;
      for (const recordPath of [path, `${path}/_history`, `/app/history/${type}/${resource.id}`])
        await recordAnswer(recordPath);
    }
    for (const query of ['_sort=_id', '_sort=-_lastUpdated', 'status=completed', 'subject=Patient/p'])
      await recordAnswer(`/fhir-r4/v1/${type}?_count=500&${query}`);
    await recordAnswer(`/fhir-r4/v1/${type}/_history?_count=500`);
  }
  for (const path of ['quality/findings', 'tokens', 'searches', 'recents', 'people', 'drafts', 'drafts/one'])
    await recordAnswer(`/app/${path}`);
  for (const path of ['bulk', 'preferences', 'connections']) await recordAnswer(`/app/${path}`);
  const [run] = await ask('GET', '/app/bulk');
  await recordAnswer(`/app/bulk/${run.id}/targets`);
  return answers;
}

/** Returns the audit log up to a number as AuditEvents, oldest first. */
export async function readAuditEvents({ ask }: ServedStore, lastNumber = Infinity): Promise<readonly Json[]> {
  const text: string = await ask('GET', '/app/audit/events');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ id }) => Number(id) <= lastNumber);
}
