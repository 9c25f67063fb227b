/** How long it takes to make anew what is derived of a store, and how long reads beside that wait. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Overview } from '../core/app/models.ts';
import { keyNumber } from '../core/fhir/search-parameters.ts';
import { indexTableNames } from '../server/store/index-tables.ts';
import { connect } from '../server/store/sqlite.ts';
import { startOurs, type Server } from './processes.ts';
import type { Waits } from './reader.ts';
import type { FilledStores } from './stores.ts';
import { warm } from './warm.ts';

export interface RebuildFigure extends Waits {
  readonly what: string;
  readonly records: number;
  readonly minutes: number;
}

interface Rebuild {
  /** Minutes that it may take of a million records. */
  readonly target: number;
  /** What the file forgets before the server starts. */
  readonly forget?: readonly string[];
  /** Address that asks for it. */
  readonly ask?: string;
}

/** The parameter that is new: of a nested element, with more than one row a record. */
const parameter = 'CarePlan.activity-code';

const keyed = indexTableNames.filter((name) => name !== 'issue');

/** By what is made anew. */
export const rebuilds: Readonly<Record<string, Rebuild>> = {
  'judging all records anew': { target: 5, ask: '/app/quality/judge' },
  'one new parameter': {
    target: 5,
    forget: [
      ...keyed.map((name) => `DELETE FROM ${name} WHERE key = ${keyNumber(parameter)}`),
      `DELETE FROM derivation WHERE part = '${parameter}'`,
    ],
  },
  'all rows of all parameters': {
    target: 30,
    forget: [...indexTableNames, 'derivation'].map((name) => `DELETE FROM ${name}`),
  },
};

/** Milliseconds that a read may wait beside. */
export const waitTarget = 50;

/** Milliseconds between two looks at whether a rebuild is through: those of the page. */
const pause = 1000;

/** Each rebuild on the built server, which serves meanwhile; all rows stand again behind the last. */
export async function measureRebuilds(
  { records, dataDir, sample }: FilledStores,
  log: (line: string) => void,
): Promise<RebuildFigure[]> {
  const figures: RebuildFigure[] = [];
  for (const [what, { forget = [], ask }] of Object.entries(rebuilds)) {
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

async function isRunning(server: Server): Promise<boolean> {
  const { rebuild } = (await (await send(server, 'GET', '/app/overview')).json()) as Overview;
  return rebuild.state === 'running';
}

async function send({ port, token }: Server, method: string, path: string): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}.`);
  return answer;
}
