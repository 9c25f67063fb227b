/** Servers for the end-to-end tests, each on its own folder, and requests to them through the API. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startAlone, getTokenFile, type TestServer } from './server-process.ts';
import { moveInto, onSharedStore, removeStore, startServers, tamperStore } from './shared-store.ts';

export { commandLine, newLink, type TestServer } from './server-process.ts';

/** Creates a data folder. Remove it with {@link removeDataDir}. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'chartkeeper-e2e-'));
}

/** Copies the files of a stopped server into another folder, or into the store that represents it. */
export async function copyDataDir(sourceFolder: string, targetFolder: string): Promise<void> {
  if (onSharedStore) return moveInto(sourceFolder, targetFolder);
  await cp(sourceFolder, targetFolder, { recursive: true });
}

/**
 * Changes rows of records.db, or of the store that represents it, without the servers. Returns their number.
 */
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

/** Skips a test of a feature that only data folders have if servers share a store. */
export function skipOnSharedStore(
  test: { skip(condition: boolean, reason: string): void },
  part: string,
): void {
  test.skip(onSharedStore, `not run: a shared store has no ${part}`);
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await removeStore(dataDir);
  await rm(dataDir, { recursive: true, force: true });
  await rm(getTokenFile(dataDir), { force: true });
}

/**
 * Starts a server, or several over a shared store.
 *
 * @param count - 1 for tests of state that each server has separately: secrets of connections, and validated
 * remote records.
 */
export function startTestServer(
  dataDir: string,
  flags: readonly string[] = [],
  count: 1 | 2 = 2,
): Promise<TestServer> {
  return onSharedStore ? startServers(dataDir, flags, count) : startAlone(dataDir, flags);
}

/** Loads a set of training data. Over a shared store it is exported from another server. */
export async function loadSet(server: TestServer, set: string): Promise<void> {
  if (!onSharedStore) return loadLocally(server, set);
  const dataDir = await makeDataDir();
  const source = await startAlone(dataDir);
  await loadLocally(source, set);
  const exportResponse = await fetch(`${source.origin}/app/export`, { headers: createAuthorization(source) });
  const importResponse = await fetch(`${server.origin}/app/import?keepIds=true&level=off`, {
    method: 'POST',
    headers: { ...createAuthorization(server), 'Content-Type': 'application/x-ndjson' },
    body: await exportResponse.text(),
  });
  const report = await importResponse.text();
  await source.stop();
  await removeDataDir(dataDir);
  if (/"stored":0\b/.test(report)) throw new Error(`The set was not imported: ${report.slice(-200)}`);
}

async function loadLocally(server: TestServer, set: string): Promise<void> {
  const headers = createAuthorization(server);
  const { ok, status } = await fetch(`${server.origin}/app/training/${set}`, { method: 'POST', headers });
  if (!ok) throw new Error(`The set was refused with ${status}.`);
}

function createAuthorization({ token }: TestServer): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** Returns the server's response at an address below the FHIR path, through the API. */
export async function readRecord({ origin, token }: TestServer, path: string): Promise<any> {
  const answer = await fetch(`${origin}/fhir-r4/v1/${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return answer.json();
}

/** Returns the jobs of a kind in the activity log, latest first. */
export async function fetchJobs(
  { origin, token }: TestServer,
  kind: string,
): Promise<{ note: string; counts: Record<string, number> }[]> {
  const answer = await fetch(`${origin}/app/activity?kind=${kind}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return (await answer.json()).entries;
}

/** Replaces an element through the API, as another client would. */
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

/** Stores plain Compositions of a few patients by an import through the API. */
export async function addCompositions({ origin, token }: TestServer, count: number): Promise<void> {
  const line = (index: number) =>
    JSON.stringify({
      resourceType: 'Composition',
      status: 'final',
      type: { text: 'Note' },
      subject: { reference: `Patient/added-${index % 7}` },
      date: `2020-01-${String((index % 28) + 1).padStart(2, '0')}`,
      author: [{ display: 'A' }],
      title: `Added note ${index}`,
    });
  const answer = await fetch(`${origin}/app/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: Array.from({ length: count }, (_, index) => line(index)).join('\n'),
  });
  const report = await answer.text();
  if (!report.includes(`"stored":${count}`))
    throw new Error(`The import was not whole: ${report.slice(-200)}`);
}
