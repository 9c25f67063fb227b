import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../gateway/testing/connect.ts';
import { sendFhir } from '../gateway/testing/peer.ts';
import { refuse, startRecordServer, type RecordServer } from '../gateway/testing/record-server.ts';
import { pageFolder } from '../serve.ts';
import { startServer, type RunningServer } from '../start.ts';
import { sendTo, startTestServer, type TestServer } from '../testing/test-server.ts';

const wrong = (index: number) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    status: index % 3 === 0 ? 'actve' : 'active',
    intent: 'plan',
    title: `Plan ${index}`,
    ...(index % 5 !== 0 && { subject: { reference: `Patient/${index}` } }),
  });

const note = JSON.stringify({ resourceType: 'Composition', status: 'final', title: 'Note' });

async function hospital(plans: number): Promise<RecordServer> {
  const server = await startRecordServer();
  onTestFinished(() => server.peer.close());
  for (let index = 0; index < plans; index += 1) server.store('CarePlan', `p${index}`, wrong(index));
  for (let index = 0; index < 30; index += 1) server.store('Composition', `c${index}`, note);
  return server;
}

async function steward(remote: RecordServer) {
  const server = await startTestServer({}, () => undefined);
  onTestFinished(() => server.remove());
  const { id } = await connect(server, { baseUrl: remote.base });
  return createClient(server, server.token, id);
}

function createClient(server: RunningServer & Partial<TestServer>, token: string, id: string) {
  const path = `/app/connections/${id}/quality`;
  const send = (method: string, place: string, body?: string) =>
    sendTo(server.origin, `Bearer ${token}`, method, path + place, body);
  const quality = async () => (await send('GET', '')).json;
  return {
    server,
    id,
    send,
    quality,
    token,
    judge: (body = '{}') => send('POST', '/judge', body),
    waitForEnd: async (state = 'done') => {
      await expect.poll(async () => (await quality()).job.state, { timeout: 20_000 }).toBe(state);
      return quality();
    },
  };
}

/** Counts of the same records on the local server. */
async function local(remote: RecordServer) {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const lines = [...remote.records.values()].map((record) => JSON.stringify(record)).join('\n');
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const importResponse = await server.send('POST', '/app/import?level=off&keepIds=true', lines, headers);
  expect(importResponse.status, importResponse.text).toBe(200);
  const { records, flagged: flaggedRecords, groups } = (await server.send('GET', '/app/quality')).json;
  return { records, flagged: flaggedRecords, groups };
}

test('validates all records with the counts of the same local records', async () => {
  const remote = await hospital(700);
  const { judge, waitForEnd, quality, send, server, id } = await steward(remote);
  expect((await quality()).job).toEqual({ state: 'none', read: 0, remarks: [] });
  expect((await judge()).status).toBe(202);
  const done = await waitForEnd();
  expect(done.job).toMatchObject({ state: 'done', read: 730, total: 730, remarks: [] });
  expect(done).toMatchObject(await local(remote));
  const page = (await send('GET', '/findings?rule=schema-code&count=2')).json;
  expect(page.findings).toHaveLength(2);
  expect((await send('GET', '.csv')).text.split('\r\n').length).toBeGreaterThan(100);
  const file = join(server.dataDir ?? '', 'remote', `${id}.db`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('applies custom checks to remote records, and to all of them after a change', async () => {
  const remote = await hospital(20);
  const { judge, waitForEnd, send, server, id, token } = await steward(remote);
  await judge();
  await waitForEnd();
  const check = {
    title: 'A plan names its subject',
    type: 'CarePlan',
    holds: 'subject.exists()',
    points: 'title',
    category: 'completeness',
    severity: 'warning',
    active: true,
    version: 0,
  };
  const sendToServer = (method: string, path: string, body: string) =>
    sendTo(server.origin, `Bearer ${token}`, method, path, body);
  const putResponse = await sendToServer('PUT', '/app/checks/subject', JSON.stringify(check));
  expect(putResponse.status, putResponse.text).toBe(200);
  await judge();
  const { groups } = await waitForEnd();
  expect(groups).toContainEqual(
    expect.objectContaining({ rule: 'my/subject', text: check.title, records: 4, findings: 4 }),
  );
  const { findings } = (await send('GET', '/findings?rule=my/subject&count=1')).json;
  expect(findings).toMatchObject([{ message: check.title, pointer: '/title', excerpt: '"Plan 0"' }]);
  // A saved record is checked at once.
  const savedResponse = await sendToServer('PUT', `/app/connections/${id}/fhir-r4/v1/CarePlan/p0`, wrong(1));
  expect(savedResponse.status).toBe(200);
  expect((await send('GET', '/findings?rule=my/subject')).json.findings).toHaveLength(3);
});

test('validates the last version of a record that changes during the run and omits none', async () => {
  const remote = await hospital(900);
  const { judge, waitForEnd } = await steward(remote);
  remote.before = (_response, count) => {
    if (count === 2)
      for (let index = 0; index < 10; index += 1) remote.store('CarePlan', `p${index}`, wrong(1));
    return false;
  };
  await judge();
  const done = await waitForEnd();
  expect(done).toMatchObject(await local(remote));
});

test.each([[true], [false]])(
  'resumes without a request after two restarts and an outage; sorted %s',
  async (sorts) => {
    const remote = await hospital(1200);
    remote.sorts = sorts;
    const firstServer = await startTestServer({}, () => undefined);
    const { dataDir, token } = firstServer;
    const { id } = await connect(firstServer, { baseUrl: remote.base });
    const restart = () => startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
    const paused = (requestCount: number) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      // The request is left without a response, so that the rest follows after the restart.
      remote.before = (_response, count) => {
        if (count === requestCount) resolve(undefined);
        return count === requestCount;
      };
      return promise;
    };
    let pausePoint = paused(2);
    await createClient(firstServer, token, id).judge();
    await pausePoint;
    await firstServer.close();
    pausePoint = paused(5);
    const secondServer = await restart();
    await pausePoint;
    await secondServer.close();
    let outages = 0;
    remote.before = (response) => {
      outages += 1;
      if (outages === 2) response.destroy();
      return outages === 2;
    };
    const thirdServer = await restart();
    onTestFinished(() => firstServer.remove());
    onTestFinished(() => thirdServer.close());
    const done = await createClient(thirdServer, token, id).waitForEnd();
    expect(done.job).toMatchObject({ read: 1230 });
    expect(done).toMatchObject(await local(remote));
  },
);

test('reads changes in a later run, and drops deleted records in a run from the start', async () => {
  const remote = await hospital(500);
  const { judge, waitForEnd } = await steward(remote);
  await judge();
  await waitForEnd();
  remote.store('CarePlan', 'p1', wrong(0));
  remote.records.delete('CarePlan/p2');
  const requestCount = remote.peer.requests.length;
  await judge();
  const secondRun = await waitForEnd();
  expect(secondRun.job.read).toBe(1);
  expect(remote.peer.requests.length - requestCount).toBeLessThan(5);
  expect(secondRun.records.CarePlan).toBe(500);
  await judge('{"from":"start"}');
  expect(await waitForEnd()).toMatchObject(await local(remote));
});

test('reads the history if a search is rejected, and fails only if all types are', async () => {
  const remote = await hospital(300);
  remote.refuses.add('CarePlan');
  const { judge, waitForEnd } = await steward(remote);
  await judge();
  expect(await waitForEnd()).toMatchObject(await local(remote));
  remote.refuses.add('CarePlan/_history');
  await judge('{"from":"start"}');
  const done = await waitForEnd();
  expect(done.job.remarks).toEqual(['Name a patient to search CarePlan.']);
  expect(done.records.Composition).toBe(30);
  for (const refusedPath of ['Composition', 'Composition/_history']) remote.refuses.add(refusedPath);
  await judge('{"from":"start"}');
  expect((await waitForEnd('failed')).job.fault).toBe('Name a patient to search CarePlan.');
});

test('ends with an error on a record of another type and stores nothing of that page', async () => {
  const remote = await hospital(10);
  const { judge, waitForEnd } = await steward(remote);
  remote.before = (response) => {
    const entry = [{ resource: { resourceType: 'Composition', id: 'x' } }];
    sendFhir(response, 200, JSON.stringify({ resourceType: 'Bundle', entry }));
    return true;
  };
  await judge();
  const failedJob = await waitForEnd('failed');
  expect(failedJob.job.fault).toContain('returned something other');
  remote.before = () => false;
  await judge();
  expect((await waitForEnd()).records.CarePlan).toBe(10);
});

test('ends with an error on a link to another server or to a visited page', async () => {
  const remote = await hospital(0);
  const { judge, waitForEnd } = await steward(remote);
  for (const [url, expectedMessage] of [
    ['http://127.0.0.1:1/fhir/CarePlan', 'under the connection’s base URL'],
    [`${remote.base}/CarePlan?page=2`, 'the same page'],
  ]) {
    remote.before = (response) => {
      sendFhir(response, 200, JSON.stringify({ resourceType: 'Bundle', link: [{ relation: 'next', url }] }));
      return true;
    };
    await judge('{"from":"start"}');
    expect((await waitForEnd('failed')).job.fault).toContain(expectedMessage);
  }
});

test('ends with advice on rejected credentials', async () => {
  const remote = await hospital(1);
  const { judge, waitForEnd } = await steward(remote);
  remote.before = (response) => {
    refuse(response, 401, 'No.');
    return true;
  };
  await judge();
  expect((await waitForEnd('failed')).job.fault).toContain('The server requires credentials');
});

test('stops during a pause with end and reason, and resumes on request', async () => {
  const remote = await hospital(250);
  const { judge, waitForEnd, send } = await steward(remote);
  remote.before = (response, count) => {
    if (count > 0) refuse(response, 429, 'Slow down.', { 'Retry-After': '200' });
    return count > 0;
  };
  await judge();
  const waitingJob = await waitForEnd('waiting');
  expect(waitingJob.job).toMatchObject({ fault: 'Slow down.', read: 200 });
  expect(Date.parse(waitingJob.job.until) - Date.now()).toBeGreaterThan(100_000);
  expect((await send('POST', '/stop')).json.state).toBe('stopped');
  remote.before = () => false;
  await judge();
  expect((await waitForEnd()).job).toMatchObject({ read: 280 });
});

test('validates a record saved through the gateway at once', async () => {
  const remote = await hospital(3);
  const { judge, waitForEnd, server, id, token, quality } = await steward(remote);
  await judge();
  const before = await waitForEnd();
  const putResponse = await sendTo(
    server.origin,
    `Bearer ${token}`,
    'PUT',
    `/app/connections/${id}/fhir-r4/v1/CarePlan/p0`,
    wrong(1),
  );
  expect(putResponse.status).toBe(200);
  expect((await quality()).flagged.CarePlan).toBe(before.flagged.CarePlan - 1);
});

test('removes job and file with the connection or with its base URL', async () => {
  const remote = await hospital(500);
  const { judge, server, id, token, waitForEnd } = await steward(remote);
  const file = join(server.dataDir ?? '', 'remote', `${id}.db`);
  const send = (method: string, body?: string) =>
    sendTo(server.origin, `Bearer ${token}`, method, `/app/connections/${id}`, body);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await judge();
  await waitForEnd();
  const otherSettings = JSON.stringify({ name: 'Other', baseUrl: `${remote.base}/other` });
  expect((await send('PUT', otherSettings)).status).toBe(200);
  expect(existsSync(file)).toBe(false);
  remote.before = () => {
    resolve(undefined);
    return true;
  };
  await judge();
  await promise;
  expect((await send('DELETE')).status).toBe(204);
  expect(existsSync(file)).toBe(false);
});

test('rebuilds a file that is not a database', async () => {
  const remote = await hospital(3);
  const { server, id, quality } = await steward(remote);
  await quality();
  await (server as TestServer).close();
  writeFileSync(join(server.dataDir ?? '', 'remote', `${id}.db`), 'no database');
  const { dataDir = '', token = '' } = server;
  const restartedServer = await startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  onTestFinished(() => restartedServer.close());
  const next = createClient(restartedServer, token, id);
  await next.judge();
  expect((await next.waitForEnd()).records.CarePlan).toBe(3);
});
