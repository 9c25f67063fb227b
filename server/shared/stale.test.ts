/** Tests a shared-store server that can read records but not the shared workspace. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDatabase, postgresPrograms, type TestDatabase } from '../testing/postgres.ts';
import { noLastingFault, startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { sendTo } from '../testing/test-server.ts';

const records = '/fhir-r4/v1/CarePlan?_count=1';

describe.skipIf(postgresPrograms() === undefined)(
  'a server that cannot read the shared workspace (not run without PostgreSQL)',
  () => {
    let database: TestDatabase;
    let server: SharedTestServer;
    beforeAll(async () => {
      database = await migratedDatabase();
      server = await startSharedTestServer(database.address, {}, noLastingFault);
    });
    afterAll(async () => {
      await server.remove();
      await database.remove();
    });

    test('responds 503 to a possibly revoked token, and 200 after the workspace is readable', async () => {
      const { json } = await server.send('POST', '/app/tokens', '{"name":"Ward","scopes":["system/*.rs"]}');
      const searchRecords = () => sendTo(server.origin, `Bearer ${json.token}`, 'GET', records);
      const status = async () => (await searchRecords()).status;
      expect(await status()).toBe(200);
      await database.admin(async (admin) => {
        // Only the poll of the workspace is blocked, because records are in other tables.
        await admin.query('BEGIN; LOCK TABLE chartkeeper.workspace IN ACCESS EXCLUSIVE MODE');
        await expect.poll(status, { interval: 100 }).toBe(503);
        expect((await searchRecords()).json.resourceType).toBe('OperationOutcome');
        // Other servers cannot revoke the token of this server's file.
        expect((await server.send('GET', records)).status).toBe(200);
        await admin.query('ROLLBACK');
      });
      await expect.poll(status, { interval: 100 }).toBe(200);
    });
  },
);
