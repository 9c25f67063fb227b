/** Servers of one store let only one of them read another server at a time. */
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { refuse, startRecordServer } from '../gateway/testing/record-server.ts';
import { migratedDatabase, postgresPrograms } from '../testing/postgres.ts';
import { startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';

test.skipIf(postgresPrograms() === undefined)(
  'makes the second of two servers wait with a message (not run without PostgreSQL)',
  async () => {
    const remote = await startRecordServer();
    const database = await migratedDatabase();
    const firstServer = await startSharedTestServer(database.address);
    const secondServer = await startSharedTestServer(database.address);
    onTestFinished(async () => {
      await firstServer.remove();
      await secondServer.remove();
      await database.remove();
      await remote.peer.close();
    });
    for (let index = 0; index < 10; index += 1) {
      remote.store('CarePlan', `p${index}`, '{"status":"active","intent":"plan"}');
    }
    const settings = JSON.stringify({ name: 'Hospital', mode: 'normal', baseUrl: remote.base });
    const { id } = (await firstServer.send('POST', '/app/connections', settings)).json;
    const path = `/app/connections/${id}/quality`;
    const job = async (testServer: SharedTestServer) => (await testServer.send('GET', path)).json.job;

    const requested = Promise.withResolvers<ServerResponse>();
    remote.before = (response, count) => {
      if (count === 0) requested.resolve(response);
      return count === 0;
    };
    expect((await firstServer.send('POST', `${path}/judge`, '{}')).status).toBe(202);
    const heldResponse = await requested.promise;
    await expect.poll(async () => (await secondServer.send('POST', `${path}/judge`, '{}')).status).toBe(202);
    await expect
      .poll(() => job(secondServer), { interval: 20 })
      .toMatchObject({ state: 'waiting', fault: 'Another server is already checking these records.' });
    expect(remote.peer.requests).toHaveLength(1);
    refuse(heldResponse, 503, 'Later.');
    for (const testServer of [firstServer, secondServer]) {
      await expect.poll(() => job(testServer), { interval: 50 }).toMatchObject({ state: 'done', read: 10 });
    }
  },
);
