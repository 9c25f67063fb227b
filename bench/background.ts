/** How long a server takes for what it does in the background, and how long reads beside that wait. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DamageList } from '../core/app/damage.ts';
import type { Overview } from '../core/app/models.ts';
import { keyNumber } from '../core/fhir/search-parameters.ts';
import { indexTableNames } from '../server/store/index-tables.ts';
import { connect } from '../server/store/sqlite/sqlite.ts';
import { startOurs, type Server } from './processes.ts';
import type { Waits } from './reader.ts';
import type { FilledStores } from './stores.ts';
import { warm } from './warm.ts';

export interface BackgroundFigure extends Waits {
  readonly what: string;
  readonly records: number;
  readonly minutes: number;
}

interface Work {
  /** Minutes that it may take of a million records; as many as it needs where absent. */
  readonly target?: number;
  /** Milliseconds that a read may wait beside. */
  readonly wait?: number;
  /** Seconds that it is looked at in any case. */
  readonly seconds?: number;
  /** What the file forgets before the server starts. */
  readonly forget?: readonly string[];
  /** Address that asks for it; answered once it is done, or while it runs. */
  readonly ask?: string;
  /** Ended at once where absent. */
  readonly isRunning?: (server: Server) => Promise<boolean>;
}

/** The parameter that is new: of a nested element, with more than one row a record. */
const parameter = 'CarePlan.activity-code';

const keyed = indexTableNames.filter((name) => name !== 'issue');

const rebuild = { wait: 50, isRunning: isRebuilding };
const care = { wait: 20 };

/** By what is done; all rows stand again behind the last. */
export const works: Readonly<Record<string, Work>> = {
  'nothing, to compare with': { seconds: 30 },
  'reading all texts': { ...care, ask: '/app/damage/scrub', isRunning: isReading },
  'a backup, compared': { ...care, ask: '/app/backups' },
  'judging all records anew': { ...rebuild, target: 5, ask: '/app/quality/judge' },
  'one new parameter': {
    ...rebuild,
    target: 5,
    forget: [
      ...keyed.map((name) => `DELETE FROM ${name} WHERE key = ${keyNumber(parameter)}`),
      `DELETE FROM derivation WHERE part = '${parameter}'`,
    ],
  },
  'all rows of all parameters': {
    ...rebuild,
    target: 30,
    forget: [...indexTableNames, 'derivation'].map((name) => `DELETE FROM ${name}`),
  },
};

/** Milliseconds between two looks at whether a rebuild is through: those of the page. */
const pause = 1000;

/** Each work on the built server, which serves meanwhile. */
export async function measureBackground(
  { records, dataDir, sample }: FilledStores,
  log: (line: string) => void,
): Promise<BackgroundFigure[]> {
  const figures: BackgroundFigure[] = [];
  for (const [what, work] of Object.entries(works)) {
    const { forget = [], ask, seconds = 0, isRunning = ended } = work;
    const file = join(dataDir, 'records.db');
    const database = connect(file);
    for (const sql of forget) database.exec(sql);
    database.close();
    await warm([file]);
    const server = await startOurs(dataDir);
    try {
      const started = performance.now();
      const reader = fork(resolve(import.meta.dirname, 'reader.ts'), [
        ...[String(server.port), server.token, sample],
      ]);
      await once(reader, 'message');
      if (ask !== undefined) await send(server, 'POST', ask);
      await setTimeout(seconds * 1000);
      while (await isRunning(server)) await setTimeout(pause);
      const minutes = (performance.now() - started) / 60_000;
      reader.send('end');
      const [waits] = (await once(reader, 'message')) as [Waits];
      figures.push({ what, records, minutes, ...waits });
      log(`${records} records, ${what}: ${minutes.toFixed(2)} min; ${JSON.stringify(waits)}`);
    } finally {
      await server.stop();
    }
  }
  return figures;
}

const ended = () => Promise.resolve(false);

async function isRebuilding(server: Server): Promise<boolean> {
  const { rebuild } = (await (await send(server, 'GET', '/app/overview')).json()) as Overview;
  return rebuild.state === 'running';
}

async function isReading(server: Server): Promise<boolean> {
  const { scrub } = (await (await send(server, 'GET', '/app/damage')).json()) as DamageList;
  return scrub.running !== null;
}

async function send({ port, token }: Server, method: string, path: string): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}.`);
  return answer;
}
