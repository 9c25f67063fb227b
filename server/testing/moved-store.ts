/** A store with something of all that is moved from one engine to the other, and what it answers over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { startSharedServer } from '../start-shared.ts';
import { sealKey, type SealKey } from '../store/audit-chain.ts';
import { migrate } from '../store/postgres/migrate.ts';
import { verifyFile } from '../store/sqlite/verify.ts';
import { testDatabase, type TestDatabase } from './postgres.ts';
import { carePlan, composition, heard, noFault, sendTo, type Json } from './test-server.ts';

/** What a file of the key holds. */
export const auditSecret = 'a-key-of-at-least-thirty-two-characters';
export const auditKey: SealKey = sealKey(Buffer.from(auditSecret));

/** A running server. `ask` sends a request, a body that is no text as JSON, and answers what came, JSON parsed; a refusal throws. */
export interface Served {
  readonly origin: string;
  readonly token: string;
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Json>;
}

function madeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'chartkeeper-moved-'));
}

/** New places to move from and to, which are gone with {@link Places.remove}. */
export class Places {
  private readonly undo: (() => unknown)[] = [];

  /** A folder that is not there yet. */
  folder(): string {
    const folder = madeFolder();
    this.undo.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return join(folder, 'data');
  }

  /** A migrated database. */
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

/** What `verify` finds in a data folder. */
export async function damageIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const looked = verifyFile(join(folder, 'records.db'), { key: auditKey });
  for await (const { where, problem } of looked) found.push(`${where} ${problem}`);
  return found;
}

/** Does work with a server over a data folder, or over a shared store. */
export async function served<Result>(
  place: string,
  work: (server: Served) => Promise<Result>,
  { sealed = true, log = noFault } = {},
): Promise<Result> {
  const token = createToken();
  const faults = heard(log);
  const options = { port: 0, token, pageFolder, log: faults.log, auditKey: sealed ? auditKey : undefined };
  const server = await (place.startsWith('postgres:')
    ? startSharedServer({ ...options, dataDir: madeFolder(), address: place })
    : startServer({ ...options, dataDir: place }));
  try {
    return await work(withToken(server.origin, token));
  } finally {
    await server.close();
    faults.end();
  }
}

function withToken(origin: string, token: string): Served {
  return {
    origin,
    token,
    async ask(method, path, body, headers) {
      const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await sendTo(origin, `Bearer ${token}`, method, path, sent, headers);
      const { status, text } = answer;
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
      const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
      return isJson ? answer.json : text;
    },
  };
}

const plans = '/fhir-r4/v1/CarePlan';

/** Digits, an order and characters that have to stay as they were sent. */
const exact =
  ',"extension":[{"url":"http://example.org/x","valueDecimal":1.50}],"title":"Ünï \\u0041 \\"q\\" \\\\ 😀"';

const dirty = [
  '{"resourceType":"CarePlan","id":"no-intent","title":"=cmd()","subject":{"reference":"Patient/a"},"activity":[{"detail":{"status":"doing"}}]}',
  '{"resourceType":"CarePlan","id":"bad-status","status":"actve","intent":"plan","subject":{"reference":"Patient/b"}}',
];

/** Fills an empty data folder through its server. */
export async function fill(server: Served): Promise<void> {
  const { ask } = server;
  const { id } = await ask('POST', plans, carePlan('Patient/p', exact));
  for (const status of ['on-hold', 'active', 'revoked']) {
    const next = carePlan('Patient/p', `${exact},"id":"${id}"`).replace('active', status);
    await ask('PUT', `${plans}/${id}`, next);
  }
  for (let at = 0; at < 5; at += 1)
    await ask('POST', '/fhir-r4/v1/Composition', composition(`Patient/${at}`));
  const ndjson = { 'Content-Type': 'application/x-ndjson' };
  await ask('POST', '/app/import?level=off&keepIds=true', dirty.join('\n'), ndjson);
  await sayOfFindings(server);
  await asPerson(server, id);
  await keepWork(server, id);
  const erased = await ask('POST', plans, carePlan('Patient/gone'));
  await ask('POST', '/app/erasures', { type: 'CarePlan', id: erased.id, reason: 'Asked for.' });
}

async function sayOfFindings({ ask }: Served): Promise<void> {
  const { findings } = await ask('GET', '/app/quality/findings?rule=schema-code');
  const [one, ...others] = findings.map(({ type, id, rule, pointer }: Json) => ({ type, id, rule, pointer }));
  const until = '2099-01-01';
  await ask('PUT', '/app/quality/states', { set: 'waived', reason: 'Agreed.', until, findings: [one] });
  await ask('PUT', '/app/quality/states', { set: 'note', note: 'Ask the ward.', findings: others });
}

/** A version that a named person wrote, and why. */
async function asPerson({ origin, ask }: Served, id: string): Promise<void> {
  const ada = await ask('POST', '/app/people', { name: 'Ada' });
  const { code } = await ask('POST', '/app/sign-in-codes', {});
  const signedIn = await sendTo(origin, undefined, 'POST', '/app/sign-in', JSON.stringify({ code }));
  const session = withToken(origin, signedIn.json.token);
  await session.ask('PUT', '/app/person', { id: ada.id });
  const why = {
    'X-Provenance': JSON.stringify({ resourceType: 'Provenance', reason: [{ text: 'It ended.' }] }),
  };
  const patch = JSON.stringify([{ op: 'replace', path: '/status', value: 'completed' }]);
  await session.ask('PATCH', `${plans}/${id}`, patch, {
    ...why,
    'Content-Type': 'application/json-patch+json',
  });
}

async function keepWork({ ask }: Served, id: string): Promise<void> {
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

/** What everybody who has the store is answered, by address; the server's own origin left out. */
export async function answersOf({ origin, token, ask }: Served): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  const look = async (path: string) => {
    const { status, text } = await sendTo(origin, `Bearer ${token}`, 'GET', path);
    answers[path] = [status, text.replaceAll(origin, '')];
  };
  for (const type of ['CarePlan', 'Composition']) {
    const found = await ask('GET', `/fhir-r4/v1/${type}?_count=500&_sort=_id`);
    for (const { resource } of found.entry) {
      const path = `/fhir-r4/v1/${type}/${resource.id}`;
      for (const one of [path, `${path}/_history`, `/app/history/${type}/${resource.id}`]) await look(one);
    }
    for (const query of ['_sort=_id', '_sort=-_lastUpdated', 'status=completed', 'subject=Patient/p'])
      await look(`/fhir-r4/v1/${type}?_count=500&${query}`);
    await look(`/fhir-r4/v1/${type}/_history?_count=500`);
  }
  for (const path of ['quality/findings', 'tokens', 'searches', 'recents', 'people', 'drafts', 'drafts/one'])
    await look(`/app/${path}`);
  for (const path of ['bulk', 'preferences', 'connections']) await look(`/app/${path}`);
  const [run] = await ask('GET', '/app/bulk');
  await look(`/app/bulk/${run.id}/targets`);
  return answers;
}

/** The entries of the audit trail up to a number, oldest first, as AuditEvents. */
export async function eventsOf({ ask }: Served, last = Infinity): Promise<readonly Json[]> {
  const text: string = await ask('GET', '/app/audit/events');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ id }) => Number(id) <= last);
}
