/** What is measured of a store by itself, at one size and at a hundred times that. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { root } from '../scripts/bundles.ts';
import { fhirPath } from '../core/api/contract.ts';
import { Random } from '../server/demo/random.ts';
import { ask } from './ask.ts';
import { Connection } from './connection.ts';
import { end, launch, type Launched } from './launch.ts';
import { median } from './measure.ts';
import { servingFlags } from './processes.ts';
import { readSample, type SampleRecord } from './sample.ts';
import type { FilledStores } from './stores.ts';
import { warm } from './warm.ts';

/** Milliseconds of each measure, by its title. */
export type LargeFigures = ReadonlyMap<string, number>;

/** Records of an export. */
export const exported = 10_000;

/** The median of so many requests. */
const repeats = 50;

/** The server on one store, with what requests need. */
interface Store extends Omit<FilledStores, 'sample'> {
  readonly server: Launched;
  readonly connection: Connection;
  readonly sample: readonly SampleRecord[];
  readonly random: Random;
}

type Measure = (store: Store) => Promise<number>;

/** Addresses whose answer looks at all records of a type, or at all findings. */
const sweeps = {
  'a status, first page': 'Composition?status=final&_count=20',
  'title:contains, first page': 'Composition?title:contains=note&_count=20',
  'status:not, first page': 'Composition?status:not=final&_count=20',
  'encounter:missing, first page': 'Composition?encounter:missing=true&_count=20',
} as const;

/** On a running server, in this order: a backup comes last, it is the longest. */
const measures: Readonly<Record<string, Measure>> = {
  'search by subject': (store) =>
    repeated(() => get(store, `${fhirPath}/CarePlan?subject=${store.random.pick(store.sample).subject}`)),
  ...Object.fromEntries(
    Object.entries(sweeps).flatMap(([title, query]): [string, Measure][] => [
      [`${title}, after a change`, (store) => afterChange(store, `${fhirPath}/${query}`)],
      [`${title}, again`, (store) => repeated(() => get(store, `${fhirPath}/${query}`))],
    ]),
  ),
  'worklist: counts, after a change': (store) => afterChange(store, '/app/quality'),
  'worklist: a page of 100': (store) => repeated(() => get(store, '/app/quality/findings?count=100')),
  [`export of ${exported.toLocaleString('en')} records`]: exportSome,
  'backup while serving': backUp,
};

/** Starts the server in each way, then measures what it answers. `rounds` is the number of orderly starts. */
export async function measureStore(
  { records, dataDir, sample }: FilledStores,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  log: (line: string) => void,
): Promise<LargeFigures> {
  const figures = new Map<string, number>();
  const note = (title: string, milliseconds: number) => {
    figures.set(title, milliseconds);
    log(`${records} records, ${title}: ${Math.round(milliseconds * 10) / 10} ms`);
  };
  const files = [join(dataDir, 'records.db')];
  const starts: number[] = [];
  // The first start closes what an earlier run may have left open.
  for (let round = 0; round <= rounds; round += 1) {
    await warm(files);
    const { server, milliseconds } = await timedStart(dataDir);
    if (round > 0) starts.push(milliseconds);
    await end(server.child, 'SIGTERM');
  }
  note('start after an orderly close', median(starts));
  const killed = await openStore(dataDir, records, sample, seed);
  await change(killed);
  killed.connection.close();
  await end(killed.server.child, 'SIGKILL');
  await warm(files);
  const again = await timedStart(dataDir);
  note('start after a kill', again.milliseconds);
  await end(again.server.child, 'SIGTERM');
  await warm(files);
  const store = await openStore(dataDir, records, sample, seed);
  try {
    for (const [title, measure] of Object.entries(measures)) note(title, await measure(store));
  } finally {
    store.connection.close();
    await end(store.server.child, 'SIGTERM');
  }
  return figures;
}

async function timedStart(dataDir: string): Promise<{ server: Launched; milliseconds: number }> {
  const started = performance.now();
  const server = await launch([resolve(root, 'dist/server/cli.js'), ...servingFlags(dataDir)]);
  return { server, milliseconds: performance.now() - started };
}

async function openStore(dataDir: string, records: number, sample: string, seed: number): Promise<Store> {
  const { server } = await timedStart(dataDir);
  const connection = await Connection.open(server.port);
  return { records, dataDir, server, connection, sample: readSample(sample), random: new Random(seed, 0, 0) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function repeated(work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let turn = 0; turn < repeats; turn += 1) times.push(await timed(work));
  return median(times);
}

async function afterChange(store: Store, path: string): Promise<number> {
  await change(store);
  return timed(() => get(store, path));
}

async function get({ server, connection }: Store, path: string): Promise<void> {
  const { status, start } = await connection.send(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
  );
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${start}`);
}

/** Writes a new version of some record, so that whatever was counted is counted anew. */
async function change(store: Store): Promise<void> {
  const { type, id } = store.random.pick(store.sample);
  const body = JSON.stringify([{ op: 'replace', path: '/title', value: `Title ${performance.now()}` }]);
  const answer = await ask(store.server, 'PATCH', `${fhirPath}/${type}/${id}`, body, { 'If-Match': '*' });
  await answer.arrayBuffer();
}

/** Reads an export until so many records came, then leaves. */
async function exportSome(store: Store): Promise<number> {
  let left = Math.min(exported, store.records);
  return timed(async () => {
    const answer = await ask(store.server, 'GET', '/app/export');
    for await (const chunk of answer.body ?? []) {
      for (const byte of chunk as Uint8Array) if (byte === 0x0a) left -= 1;
      if (left <= 0) return;
    }
    throw new Error(`An export ended ${left} records early.`);
  });
}

/** Makes a backup as the workbench does; it is removed behind the measure. */
async function backUp(store: Store): Promise<number> {
  let made: { readonly name: string } | undefined;
  const milliseconds = await timed(async () => {
    made = (await (await ask(store.server, 'POST', '/app/backups')).json()) as { name: string };
  });
  const list = (await (await ask(store.server, 'GET', '/app/backups')).json()) as { folder: string };
  if (made) await rm(join(list.folder, made.name), { force: true });
  return milliseconds;
}
