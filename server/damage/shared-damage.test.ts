/** What servers over one store promise of damaged texts beside what each of them does (damage-routes.test.ts). */
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../store/postgres/migrate.ts';
import { PostgresDamage } from '../store/postgres/damage.ts';
import { readAddress } from '../store/postgres/address.ts';
import { Postgres } from '../store/postgres/connection.ts';
import { emptied, testDatabase } from '../testing/postgres.ts';
import { startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { carePlan } from '../testing/test-server.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const plans = '/fhir-r4/v1/CarePlan';

describe.skipIf(!database)('a damaged text (not run where PostgreSQL is not installed)', () => {
  const { server: address = '', admin } = database ?? {};
  let one: SharedTestServer;
  let other: SharedTestServer;
  let id: string;
  beforeEach(async () => {
    if (database) await emptied(database);
    const logged = () => undefined;
    [one, other] = await Promise.all([
      startSharedTestServer(address, {}, logged),
      startSharedTestServer(address, {}, logged),
    ]);
    onTestFinished(async () => {
      await one.remove();
      await other.remove();
    });
    id = (await one.send('POST', plans, carePlan('Patient/p', ',"title":"Whole"'))).json.id;
    await one.send('POST', plans, carePlan('Patient/p'));
    await admin?.((client) =>
      client.query("UPDATE chartkeeper.version SET body = replace(body, 'Whole', 'Whale') WHERE id = $1", [
        id,
      ]),
    );
  });

  const listed = async ({ send }: SharedTestServer) => (await send('GET', '/app/damage')).json;

  test('that is read at both servers at once is listed at both, once, and no more once it is mended', async () => {
    const reads = await Promise.all([one, other].map(({ send }) => send('GET', `${plans}/${id}`)));
    expect(reads.map(({ status }) => status)).toEqual([500, 500]);
    for (const at of [one, other]) {
      await expect
        .poll(async () => (await listed(at)).records)
        .toMatchObject([{ id, version: 1, backups: [] }]);
      expect((await at.send('GET', '/app/overview')).json.damage.records).toBe(1);
    }
    const whole = carePlan('Patient/p', `,"id":"${id}"`);
    expect((await other.send('PUT', `${plans}/${id}`, whole)).status).toBe(200);
    expect((await listed(one)).records).toMatchObject([{ id, version: 1, current: false }]);
    expect((await one.send('GET', '/app/overview')).json.damage.records).toBe(0);
  });

  test('is found by the server that reads all texts, which one does at a time; both know what came of it', async () => {
    const session = new Postgres(readAddress(address), 1);
    const reader = new PostgresDamage(session);
    await reader.alone(async () => {
      expect((await other.send('POST', '/app/damage/scrub')).status).toBe(202);
      await other.damage.idle();
      expect(await listed(other)).toEqual({
        scrub: { ended: null, read: 0, found: 0, running: null },
        records: [],
      });
    });
    await session.close();
    // The database gives the lock back a moment behind the end of the session.
    await expect
      .poll(async () => {
        expect((await other.send('POST', '/app/damage/scrub')).status).toBe(202);
        await other.damage.idle();
        return (await listed(other)).scrub.read;
      })
      .toBe(2);
    for (const at of [other, one])
      await expect
        .poll(() => listed(at))
        .toMatchObject({
          scrub: { read: 2, found: 1, running: null },
          records: [{ id, version: 1, current: true }],
        });
  });

  test('is mended from the database’s own backups, which is said', async () => {
    const { status, json } = await one.send('POST', `/app/damage/CarePlan/${id}/mend`, '{"backup":"x"}');
    expect([status, json.issue[0].code]).toEqual([501, 'not-supported']);
    expect(json.issue[0].details.text).toMatch(/those who keep it make them, and restore from them/);
  });
});
