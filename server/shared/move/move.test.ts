/** A move copies everything unchanged and hides incomplete data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  readResponses,
  auditKey,
  listProblems,
  readAuditEvents,
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
  let full = '';
  let answers: Awaited<ReturnType<typeof readResponses>>;
  let events: Awaited<ReturnType<typeof readAuditEvents>>;

  beforeAll(async () => {
    full = places.folder();
    await withServer(full, async (server) => {
      await fill(server);
      answers = await readResponses(server);
      events = await readAuditEvents(server);
    });
  });

  test('returns the same responses from the shared store and from the folder moved back', async () => {
    const [store, back] = [await places.store(), places.folder()];
    const eventCount = events.length;
    const assertUnchanged = (location: string) =>
      withServer(location, async (server) => {
        expect(await readResponses(server)).toEqual(answers);
        expect(await readAuditEvents(server, eventCount)).toEqual(events);
        expect(await server.ask('POST', '/app/audit/verify')).not.toHaveProperty('broken');
      });
    expect((await move({ from: full, to: store.keeper, key: auditKey }, quiet))?.found).toBe(0);
    await assertUnchanged(store.address);
    expect((await move({ from: store.address, to: back, key: auditKey }, quiet))?.found).toBe(0);
    expect(await listProblems(back)).toEqual([]);
    await assertUnchanged(back);
  });
});
