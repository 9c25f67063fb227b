/** Measures a store without comparison, at two sizes. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { root } from '../scripts/bundles.ts';
import { fhirPath } from '../core/api/contract.ts';
import { Random } from '../server/demo/random.ts';
import { requestChecked } from './ask.ts';
import { Connection } from './connection.ts';
import { end, launch, type Launched } from './launch.ts';
import { median } from './measure.ts';
import { createServeFlags } from './processes.ts';
import { readSample, type SampleRecord } from './sample.ts';
import type { FilledStores } from './stores.ts';
import { warmCache } from './warm.ts';

/** Milliseconds of each measure, by title. */
export type LargeFigures = ReadonlyMap<string, number>;

/** Records of an export. */
export const exportSize = 10_000;

/** Number of requests for a median. */
const repeats = 50;

/** A server on a store, and the data for requests. */
interface Store extends Omit<FilledStores, 'sample'> {
  readonly server: Launched;
  readonly connection: Connection;
  readonly sample: readonly SampleRecord[];
  readonly random: Random;
}

type Measure = (store: Store) => Promise<number>;

/** Queries whose response depends on all records of a type. */
const fullQueries = {
  'a status, first page': 'Composition?status=final&_count=20',
  'title:contains, first page': 'Composition?title:contains=note&_count=20',
  'status:not, first page': 'Composition?status:not=final&_count=20',
  'encounter:missing, first page': 'Composition?encounter:missing=true&_count=20',
} as const;

/** Measures on a running server, in this order. The backup is last because it takes longest. */
const measures: Readonly<Record<string, Measure>> = {
  'search by subject': (store) =>
    measureRepeated(() =>
      get(store, `${fhirPath}/CarePlan?subject=${store.random.pick(store.sample).subject}`),
    ),
  ...Object.fromEntries(
    Object.entries(fullQueries).flatMap(([title, query]): [string, Measure][] => [
      [`${title}, after a change`, (store) => measureAfterChange(store, `${fhirPath}/${query}`)],
      [`${title}, again`, (store) => measureRepeated(() => get(store, `${fhirPath}/${query}`))],
    ]),
  ),
  'worklist: counts, after a change': (store) => measureAfterChange(store, '/app/quality'),
  'worklist: a page of 100': (store) => measureRepeated(() => get(store, '/app/quality/findings?count=100')),
  [`export of ${exportSize.toLocaleString('en')} records`]: measureExport,
  'backup while serving': measureBackup,
};

/** Measures the starts of the server, then its responses. `rounds` is the number of orderly starts. */
export async function measureStore(
  { records, dataDir, sample }: FilledStores,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  log: (line: string) => void,
): Promise<LargeFigures> {
  const figures = new Map<string, number>();
  const addFigure = (title: string, milliseconds: number) => {
    figures.set(title, milliseconds);
    log(`${records} records, ${title}: ${Math.round(milliseconds * 10) / 10} ms`);
  };
  const files = [join(dataDir, 'records.db')];
  const starts: number[] = [];
  // The first start closes files that an earlier run may have left open.
  for (let round = 0; round <= rounds; round += 1) {
    await warmCache(files);
    const { server, milliseconds } = await startTimed(dataDir);
    if (round > 0) starts.push(milliseconds);
    await end(server.child, 'SIGTERM');
  }
  addFigure('start after an orderly close', median(starts));
  const killedStore = await openStore(dataDir, records, sample, seed);
  await change(killedStore);
  killedStore.connection.close();
  await end(killedStore.server.child, 'SIGKILL');
  await warmCache(files);
  const restarted = await startTimed(dataDir);
  addFigure('start after a kill', restarted.milliseconds);
  await end(restarted.server.child, 'SIGTERM');
  await warmCache(files);
  const store = await openStore(dataDir, records, sample, seed);
  try {
    for (const [title, measure] of Object.entries(measures)) addFigure(title, await measure(store));
  } finally {
    store.connection.close();
    await end(store.server.child, 'SIGTERM');
  }
  return figures;
}

async function startTimed(dataDir: string): Promise<{ server: Launched; milliseconds: number }> {
  const startTime = performance.now();
  const server = await launch([resolve(root, 'dist/server/cli.js'), ...createServeFlags(dataDir)]);
  return { server, milliseconds: performance.now() - startTime };
}

async function openStore(dataDir: string, records: number, sample: string, seed: number): Promise<Store> {
  const { server } = await startTimed(dataDir);
  const connection = await Connection.open(server.port);
  return { records, dataDir, server, connection, sample: readSample(sample), random: new Random(seed, 0, 0) };
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const startTime = performance.now();
  await work();
  return performance.now() - startTime;
}

async function measureRepeated(work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let turn = 0; turn < repeats; turn += 1) times.push(await measureTime(work));
  return median(times);
}

async function measureAfterChange(store: Store, path: string): Promise<number> {
  await change(store);
  return measureTime(() => get(store, path));
}

async function get({ server, connection }: Store, path: string): Promise<void> {
  const { status, start } = await connection.send(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
  );
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${start}`);
}

/** Writes a new version of some record, so that counts are computed again. */
async function change(store: Store): Promise<void> {
  const { type, id } = store.random.pick(store.sample);
  const body = JSON.stringify([{ op: 'replace', path: '/title', value: `Title ${performance.now()}` }]);
  const response = await requestChecked(store.server, 'PATCH', `${fhirPath}/${type}/${id}`, body, {
    'If-Match': '*',
  });
  await response.arrayBuffer();
}

/** Reads an export until enough records have arrived, then disconnects. */
async function measureExport(store: Store): Promise<number> {
  let remaining = Math.min(exportSize, store.records);
  return measureTime(async () => {
    const response = await requestChecked(store.server, 'GET', '/app/export');
    for await (const chunk of response.body ?? []) {
      for (const byte of chunk as Uint8Array) if (byte === 0x0a) remaining -= 1;
      if (remaining <= 0) return;
    }
    throw new Error(`An export ended ${remaining} records early.`);
  });
}

/** Creates a backup as the workbench does, and removes it afterwards. */
async function measureBackup(store: Store): Promise<number> {
  let backup: { readonly name: string } | undefined;
  const milliseconds = await measureTime(async () => {
    backup = (await (await requestChecked(store.server, 'POST', '/app/backups')).json()) as { name: string };
  });
  const list = (await (await requestChecked(store.server, 'GET', '/app/backups')).json()) as {
    folder: string;
  };
  if (backup) await rm(join(list.folder, backup.name), { force: true });
  return milliseconds;
}
