/** What a move of a store promises: everything comes, is the same, and nobody meets half of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answersOf, auditKey, damageIn, eventsOf, fill, Places, served } from '../testing/moved-store.ts';
import { postgresPrograms } from '../testing/postgres.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const quiet = { say: (sentence: string) => expect.fail(sentence), reached: () => undefined };

describe.skipIf(!postgresPrograms())('a move (not run where PostgreSQL is not installed)', () => {
  let full = '';
  let answers: Awaited<ReturnType<typeof answersOf>>;
  let events: Awaited<ReturnType<typeof eventsOf>>;

  beforeAll(async () => {
    full = places.folder();
    await served(full, async (server) => {
      await fill(server);
      answers = await answersOf(server);
      events = await eventsOf(server);
    });
  });

  test('everything of a folder answers the same over a shared store, and in the folder that it comes back to', async () => {
    const [store, back] = [await places.store(), places.folder()];
    const last = events.length;
    const asBefore = (place: string) =>
      served(place, async (server) => {
        expect(await answersOf(server)).toEqual(answers);
        expect(await eventsOf(server, last)).toEqual(events);
        expect(await server.ask('POST', '/app/audit/verify')).not.toHaveProperty('broken');
      });
    expect((await move({ from: full, to: store.keeper, key: auditKey }, quiet))?.found).toBe(0);
    await asBefore(store.server);
    expect((await move({ from: store.server, to: back, key: auditKey }, quiet))?.found).toBe(0);
    expect(await damageIn(back)).toEqual([]);
    await asBefore(back);
  });
});
