import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectionHeader } from '../core/app/connections.ts';
import { onSharedStore, startTestServer } from './testing/test-server.ts';

test.skipIf(onSharedStore)(
  'opens made-up records in a second store, as a connection that works again after a restart',
  async () => {
    const server = await startTestServer();
    onTestFinished(() => server.remove());
    const own =
      '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/own"}}';
    expect((await server.send('POST', '/fhir-r4/v1/CarePlan', own)).status).toBe(201);
    expect((await server.send('GET', '/app/practice-store')).json).toEqual({});
    expect(existsSync(join(server.dataDir, 'practice'))).toBe(false);

    const opened = await server.send('POST', '/app/practice-store');
    expect(opened.json).toMatchObject({ stored: 1185, unchanged: 0 });
    const { connection } = opened.json;
    expect((await server.send('GET', '/app/practice-store')).json).toEqual({ connection });
    const countPlans = async (path = '/fhir-r4/v1'): Promise<number> =>
      (await server.send('GET', `${path}/CarePlan?_summary=count`)).json.total;
    const remotePath = `/app/connections/${connection}/fhir-r4/v1`;
    const practicePlans = await countPlans(remotePath);
    expect(practicePlans).toBeGreaterThan(500);
    expect(await countPlans()).toBe(1);

    // A write there stays there.
    expect((await server.send('POST', `${remotePath}/CarePlan`, own)).status).toBe(201);
    expect(await countPlans(remotePath)).toBe(practicePlans + 1);
    expect(await countPlans()).toBe(1);

    // Training data and exercises are those of the store that the request names.
    const atPractice = { [connectionHeader]: connection };
    const loadedOf = async (headers = {}) =>
      (await server.send('GET', '/app/training', undefined, headers)).json.sets[0].loaded;
    expect([await loadedOf(atPractice), await loadedOf()]).toEqual([1185, 0]);
    const begun = await server.send('POST', '/app/practice/find', '{}', atPractice);
    expect(begun.status).toBe(200);
    const startedOf = async (headers = {}) =>
      (await server.send('GET', '/app/practice', undefined, headers)).json[0].begun;
    expect([await startedOf(atPractice), await startedOf()]).toEqual([expect.any(String), undefined]);

    await server.close();
    await server.restart();
    expect((await server.send('GET', '/app/practice-store')).json).toEqual({ connection });
    expect(await countPlans(remotePath)).toBe(practicePlans + 1);
    expect((await server.send('GET', '/app/connections')).json.connections).toHaveLength(1);

    // A removed connection comes back when the store is opened again.
    expect((await server.send('DELETE', `/app/connections/${connection}`)).status).toBe(204);
    const reopened = (await server.send('POST', '/app/practice-store')).json;
    expect(reopened).toMatchObject({ stored: 0, unchanged: 1185 });
    expect(await countPlans(`/app/connections/${reopened.connection}/fhir-r4/v1`)).toBe(practicePlans + 1);
  },
);
