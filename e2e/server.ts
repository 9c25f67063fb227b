/** Servers for the end-to-end tests, each on a folder of its own, and what they say past the page. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startAlone, tokenFileOf, type TestServer } from './server-process.ts';
import { moveInto, onSharedStore, removeStore, startServers, tamperStore } from './shared-store.ts';

export { commandLine, newLink, type TestServer } from './server-process.ts';

/** A data folder that is removed with {@link removeDataDir}. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'chartkeeper-e2e-'));
}

/** Copies what a server left in a folder into another, or into the store that stands for it. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  if (onSharedStore) return moveInto(from, to);
  await cp(from, to, { recursive: true });
}

/** Changes rows of records.db, or of the store that stands for it, behind the servers' back; answers how many. */
export async function tamper(dataDir: string, sql: string): Promise<number> {
  if (onSharedStore) return tamperStore(dataDir, sql);
  const database = new DatabaseSync(join(dataDir, 'records.db'));
  const guards = database.prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`).all();
  for (const { name } of guards) database.exec(`DROP TRIGGER ${String(name)}`);
  const { changes } = database.prepare(sql).run();
  for (const { sql } of guards) database.exec(String(sql));
  database.close();
  return Number(changes);
}

/** Has a test of what a data folder alone offers say "not run" where servers share a store. */
export function ofFolderAlone(test: { skip(condition: boolean, reason: string): void }, part: string): void {
  test.skip(onSharedStore, `not run: a shared store has no ${part}`);
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await removeStore(dataDir);
  await rm(dataDir, { recursive: true, force: true });
  await rm(tokenFileOf(dataDir), { force: true });
}

/**
 * Starts a server, or several over a store that they share.
 *
 * @param count - One where a test is about what each server has of its own: secrets of connections, and judged records of
 * other servers.
 */
export function startTestServer(
  dataDir: string,
  flags: readonly string[] = [],
  count: 1 | 2 = 2,
): Promise<TestServer> {
  return onSharedStore ? startServers(dataDir, flags, count) : startAlone(dataDir, flags);
}

/** Loads a set of training data; over a shared store, by the export of a server that has it. */
export async function loadSet(server: TestServer, set: string): Promise<void> {
  if (!onSharedStore) return loadHere(server, set);
  const dataDir = await makeDataDir();
  const source = await startAlone(dataDir);
  await loadHere(source, set);
  const exported = await fetch(`${source.origin}/app/export`, { headers: authorizationOf(source) });
  const imported = await fetch(`${server.origin}/app/import?keepIds=true&level=off`, {
    method: 'POST',
    headers: { ...authorizationOf(server), 'Content-Type': 'application/x-ndjson' },
    body: await exported.text(),
  });
  const report = await imported.text();
  await source.stop();
  await removeDataDir(dataDir);
  if (/"stored":0\b/.test(report)) throw new Error(`The set was not imported: ${report.slice(-200)}`);
}

async function loadHere(server: TestServer, set: string): Promise<void> {
  const headers = authorizationOf(server);
  const { ok, status } = await fetch(`${server.origin}/app/training/${set}`, { method: 'POST', headers });
  if (!ok) throw new Error(`The set was refused with ${status}.`);
}

function authorizationOf({ token }: TestServer): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** What the server itself says at an address below the FHIR path, past the page. */
export async function readRecord({ origin, token }: TestServer, path: string): Promise<any> {
  const answer = await fetch(`${origin}/fhir-r4/v1/${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return answer.json();
}

/** The jobs of one kind that stand in the activity log, newest first. */
export async function jobsOf(
  { origin, token }: TestServer,
  kind: string,
): Promise<{ note: string; counts: Record<string, number> }[]> {
  const answer = await fetch(`${origin}/app/activity?kind=${kind}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return (await answer.json()).entries;
}

/** Replaces one element past the page, as another client would. */
export async function patchRecord(
  { origin, token }: TestServer,
  path: string,
  pointer: string,
  value: unknown,
): Promise<void> {
  const answer = await fetch(`${origin}/fhir-r4/v1/${path}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify([{ op: 'replace', path: pointer, value }]),
  });
  if (!answer.ok) throw new Error(`The patch was refused with ${answer.status}.`);
}

/** Stores plain Compositions of a few patients past the page, by the import. */
export async function addCompositions({ origin, token }: TestServer, count: number): Promise<void> {
  const line = (at: number) =>
    JSON.stringify({
      resourceType: 'Composition',
      status: 'final',
      type: { text: 'Note' },
      subject: { reference: `Patient/added-${at % 7}` },
      date: `2020-01-${String((at % 28) + 1).padStart(2, '0')}`,
      author: [{ display: 'A' }],
      title: `Added note ${at}`,
    });
  const answer = await fetch(`${origin}/app/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: Array.from({ length: count }, (_, at) => line(at)).join('\n'),
  });
  const report = await answer.text();
  if (!report.includes(`"stored":${count}`))
    throw new Error(`The import was not whole: ${report.slice(-200)}`);
}
