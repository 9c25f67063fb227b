/** A move that is killed between any two of its steps. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { killedAt } from '../testing/killed-move.ts';
import { answersOf, auditKey, damageIn, fill, Places, served } from '../testing/moved-store.ts';
import { postgresPrograms } from '../testing/postgres.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const quiet = { say: (sentence: string) => expect.fail(sentence), reached: () => undefined };

describe.skipIf(!postgresPrograms())('a move (not run where PostgreSQL is not installed)', () => {
  test('killed at any point it goes on, each row is there once, and nobody else gets in meanwhile', async () => {
    const [full, store, back] = [places.folder(), await places.store(), places.folder()];
    let answers: Awaited<ReturnType<typeof answersOf>> = {};
    await served(full, async (server) => {
      await fill(server);
      answers = await answersOf(server);
    });
    const there = [
      ...([
        ['rows copied', 1],
        ['rows copied', 6],
        ['rows compared', 6],
        ['records indexed', 1],
      ] as const),
    ];
    const whole = await move({ from: full, to: (await places.store()).keeper, key: auditKey }, quiet);
    for (const [unit, count] of there) {
      expect(await killedAt(full, store.keeper, unit, count)).toMatchObject({ signal: 'SIGKILL' });
      await expect(openPostgresStore(store.server)).rejects.toThrow('the move has not ended');
    }
    expect(await move({ from: full, to: store.keeper, key: auditKey }, quiet)).toEqual(whole);
    for (const [unit, count] of there.slice(1, 3)) {
      expect(await killedAt(store.server, back, unit, count)).toMatchObject({ signal: 'SIGKILL' });
      await expect(openRecordStore(join(back, 'records.db'))).rejects.toMatchObject({ fault: 'unfinished' });
      await expect(damageIn(back)).rejects.toMatchObject({ fault: 'unfinished' });
    }
    await move({ from: store.server, to: back, key: auditKey }, quiet);
    expect(await damageIn(back)).toEqual([]);
    await served(back, async (server) => expect(await answersOf(server)).toEqual(answers));
  });
});
