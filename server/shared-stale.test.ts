/** What a server over a shared store answers while it cannot learn what the others wrote, though records can be read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDatabase, postgresPrograms, type TestDatabase } from './testing/postgres.ts';
import { noLastingFault, startSharedTestServer, type SharedTestServer } from './testing/shared-server.ts';
import { sendTo } from './testing/test-server.ts';

const records = '/fhir-r4/v1/CarePlan?_count=1';

describe.skipIf(postgresPrograms() === undefined)(
  'a server that cannot look at the shared workspace (not run without PostgreSQL)',
  () => {
    let database: TestDatabase;
    let server: SharedTestServer;
    beforeAll(async () => {
      database = await migratedDatabase();
      server = await startSharedTestServer(database.server, {}, noLastingFault);
    });
    afterAll(async () => {
      await server.remove();
      await database.remove();
    });

    test('answers 503 to a token that may be revoked elsewhere, and 200 again once it can look', async () => {
      const { json } = await server.send('POST', '/app/tokens', '{"name":"Ward","scopes":["system/*.rs"]}');
      const read = () => sendTo(server.origin, `Bearer ${json.token}`, 'GET', records);
      const status = async () => (await read()).status;
      expect(await status()).toBe(200);
      await database.admin(async (admin) => {
        // Records stand in other tables: nothing but the look is held up.
        await admin.query('BEGIN; LOCK TABLE chartkeeper.workspace IN ACCESS EXCLUSIVE MODE');
        await expect.poll(status, { interval: 100 }).toBe(503);
        expect((await read()).json.resourceType).toBe('OperationOutcome');
        // The token of the server's own file is nobody else's to revoke.
        expect((await server.send('GET', records)).status).toBe(200);
        await admin.query('ROLLBACK');
      });
      await expect.poll(status, { interval: 100 }).toBe(200);
    });
  },
);
