import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditActions, AuditEntry, AuditPage, AuditVerdict } from '../../core/app/audit.ts';
import { carePlan, startTestServer, type Answer, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const type = '/fhir-r4/v1/CarePlan';

async function pageOf(query = ''): Promise<AuditPage> {
  const answer = await server.send('GET', `/app/audit${query}`);
  expect(answer.status).toBe(200);
  return answer.json as AuditPage;
}

/** The entries that an answer's request left. */
async function entriesOf({ headers }: Answer): Promise<readonly AuditEntry[]> {
  const { entries } = await pageOf(`?text=${headers.get('X-Request-Id') ?? ''}`);
  return entries;
}

/** The one entry that an answer's request left, without what differs from run to run. */
async function entryOf(answer: Answer): Promise<Omit<AuditEntry, 'seq' | 'time'>> {
  const [entry, ...others] = await entriesOf(answer);
  expect(others).toEqual([]);
  if (!entry) throw new Error('The request left no entry');
  const { seq, time, ...rest } = entry;
  expect(seq).toBeGreaterThan(0);
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
  expect(rest.requestId).toBe(answer.headers.get('X-Request-Id'));
  return rest;
}

const pathIn = (answer: Answer) =>
  new URL(answer.headers.get('Location') ?? '').pathname.replace('/_history/1', '');

test('reads, searches and writes leave an entry each: who, what, which version, with what status', async () => {
  const created = await server.send('POST', type, carePlan('Patient/a'));
  const path = pathIn(created);
  const owner = { who: 'owner', requestId: expect.any(String) };
  expect(await entryOf(created)).toEqual({ ...owner, action: 'create', what: path, after: 1, status: 201 });

  const updated = await server.send('PUT', path, carePlan('Patient/b'));
  const two = { what: path, before: 1, after: 2, status: 200 };
  expect(await entryOf(updated)).toEqual({ ...owner, action: 'update', ...two });
  const patch = '[{"op":"replace","path":"/status","value":"revoked"}]';
  const patched = await server.send('PATCH', path, patch);
  const three = { what: path, before: 2, after: 3, status: 200 };
  expect(await entryOf(patched)).toEqual({ ...owner, action: 'patch', ...three });

  const plain: [method: string, what: string, action: string, status: number, body?: string][] = [
    ['GET', path, 'read', 200],
    ['HEAD', path, 'read', 200],
    ['GET', `${path}/_history/2`, 'read', 200],
    ['GET', `${path}/_history`, 'read', 200],
    ['GET', `${type}/_history?_count=1`, 'search', 200],
    ['GET', `${type}?subject=Patient/b`, 'search', 200],
    // The same content again writes nothing, and is no less an update.
    ['PATCH', path, 'patch', 200, patch],
    ['GET', `${type}/nobody`, 'read', 404],
    ['GET', `${type}?color=red`, 'search', 400],
    ['POST', type, 'create', 400, '{"resourceType":"CarePlan","status":5}'],
    ['PUT', `${type}/nobody`, 'update', 404, carePlan('Patient/a')],
    ['DELETE', path, 'delete', 405],
    ['GET', '/app/export?type=CarePlan&subject=Patient/b', 'search', 200],
    ['GET', '/app/export?type=Car', 'search', 400],
    ['GET', `/app/history/CarePlan/${path.split('/').at(-1) ?? ''}`, 'read', 200],
    ['GET', '/app/quality/findings?severity=error', 'search', 200],
  ];
  for (const [method, what, action, status, body] of plain) {
    const answer = await server.send(method, what, body);
    expect(await entryOf(answer)).toEqual({ ...owner, action, what, status });
  }

  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const posted = await server.send('POST', `${type}/_search?_count=1`, 'subject=Patient/b', form);
  const asked = { what: `${type}/_search?_count=1&subject=Patient/b`, status: 200 };
  expect(await entryOf(posted)).toEqual({ ...owner, action: 'search', ...asked });
});

const followed = [
  '/app/overview',
  '/app/overview/records?since=2020-01-01T00:00:00Z',
  '/app/quality/findings?severity=warning',
  '/app/quality/groups?by=patient',
];

test('what the page asks again by itself has one entry, of each person and question, and no mark of a client hides it', async () => {
  const { token } = await mint(server, ['system/*.*'], 60);
  for (const path of followed) {
    const asked: Answer[] = [];
    for (let time = 0; time < 3; time += 1)
      asked.push(
        await sendAs(server, `Bearer ${token}`, 'GET', path, undefined, {
          'X-Chartkeeper-Client': 'workbench',
        }),
      );
    const entries = await Promise.all(asked.map(entriesOf));
    expect([path, ...entries.map(({ length }) => length)]).toEqual([path, 1, 0, 0]);
    const { token: other } = await mint(server, ['system/*.*'], 60);
    expect(await entriesOf(await sendAs(server, `Bearer ${other}`, 'GET', path))).toHaveLength(1);
  }
  const path = pathIn(await server.send('POST', type, carePlan('Patient/a')));
  const disclosing = [
    path,
    `${type}?subject=Patient/a`,
    `/app/history/CarePlan/${path.split('/').at(-1) ?? ''}`,
  ];
  for (const address of [...disclosing, '/app/quality/findings?severity=wrong', '/app/quality.csv']) {
    for (let time = 0; time < 2; time += 1)
      expect(await entriesOf(await server.send('GET', address))).toHaveLength(1);
  }
});

test('the trail is grouped by action, and narrowed to what was changed: a refused write changed nothing', async () => {
  const subject = `Patient/grouped-${Date.now()}`;
  const path = pathIn(await server.send('POST', type, carePlan(subject)));
  const id = path.split('/').at(-1) ?? '';
  await server.send('PUT', path, carePlan(`${subject}-2`));
  await server.send('PUT', path, '{"resourceType":"CarePlan","status":5}');
  await server.send('GET', path);
  const groups = async (query: string) => (await server.send('GET', `/app/audit/actions?${query}`)).json;
  const counts = async (query: string) =>
    Object.fromEntries(
      ((await groups(query)) as AuditActions).actions.map(({ action, entries }) => [action, entries]),
    );
  expect(await counts(`text=${id}`)).toMatchObject({ update: 2, read: 1 });
  expect(await counts(`text=${id}&changes=true`)).not.toHaveProperty('read');
  expect(await counts(`text=${id}&changes=true`)).toMatchObject({ update: 1 });
  const changed = (await pageOf(`?text=${id}&changes=true`)).entries;
  expect(changed.every(({ action, status }) => action !== 'read' && status < 400)).toBe(true);
  expect(changed.filter(({ action }) => action === 'update')).toHaveLength(1);
  expect((await server.send('GET', '/app/audit?changes=no')).status).toBe(400);
});

test('what is no access to records leaves no entry', async () => {
  const quiet = ['/fhir-r4/v1/metadata', '/app/tokens', '/app/audit', '/app/preferences'];
  for (const path of quiet) expect(await entriesOf(await server.send('GET', path))).toEqual([]);
  const judged = await server.send('POST', `${type}/$validate`, carePlan('Patient/a'));
  expect(await entriesOf(judged)).toEqual([]);
});

test('a record that is judged as it stands is read', async () => {
  const { id } = (await server.send('POST', type, carePlan('Patient/a'))).json;
  const judged = await server.send('GET', `${type}/${id}/$validate`);
  expect(await entriesOf(judged)).toMatchObject([{ action: 'read', status: 200 }]);
});

test('an import leaves an entry for each record that it stores', async () => {
  const lines = [carePlan('Patient/i'), carePlan('Patient/j'), '{"resourceType":"CarePlan","status":5}'].join(
    '\n',
  );
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const answer = await server.send('POST', '/app/import', lines, headers);
  const entries = await entriesOf(answer);
  expect(entries).toHaveLength(2);
  for (const entry of entries) expect(entry).toMatchObject({ action: 'create', after: 1, status: 201 });
  const refused = await server.send('POST', '/app/import?level=mild', lines, headers);
  expect(await entryOf(refused)).toMatchObject({
    action: 'create',
    what: '/app/import?level=mild',
    status: 400,
  });
});

test('failed sign-ins, tokens made and tokens revoked leave an entry each', async () => {
  const stranger = await sendAs(server, 'Bearer wrong', 'GET', `${type}/x`);
  expect(await entryOf(stranger)).toMatchObject({
    who: '',
    action: 'sign-in',
    what: `${type}/x`,
    status: 401,
  });
  const nobody = await sendAs(server, undefined, 'GET', '/app/overview');
  // Counted with the one before: strangers.test.ts.
  expect(await entriesOf(nobody)).toEqual([]);

  const body = JSON.stringify({ name: 'lab', scopes: ['system/CarePlan.r'] });
  const made = await server.send('POST', '/app/tokens', body);
  const { id, token } = made.json;
  expect(await entryOf(made)).toMatchObject({ who: 'owner', action: 'token-create', what: id, status: 201 });

  const allowed = await sendAs(server, `Bearer ${token}`, 'GET', `${type}/nobody`);
  expect(await entryOf(allowed)).toMatchObject({ who: 'lab', action: 'read', status: 404 });
  const forbidden = await sendAs(server, `Bearer ${token}`, 'POST', type, carePlan('Patient/a'));
  expect(await entryOf(forbidden)).toMatchObject({ who: 'lab', action: 'create', what: type, status: 403 });
  const curious = await sendAs(server, `Bearer ${token}`, 'GET', '/app/export');
  expect(await entryOf(curious)).toMatchObject({ who: 'lab', action: 'search', status: 403 });

  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const grant = (secret: string) => `grant_type=client_credentials&client_id=${id}&client_secret=${secret}`;
  const issued = await sendAs(server, undefined, 'POST', '/oauth2/token', grant(token), form);
  expect(await entryOf(issued)).toMatchObject({ who: 'lab', action: 'token-create', what: id, status: 200 });

  const revoked = await server.send('DELETE', `/app/tokens/${id}`);
  expect(await entryOf(revoked)).toMatchObject({ action: 'token-revoke', what: id, status: 200 });
});

test('no body and no token stands in the trail, wherever it was put', async () => {
  const { token } = await mint(server, ['system/*.*']);
  const canary = 'canary-of-a-body';
  const places = [
    ['GET', `${type}/${token}`],
    ['GET', `${type}/${encodeURIComponent(`Bearer ${token}`)}`],
    ['GET', `${type}?subject=${token}`],
    ['GET', `${type}?${token}=1`],
    ['GET', `${type}?access_token=canary-of-a-body`],
    ['GET', `/app/history/CarePlan/${token}`],
    ['POST', type, carePlan('Patient/a', `,"title":"${canary} ${token}"`)],
    ['POST', type, `{"resourceType":"${canary}"}`],
  ] as const;
  for (const [method, path, body] of places) {
    await sendAs(server, `Bearer ${token}`, method, path, body);
    await server.send(method, path, body);
    await sendAs(server, undefined, method, path, body);
  }
  const text = JSON.stringify((await pageOf('?action=read')).entries) + JSON.stringify(await pageOf());
  expect(text).toContain('[redacted]');
  expect(text).not.toContain(token);
  expect(text).not.toContain(server.token);
  expect(text).not.toContain(canary);
});

test('pages are newest first, narrowed by text, action, outcome and time, and hold each entry once', async () => {
  for (let index = 0; index < 130; index += 1) await server.send('GET', `${type}/page-${index}`);
  const first = await pageOf('?text=PAGE-');
  expect(first.entries).toHaveLength(100);
  expect(first.entries[0]?.what).toBe(`${type}/page-129`);
  const second = await pageOf(`?text=page-&before=${first.next ?? 0}`);
  expect(second.next).toBeUndefined();
  const all = [...first.entries, ...second.entries];
  expect(all.map(({ what }) => what)).toEqual(
    Array.from({ length: 130 }, (_, index) => `${type}/page-${129 - index}`),
  );
  expect((await pageOf('?text=page-&action=search')).entries).toEqual([]);
  expect((await pageOf('?text=page-&outcome=done')).entries).toEqual([]);
  expect((await pageOf('?text=page-&outcome=refused&action=read')).entries).toHaveLength(100);
  const later = new Date(Date.now() + 60_000).toISOString();
  expect((await pageOf(`?since=${later}`)).entries).toEqual([]);
  const wrong = ['?before=0', '?before=x', '?action=steal', '?outcome=maybe', '?since=soon', '?color=red'];
  for (const query of wrong) {
    expect(await server.send('GET', `/app/audit${query}`)).toMatchObject({ status: 400 });
  }
});

test('the chain is whole, and says how many entries it has', async () => {
  const [newest] = (await pageOf()).entries;
  const verdict = (await server.send('POST', '/app/audit/verify')).json as AuditVerdict;
  expect(verdict).toEqual({ entries: newest?.seq });
});

test('the trail is exported as AuditEvents, oldest first, each entry once', async () => {
  const [newest] = (await pageOf()).entries;
  const answer = await server.send('GET', '/app/audit/events');
  expect(answer.headers.get('content-type')).toBe('application/fhir+ndjson');
  const events = answer.text
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { id: string });
  expect(events.map(({ id }) => Number(id))).toEqual(
    Array.from({ length: newest?.seq ?? 0 }, (_, index) => index + 1),
  );
  expect(events[0]).toMatchObject({ resourceType: 'AuditEvent', agent: [{ name: 'owner' }] });
});

test('a holder of less than everything sees none of it', async () => {
  const { token } = await mint(server, ['system/CarePlan.cruds']);
  for (const [method, path] of [
    ['GET', '/app/audit'],
    ['GET', '/app/audit/events'],
    ['POST', '/app/audit/verify'],
  ] as const) {
    expect(await sendAs(server, `Bearer ${token}`, method, path)).toMatchObject({ status: 403 });
  }
});
