/** A move copies everything unchanged and hides incomplete data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answersOf, auditKey, damageIn, eventsOf, fill, Places, served } from '../testing/moved-store.ts';
import { postgresPrograms } from '../testing/postgres.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const quiet = { report: (message: string) => expect.fail(message), reportProgress: () => undefined };

describe.skipIf(!postgresPrograms())('move (not run where PostgreSQL is not installed)', () => {
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

  test('returns the same responses from the shared store and from the folder moved back', async () => {
    const [store, back] = [await places.store(), places.folder()];
    const eventCount = events.length;
    const assertUnchanged = (location: string) =>
      served(location, async (server) => {
        expect(await answersOf(server)).toEqual(answers);
        expect(await eventsOf(server, eventCount)).toEqual(events);
        expect(await server.ask('POST', '/app/audit/verify')).not.toHaveProperty('broken');
      });
    expect((await move({ from: full, to: store.keeper, key: auditKey }, quiet))?.found).toBe(0);
    await assertUnchanged(store.server);
    expect((await move({ from: store.server, to: back, key: auditKey }, quiet))?.found).toBe(0);
    expect(await damageIn(back)).toEqual([]);
    await assertUnchanged(back);
  });
});
