/** Tests requests while all connections to the shared store are busy. */
import { expect, onTestFinished, test } from 'vitest';
import pg from 'pg';
import { migratedDatabase, postgresPrograms } from '../testing/postgres.ts';
import { noLastingFault, startSharedTestServer } from '../testing/shared-server.ts';
import { carePlan } from '../testing/test-server.ts';

const records = '/fhir-r4/v1/CarePlan';

/** Largest number of connections of a server (docs/shared-store.md), plus one that looks for the writable host. */
const maxConnections = 11 + 1;

test.skipIf(postgresPrograms() === undefined)(
  'responds 503 while all connections are busy, and recovers (not run without PostgreSQL)',
  async () => {
    const database = await migratedDatabase();
    // Two names of one host, so that the search for the writable host runs.
    const { port, pathname } = new URL(database.address);
    const address = `postgres://server@127.0.0.1:${port},localhost:${port}${pathname}`;
    const server = await startSharedTestServer(address, { metrics: true }, noLastingFault);
    const holder = new pg.Client(database.address.replace('server@', 'admin@'));
    await holder.connect();
    onTestFinished(async () => {
      await holder.end();
      await server.remove();
      await database.remove();
    });
    const { id } = (await server.send('POST', records, carePlan('Patient/before'))).json;
    const getStatus = async (path: string) => (await fetch(server.origin + path)).status;

    await holder.query('BEGIN; LOCK TABLE chartkeeper.record IN ACCESS EXCLUSIVE MODE');
    const responses = Array.from({ length: 60 }, (_, number) =>
      number % 2 === 0
        ? server.send('GET', `${records}/${id}`)
        : server.send('POST', records, carePlan(`Patient/held-${number}`)),
    );
    const readMetrics = async () => (await server.send('GET', '/metrics')).text;
    await expect.poll(readMetrics).toMatch(/chartkeeper_store_waiting [1-9]/);
    expect([await getStatus('/livez'), await getStatus('/readyz')]).toEqual([200, 200]);
    // Polling the tokens of other servers does not wait for a connection.
    expect(await readMetrics()).toMatch(/chartkeeper_workspace_age_seconds [0-4]\./);
    // Later requests open no connection above the limit.
    await Promise.all(responses.filter((_, number) => number % 2 === 0));
    const laterResponses = Array.from({ length: 20 }, () => server.send('GET', `${records}/${id}`));
    await Promise.race(laterResponses);
    const serverConnectionsSql =
      "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE usename = 'server'";
    const { rows } = await holder.query<{ count: number }>(serverConnectionsSql);
    expect(rows[0]?.count).toBeLessThanOrEqual(maxConnections);
    for (const { status, headers, json } of await Promise.all([...responses, ...laterResponses]))
      expect([status, headers.get('Retry-After'), json.resourceType]).toEqual([503, '1', 'OperationOutcome']);
    expect(await getStatus('/readyz')).toBe(200);
    expect(await readMetrics()).toMatch(/chartkeeper_workspace_age_seconds [0-4]\./);

    await holder.query('ROLLBACK');
    expect((await server.send('GET', `${records}/${id}`)).status).toBe(200);
    expect((await server.send('POST', records, carePlan('Patient/behind'))).status).toBe(201);
    const { total } = (await server.send('GET', `${records}?_summary=count`)).json;
    expect(total).toBe(2);
    expect((await server.send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
  },
);
