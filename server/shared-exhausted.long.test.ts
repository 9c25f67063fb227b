/** What becomes of requests where all connections to the shared store are held. */
import { expect, onTestFinished, test } from 'vitest';
import pg from 'pg';
import { migratedDatabase, postgresPrograms } from './testing/postgres.ts';
import { noLastingFault, startSharedTestServer } from './testing/shared-server.ts';
import { carePlan } from './testing/test-server.ts';

const records = '/fhir-r4/v1/CarePlan';

/** Connections of a server at most (docs/shared-store.md), and one that looks for the host that takes writes. */
const most = 11 + 1;

test.skipIf(postgresPrograms() === undefined)(
  'where all connections are held, requests are 503 within a time, the server says that it is up, and all is well behind it (not run without PostgreSQL)',
  async () => {
    const database = await migratedDatabase();
    // Two names of one host: whoever looks for the one that takes writes finds the same.
    const { port, pathname } = new URL(database.server);
    const address = `postgres://server@127.0.0.1:${port},localhost:${port}${pathname}`;
    const one = await startSharedTestServer(address, { metrics: true }, noLastingFault);
    const holder = new pg.Client(database.server.replace('server@', 'admin@'));
    await holder.connect();
    onTestFinished(async () => {
      await holder.end();
      await one.remove();
      await database.remove();
    });
    const { id } = (await one.send('POST', records, carePlan('Patient/before'))).json;
    const ask = async (path: string) => (await fetch(one.origin + path)).status;

    await holder.query('BEGIN; LOCK TABLE chartkeeper.record IN ACCESS EXCLUSIVE MODE');
    const answers = Array.from({ length: 60 }, (_, number) =>
      number % 2 === 0
        ? one.send('GET', `${records}/${id}`)
        : one.send('POST', records, carePlan(`Patient/held-${number}`)),
    );
    const held = async () => (await one.send('GET', '/metrics')).text;
    await expect.poll(held).toMatch(/chartkeeper_store_waiting [1-9]/);
    expect([await ask('/livez'), await ask('/readyz')]).toEqual([200, 200]);
    // A token is known that was made elsewhere meanwhile: who looks at those waits for nobody.
    expect(await held()).toMatch(/chartkeeper_workspace_age_seconds [0-4]\./);
    // Who comes once others waited in vain gets no connection beside those that may be.
    await Promise.all(answers.filter((_, number) => number % 2 === 0));
    const further = Array.from({ length: 20 }, () => one.send('GET', `${records}/${id}`));
    await Promise.race(further);
    const fromServer = "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE usename = 'server'";
    const { rows } = await holder.query<{ count: number }>(fromServer);
    expect(rows[0]?.count).toBeLessThanOrEqual(most);
    for (const { status, headers, json } of await Promise.all([...answers, ...further]))
      expect([status, headers.get('Retry-After'), json.resourceType]).toEqual([503, '1', 'OperationOutcome']);
    expect(await ask('/readyz')).toBe(200);
    expect(await held()).toMatch(/chartkeeper_workspace_age_seconds [0-4]\./);

    await holder.query('ROLLBACK');
    expect((await one.send('GET', `${records}/${id}`)).status).toBe(200);
    expect((await one.send('POST', records, carePlan('Patient/behind'))).status).toBe(201);
    const { total } = (await one.send('GET', `${records}?_summary=count`)).json;
    expect(total).toBe(2);
    expect((await one.send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
  },
);
