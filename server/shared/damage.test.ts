/** Damaged texts with several servers over one store. damage-routes.test.ts tests a single server. */
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from './postgres/migrate.ts';
import { postgresLeases } from './postgres/postgres-store.ts';
import type { Lease } from '../store/leases.ts';
import { readAddress } from './postgres/address.ts';
import { Postgres } from './postgres/connection.ts';
import { emptyStore, testDatabase } from '../testing/postgres.ts';
import { startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { carePlan } from '../testing/test-server.ts';
import { messageCodeOf } from '../testing/message-code.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const plans = '/fhir-r4/v1/CarePlan';

describe.skipIf(!database)('a damaged text (not run where PostgreSQL is not installed)', () => {
  const { address = '', admin } = database ?? {};
  let firstServer: SharedTestServer;
  let otherServer: SharedTestServer;
  let id: string;
  beforeEach(async () => {
    if (database) await emptyStore(database);
    const logged = () => undefined;
    [firstServer, otherServer] = await Promise.all([
      startSharedTestServer(address, {}, logged),
      startSharedTestServer(address, {}, logged),
    ]);
    onTestFinished(async () => {
      await firstServer.remove();
      await otherServer.remove();
    });
    id = (await firstServer.send('POST', plans, carePlan('Patient/p', ',"title":"Whole"'))).json.id;
    await firstServer.send('POST', plans, carePlan('Patient/p'));
    await admin?.((client) =>
      client.query("UPDATE chartkeeper.version SET body = replace(body, 'Whole', 'Whale') WHERE id = $1", [
        id,
      ]),
    );
  });

  /** Returns a lease of a further server. */
  function openLease(name: string): Lease {
    const session = new Postgres(readAddress(address), 1);
    onTestFinished(() => session.close());
    return postgresLeases(session).getLease(name);
  }

  const readDamageList = async ({ send }: SharedTestServer) => (await send('GET', '/app/damage')).json;

  test('lists damage found at both servers once until it is repaired', async () => {
    const reads = await Promise.all(
      [firstServer, otherServer].map(({ send }) => send('GET', `${plans}/${id}`)),
    );
    expect(reads.map(({ status }) => status)).toEqual([500, 500]);
    for (const server of [firstServer, otherServer]) {
      await expect
        .poll(async () => (await readDamageList(server)).records)
        .toMatchObject([{ id, version: 1, backups: [] }]);
      expect((await server.send('GET', '/app/overview')).json.damage.records).toBe(1);
    }
    const repairedPlan = carePlan('Patient/p', `,"id":"${id}"`);
    expect((await otherServer.send('PUT', `${plans}/${id}`, repairedPlan)).status).toBe(200);
    expect((await readDamageList(firstServer)).records).toMatchObject([{ id, version: 1, current: false }]);
    expect((await firstServer.send('GET', '/app/overview')).json.damage.records).toBe(0);
  });

  test('scrubs at one server at a time and shares the result', async () => {
    const lease = openLease('scrub');
    expect(await lease.hold()).toBe(true);
    expect((await otherServer.send('POST', '/app/damage/scrub')).status).toBe(202);
    await otherServer.damage.idle();
    expect(await readDamageList(otherServer)).toEqual({
      scrub: { ended: null, read: 0, found: 0, running: null },
      records: [],
    });
    await lease.release();
    expect((await otherServer.send('POST', '/app/damage/scrub')).status).toBe(202);
    await otherServer.damage.idle();
    expect((await readDamageList(otherServer)).scrub.read).toBe(2);
    for (const server of [otherServer, firstServer])
      await expect
        .poll(() => readDamageList(server))
        .toMatchObject({
          scrub: { read: 2, found: 1, running: null },
          records: [{ id, version: 1, current: true }],
        });
  });

  test('refers to the backups of the database for a repair', async () => {
    const { status, json } = await firstServer.send(
      'POST',
      `/app/damage/CarePlan/${id}/mend`,
      '{"backup":"x"}',
    );
    expect([status, json.issue[0].code]).toEqual([501, 'not-supported']);
    expect(messageCodeOf(json.issue[0])).toBe('sharedStore.backups');
  });
});
