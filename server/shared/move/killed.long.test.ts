/** A move that is killed between any two of its steps. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { openRecordStore } from '../../store/sqlite/sqlite-store.ts';
import { killMoveAt } from '../../testing/killed-move.ts';
import {
  readResponses,
  auditKey,
  listProblems,
  fill,
  Places,
  withServer,
} from '../../testing/moved-store.ts';
import { postgresPrograms } from '../../testing/postgres.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const quiet = { report: (message: string) => expect.fail(message), reportProgress: () => undefined };

describe.skipIf(!postgresPrograms())('move (not run where PostgreSQL is not installed)', () => {
  test('resumes after a kill at any step without duplicates and blocks servers until then', async () => {
    const [full, store, back] = [places.folder(), await places.store(), places.folder()];
    let answers: Awaited<ReturnType<typeof readResponses>> = {};
    await withServer(full, async (server) => {
      await fill(server);
      answers = await readResponses(server);
    });
    const steps = [
      ...([
        ['rows copied', 1],
        ['rows copied', 6],
        ['rows compared', 6],
        ['records indexed', 1],
      ] as const),
    ];
    const uninterrupted = await move({ from: full, to: (await places.store()).keeper, key: auditKey }, quiet);
    for (const [unit, count] of steps) {
      expect(await killMoveAt(full, store.keeper, unit, count)).toMatchObject({ signal: 'SIGKILL' });
      await expect(openPostgresStore(store.address)).rejects.toThrow('A move into this store is incomplete');
    }
    expect(await move({ from: full, to: store.keeper, key: auditKey }, quiet)).toEqual(uninterrupted);
    for (const [unit, count] of steps.slice(1, 3)) {
      expect(await killMoveAt(store.address, back, unit, count)).toMatchObject({ signal: 'SIGKILL' });
      await expect(openRecordStore(join(back, 'records.db'))).rejects.toMatchObject({
        errorCode: 'unfinished',
      });
      await expect(listProblems(back)).rejects.toMatchObject({ errorCode: 'unfinished' });
    }
    await move({ from: store.address, to: back, key: auditKey }, quiet);
    expect(await listProblems(back)).toEqual([]);
    await withServer(back, async (server) => expect(await readResponses(server)).toEqual(answers));
  });
});
