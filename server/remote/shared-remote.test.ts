/** Servers of one store leave another server to one of them at a time, however many are asked to read it. */
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { refuse, startRecordServer } from '../gateway/testing/record-server.ts';
import { migratedDatabase, postgresPrograms } from '../testing/postgres.ts';
import { startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';

test.skipIf(postgresPrograms() === undefined)(
  'of two that are asked to read a connection’s records the second waits, and says so (not run without PostgreSQL)',
  async () => {
    const remote = await startRecordServer();
    const database = await migratedDatabase();
    const one = await startSharedTestServer(database.server);
    const other = await startSharedTestServer(database.server);
    onTestFinished(async () => {
      await one.remove();
      await other.remove();
      await database.remove();
      await remote.peer.close();
    });
    for (let index = 0; index < 10; index += 1) {
      remote.store('CarePlan', `p${index}`, '{"status":"active","intent":"plan"}');
    }
    const added = JSON.stringify({ name: 'Hospital', mode: 'normal', baseUrl: remote.base });
    const { id } = (await one.send('POST', '/app/connections', added)).json;
    const path = `/app/connections/${id}/quality`;
    const job = async (at: SharedTestServer) => (await at.send('GET', path)).json.job;

    const asked = Promise.withResolvers<ServerResponse>();
    remote.before = (response, count) => {
      if (count === 0) asked.resolve(response);
      return count === 0;
    };
    expect((await one.send('POST', `${path}/judge`, '{}')).status).toBe(202);
    const first = await asked.promise;
    await expect.poll(async () => (await other.send('POST', `${path}/judge`, '{}')).status).toBe(202);
    await expect
      .poll(() => job(other), { interval: 20 })
      .toMatchObject({ state: 'waiting', fault: 'Another server reads these records.' });
    expect(remote.peer.seen).toHaveLength(1);
    refuse(first, 503, 'Later.');
    for (const at of [one, other]) {
      await expect.poll(() => job(at), { interval: 50 }).toMatchObject({ state: 'done', read: 10 });
    }
  },
);
