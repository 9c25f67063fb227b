/** Duration of background work of a server, and the waits of reads during it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DamageList } from '../core/app/damage.ts';
import type { Overview } from '../core/app/models.ts';
import { keyNumber } from '../core/fhir/search-parameters.ts';
import { indexTableNames } from '../server/store/index-tables.ts';
import { connect } from '../server/sqlite/sqlite.ts';
import { startOurs, type Server } from './processes.ts';
import type { Waits } from './reader.ts';
import type { FilledStores } from './stores.ts';
import { warmCache } from './warm.ts';

export interface BackgroundFigure extends Waits {
  readonly title: string;
  readonly records: number;
  readonly minutes: number;
}

interface Work {
  /** Limit in minutes for a million records. None if absent. */
  readonly target?: number;
  /** Limit in milliseconds for a read during the work. */
  readonly wait?: number;
  /** Minimum duration in seconds. */
  readonly seconds?: number;
  /** SQL that removes rows from the file before the server starts. */
  readonly setupSql?: readonly string[];
  /** Address that starts the work. It responds during the work or after it. */
  readonly ask?: string;
  /** Returns true during the work. Without it, the work ends with the response. */
  readonly isRunning?: (server: Server) => Promise<boolean>;
}

/** The new parameter: of a nested element, with more than one row per record. */
const parameter = 'CarePlan.activity-code';

const parameterTables = indexTableNames.filter((name) => name !== 'issue');

const rebuild = { wait: 50, isRunning: isRebuilding };
const shortWait = { wait: 20 };

/** Works by title. The last one restores all rows. */
export const works: Readonly<Record<string, Work>> = {
  'nothing, to compare with': { seconds: 30 },
  'reading all texts': { ...shortWait, ask: '/app/damage/scrub', isRunning: isReading },
  'a backup, compared': { ...shortWait, ask: '/app/backups' },
  'checking all records again': { ...rebuild, target: 5, ask: '/app/quality/judge' },
  'one new parameter': {
    ...rebuild,
    target: 5,
    setupSql: [
      ...parameterTables.map((name) => `DELETE FROM ${name} WHERE key = ${keyNumber(parameter)}`),
      `DELETE FROM derivation WHERE part = '${parameter}'`,
    ],
  },
  'all rows of all parameters': {
    ...rebuild,
    target: 30,
    setupSql: [...indexTableNames, 'derivation'].map((name) => `DELETE FROM ${name}`),
  },
};

/** Milliseconds between two polls of a rebuild, as in the page. */
const pollIntervalMs = 1000;

/** Measures each work on the built server while it serves. */
export async function measureBackground(
  { records, dataDir, sample }: FilledStores,
  log: (line: string) => void,
): Promise<BackgroundFigure[]> {
  const figures: BackgroundFigure[] = [];
  for (const [title, work] of Object.entries(works)) {
    const { setupSql = [], ask, seconds = 0, isRunning = isNeverRunning } = work;
    const file = join(dataDir, 'records.db');
    const database = connect(file);
    for (const sql of setupSql) database.exec(sql);
    database.close();
    await warmCache([file]);
    const server = await startOurs(dataDir);
    try {
      const startTime = performance.now();
      const reader = fork(resolve(import.meta.dirname, 'reader.ts'), [
        String(server.port),
        server.token,
        sample,
      ]);
      await once(reader, 'message');
      if (ask !== undefined) await send(server, 'POST', ask);
      await setTimeout(seconds * 1000);
      while (await isRunning(server)) await setTimeout(pollIntervalMs);
      const minutes = (performance.now() - startTime) / 60_000;
      reader.send('end');
      const [waits] = (await once(reader, 'message')) as [Waits];
      figures.push({ title, records, minutes, ...waits });
      log(`${records} records, ${title}: ${minutes.toFixed(2)} min; ${JSON.stringify(waits)}`);
    } finally {
      await server.stop();
    }
  }
  return figures;
}

const isNeverRunning = () => Promise.resolve(false);

async function isRebuilding(server: Server): Promise<boolean> {
  const { rebuild } = (await (await send(server, 'GET', '/app/overview')).json()) as Overview;
  return rebuild.state === 'running';
}

async function isReading(server: Server): Promise<boolean> {
  const { scrub } = (await (await send(server, 'GET', '/app/damage')).json()) as DamageList;
  return scrub.running !== null;
}

async function send({ port, token }: Server, method: string, path: string): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}.`);
  return response;
}
