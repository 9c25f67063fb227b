import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../gateway/testing/connect.ts';
import { fhir } from '../gateway/testing/peer.ts';
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
  return over(server, server.token, id);
}

function over(server: RunningServer & Partial<TestServer>, token: string, id: string) {
  const path = `/app/connections/${id}/quality`;
  const send = (method: string, place: string, body?: string) =>
    sendTo(server.origin, `Bearer ${token}`, method, path + place, body);
  const quality = async () => (await send('GET', '')).json;
  return {
    ...{ server, id, send, quality, token },
    judge: (body = '{}') => send('POST', '/judge', body),
    ends: async (state = 'done') => {
      await expect.poll(async () => (await quality()).job.state, { timeout: 20_000 }).toBe(state);
      return quality();
    },
  };
}

/** What the local server counts of the same records. */
async function local(remote: RecordServer) {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const lines = [...remote.records.values()].map((record) => JSON.stringify(record)).join('\n');
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const imported = await server.send('POST', '/app/import?level=off&keepIds=true', lines, headers);
  expect(imported.status, imported.text).toBe(200);
  const { records, flagged, groups } = (await server.send('GET', '/app/quality')).json;
  return { records, flagged, groups };
}

test('all records are judged, and counted as the same records are counted locally', async () => {
  const remote = await hospital(700);
  const { judge, ends, quality, send, server, id } = await steward(remote);
  expect((await quality()).job).toEqual({ state: 'none', read: 0, remarks: [] });
  expect((await judge()).status).toBe(202);
  const done = await ends();
  expect(done.job).toMatchObject({ state: 'done', read: 730, total: 730, remarks: [] });
  expect(done).toMatchObject(await local(remote));
  const page = (await send('GET', '/findings?rule=schema-code&count=2')).json;
  expect(page.findings).toHaveLength(2);
  expect((await send('GET', '.csv')).text.split('\r\n').length).toBeGreaterThan(100);
  const file = join(server.dataDir ?? '', 'remote', `${id}.db`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('checks of one’s own find in records of another server, of all of them as soon as another is asked', async () => {
  const remote = await hospital(20);
  const { judge, ends, send, server, id, token } = await steward(remote);
  await judge();
  await ends();
  const check = {
    ...{ title: 'A plan names its subject', type: 'CarePlan', holds: 'subject.exists()', points: 'title' },
    ...{ category: 'completeness', severity: 'warning', active: true, version: 0 },
  };
  const own = (method: string, path: string, body: string) =>
    sendTo(server.origin, `Bearer ${token}`, method, path, body);
  const put = await own('PUT', '/app/checks/subject', JSON.stringify(check));
  expect(put.status, put.text).toBe(200);
  await judge();
  const { groups } = await ends();
  expect(groups).toContainEqual(
    expect.objectContaining({ rule: 'my/subject', text: check.title, records: 4, findings: 4 }),
  );
  const { findings } = (await send('GET', '/findings?rule=my/subject&count=1')).json;
  expect(findings).toMatchObject([{ message: check.title, pointer: '/title', excerpt: '"Plan 0"' }]);
  // A record that is saved is asked at once.
  const saved = await own('PUT', `/app/connections/${id}/fhir-r4/v1/CarePlan/p0`, wrong(1));
  expect(saved.status).toBe(200);
  expect((await send('GET', '/findings?rule=my/subject')).json.findings).toHaveLength(3);
});

test('a record that changes while it runs is judged as it was last, and none is left out', async () => {
  const remote = await hospital(900);
  const { judge, ends } = await steward(remote);
  remote.before = (_response, count) => {
    if (count === 2)
      for (let index = 0; index < 10; index += 1) remote.store('CarePlan', `p${index}`, wrong(1));
    return false;
  };
  await judge();
  const done = await ends();
  expect(done).toMatchObject(await local(remote));
});

test.each([[true], [false]])('two restarts and an outage: it goes on by itself; sorted %s', async (sorts) => {
  const remote = await hospital(1200);
  remote.sorts = sorts;
  const first = await startTestServer({}, () => undefined);
  const { dataDir, token } = first;
  const { id } = await connect(first, { baseUrl: remote.base });
  const restart = () => startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  const paused = (at: number) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    // The request is left without an answer: what comes behind it comes after the restart.
    remote.before = (_response, count) => {
      if (count === at) resolve(undefined);
      return count === at;
    };
    return promise;
  };
  let reached = paused(2);
  await over(first, token, id).judge();
  await reached;
  await first.close();
  reached = paused(5);
  const second = await restart();
  await reached;
  await second.close();
  let outages = 0;
  remote.before = (response) => {
    outages += 1;
    if (outages === 2) response.destroy();
    return outages === 2;
  };
  const third = await restart();
  onTestFinished(() => first.remove());
  onTestFinished(() => third.close());
  const done = await over(third, token, id).ends();
  expect(done.job).toMatchObject({ read: 1230 });
  expect(done).toMatchObject(await local(remote));
});

test('a later run reads what changed; from the start, what was deleted leaves', async () => {
  const remote = await hospital(500);
  const { judge, ends } = await steward(remote);
  await judge();
  await ends();
  remote.store('CarePlan', 'p1', wrong(0));
  remote.records.delete('CarePlan/p2');
  const seen = remote.peer.seen.length;
  await judge();
  const again = await ends();
  expect(again.job.read).toBe(1);
  expect(remote.peer.seen.length - seen).toBeLessThan(5);
  expect(again.records.CarePlan).toBe(500);
  await judge('{"from":"start"}');
  expect(await ends()).toMatchObject(await local(remote));
});

test('where a search is refused the history is read; where that is too, the job goes on; it fails where all are', async () => {
  const remote = await hospital(300);
  remote.refuses.add('CarePlan');
  const { judge, ends } = await steward(remote);
  await judge();
  expect(await ends()).toMatchObject(await local(remote));
  remote.refuses.add('CarePlan/_history');
  await judge('{"from":"start"}');
  const done = await ends();
  expect(done.job.remarks).toEqual(['Name a patient to search CarePlan.']);
  expect(done.records.Composition).toBe(30);
  for (const one of ['Composition', 'Composition/_history']) remote.refuses.add(one);
  await judge('{"from":"start"}');
  expect((await ends('failed')).job.fault).toBe('Name a patient to search CarePlan.');
});

test('a server that lists another type ends it, and nothing of that is kept', async () => {
  const remote = await hospital(10);
  const { judge, ends } = await steward(remote);
  remote.before = (response) => {
    const entry = [{ resource: { resourceType: 'Composition', id: 'x' } }];
    fhir(response, 200, JSON.stringify({ resourceType: 'Bundle', entry }));
    return true;
  };
  await judge();
  const failed = await ends('failed');
  expect(failed.job.fault).toContain('listed something other');
  remote.before = () => false;
  await judge();
  expect((await ends()).records.CarePlan).toBe(10);
});

test('a link that leads elsewhere, and one that leads in a circle, end it', async () => {
  const remote = await hospital(0);
  const { judge, ends } = await steward(remote);
  for (const [url, said] of [
    ['http://127.0.0.1:1/fhir/CarePlan', 'below the base URL'],
    [`${remote.base}/CarePlan?page=2`, 'the same page again'],
  ]) {
    remote.before = (response) => {
      fhir(response, 200, JSON.stringify({ resourceType: 'Bundle', link: [{ relation: 'next', url }] }));
      return true;
    };
    await judge('{"from":"start"}');
    expect((await ends('failed')).job.fault).toContain(said);
  }
});

test('refused credentials end it with what mends them', async () => {
  const remote = await hospital(1);
  const { judge, ends } = await steward(remote);
  remote.before = (response) => {
    refuse(response, 401, 'No.');
    return true;
  };
  await judge();
  expect((await ends('failed')).job.fault).toContain('The server asks for credentials');
});

test('it is stopped while it waits, says until when and why, and goes on when it is asked to', async () => {
  const remote = await hospital(250);
  const { judge, ends, send } = await steward(remote);
  remote.before = (response, count) => {
    if (count > 0) refuse(response, 429, 'Slow down.', { 'Retry-After': '200' });
    return count > 0;
  };
  await judge();
  const waiting = await ends('waiting');
  expect(waiting.job).toMatchObject({ fault: 'Slow down.', read: 200 });
  expect(Date.parse(waiting.job.until) - Date.now()).toBeGreaterThan(100_000);
  expect((await send('POST', '/stop')).json.state).toBe('stopped');
  remote.before = () => false;
  await judge();
  expect((await ends()).job).toMatchObject({ read: 280 });
});

test('what is saved through the gateway is judged anew at once', async () => {
  const remote = await hospital(3);
  const { judge, ends, server, id, token, quality } = await steward(remote);
  await judge();
  const before = await ends();
  const put = await sendTo(
    server.origin,
    `Bearer ${token}`,
    'PUT',
    `/app/connections/${id}/fhir-r4/v1/CarePlan/p0`,
    wrong(1),
  );
  expect(put.status).toBe(200);
  expect((await quality()).flagged.CarePlan).toBe(before.flagged.CarePlan - 1);
});

test('a connection that is removed while it runs takes its job and its file along; so does another base URL', async () => {
  const remote = await hospital(500);
  const { judge, server, id, token, ends } = await steward(remote);
  const file = join(server.dataDir ?? '', 'remote', `${id}.db`);
  const send = (method: string, body?: string) =>
    sendTo(server.origin, `Bearer ${token}`, method, `/app/connections/${id}`, body);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await judge();
  await ends();
  const other = JSON.stringify({ name: 'Other', baseUrl: `${remote.base}/other` });
  expect((await send('PUT', other)).status).toBe(200);
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

test('a file that is no database is made anew', async () => {
  const remote = await hospital(3);
  const { server, id, quality } = await steward(remote);
  await quality();
  await (server as TestServer).close();
  writeFileSync(join(server.dataDir ?? '', 'remote', `${id}.db`), 'no database');
  const { dataDir = '', token = '' } = server;
  const again = await startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  onTestFinished(() => again.close());
  const next = over(again, token, id);
  await next.judge();
  expect((await next.ends()).records.CarePlan).toBe(3);
});
