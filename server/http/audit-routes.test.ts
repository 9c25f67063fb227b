import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditActions, AuditEntry, AuditPage, AuditVerification } from '../../core/app/audit.ts';
import { carePlan, startTestServer, type Answer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const type = '/fhir-r4/v1/CarePlan';

async function readAuditPage(query = ''): Promise<AuditPage> {
  const answer = await server.send('GET', `/app/audit${query}`);
  expect(answer.status).toBe(200);
  return answer.json as AuditPage;
}

/** Returns the entries of a request. */
async function listEntries({ headers }: Answer): Promise<readonly AuditEntry[]> {
  const { entries } = await readAuditPage(`?text=${headers.get('X-Request-Id') ?? ''}`);
  return entries;
}

/** Returns the only entry of a request without the members that vary. */
async function getEntry(answer: Answer): Promise<Omit<AuditEntry, 'seq' | 'time'>> {
  const [entry, ...furtherEntries] = await listEntries(answer);
  expect(furtherEntries).toEqual([]);
  if (!entry) throw new Error('The request left no entry');
  const { seq, time, ...stableMembers } = entry;
  expect(seq).toBeGreaterThan(0);
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
  expect(stableMembers.requestId).toBe(answer.headers.get('X-Request-Id'));
  return stableMembers;
}

const pathIn = (answer: Answer) =>
  new URL(answer.headers.get('Location') ?? '').pathname.replace('/_history/1', '');

test('audits each read, search and write with actor, version and status', async () => {
  const created = await server.send('POST', type, carePlan('Patient/a'));
  const path = pathIn(created);
  const owner = { who: 'owner', requestId: expect.any(String) };
  expect(await getEntry(created)).toEqual({ ...owner, action: 'create', what: path, after: 1, status: 201 });

  const updated = await server.send('PUT', path, carePlan('Patient/b'));
  const two = { what: path, before: 1, after: 2, status: 200 };
  expect(await getEntry(updated)).toEqual({ ...owner, action: 'update', ...two });
  const patch = '[{"op":"replace","path":"/status","value":"revoked"}]';
  const patched = await server.send('PATCH', path, patch);
  const three = { what: path, before: 2, after: 3, status: 200 };
  expect(await getEntry(patched)).toEqual({ ...owner, action: 'patch', ...three });

  const plain: [method: string, what: string, action: string, status: number, body?: string][] = [
    ['GET', path, 'read', 200],
    ['HEAD', path, 'read', 200],
    ['GET', `${path}/_history/2`, 'read', 200],
    ['GET', `${path}/_history`, 'read', 200],
    ['GET', `${type}/_history?_count=1`, 'search', 200],
    ['GET', `${type}?subject=Patient/b`, 'search', 200],
    // An update without a change is audited too.
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
  for (const [method, address, action, status, body] of plain) {
    const answer = await server.send(method, address, body);
    expect(await getEntry(answer)).toEqual({ ...owner, action, what: address, status });
  }

  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const posted = await server.send('POST', `${type}/_search?_count=1`, 'subject=Patient/b', form);
  const expectedSearch = { what: `${type}/_search?_count=1&subject=Patient/b`, status: 200 };
  expect(await getEntry(posted)).toEqual({ ...owner, action: 'search', ...expectedSearch });
});

const followedAddresses = [
  '/app/overview',
  '/app/overview/records?since=2020-01-01T00:00:00Z',
  '/app/quality/findings?severity=warning',
  '/app/quality/groups?by=patient',
];

test('audits a repeated read of the page once per person and address', async () => {
  const { token } = await createClientToken(server, ['system/*.*'], 60);
  for (const path of followedAddresses) {
    const responses: Answer[] = [];
    for (let time = 0; time < 3; time += 1)
      responses.push(
        await sendAs(server, `Bearer ${token}`, 'GET', path, undefined, {
          'X-Chartkeeper-Client': 'workbench',
        }),
      );
    const entries = await Promise.all(responses.map(listEntries));
    expect([path, ...entries.map(({ length }) => length)]).toEqual([path, 1, 0, 0]);
    const { token: otherToken } = await createClientToken(server, ['system/*.*'], 60);
    expect(await listEntries(await sendAs(server, `Bearer ${otherToken}`, 'GET', path))).toHaveLength(1);
  }
  const path = pathIn(await server.send('POST', type, carePlan('Patient/a')));
  const disclosing = [
    path,
    `${type}?subject=Patient/a`,
    `/app/history/CarePlan/${path.split('/').at(-1) ?? ''}`,
  ];
  for (const address of [...disclosing, '/app/quality/findings?severity=wrong', '/app/quality.csv']) {
    for (let time = 0; time < 2; time += 1)
      expect(await listEntries(await server.send('GET', address))).toHaveLength(1);
  }
});

test('groups entries by action and filters by change', async () => {
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
  const changeEntries = (await readAuditPage(`?text=${id}&changes=true`)).entries;
  expect(changeEntries.every(({ action, status }) => action !== 'read' && status < 400)).toBe(true);
  expect(changeEntries.filter(({ action }) => action === 'update')).toHaveLength(1);
  expect((await server.send('GET', '/app/audit?changes=no')).status).toBe(400);
});

test('audits no request that accesses no record', async () => {
  const quiet = ['/fhir-r4/v1/metadata', '/app/tokens', '/app/audit', '/app/preferences'];
  for (const path of quiet) expect(await listEntries(await server.send('GET', path))).toEqual([]);
  const validation = await server.send('POST', `${type}/$validate`, carePlan('Patient/a'));
  expect(await listEntries(validation)).toEqual([]);
});

test('audits the validation of a stored record as a read', async () => {
  const { id } = (await server.send('POST', type, carePlan('Patient/a'))).json;
  const validation = await server.send('GET', `${type}/${id}/$validate`);
  expect(await listEntries(validation)).toMatchObject([{ action: 'read', status: 200 }]);
});

test('audits each record that an import stores', async () => {
  const lines = [carePlan('Patient/i'), carePlan('Patient/j'), '{"resourceType":"CarePlan","status":5}'].join(
    '\n',
  );
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const answer = await server.send('POST', '/app/import', lines, headers);
  const entries = await listEntries(answer);
  expect(entries).toHaveLength(2);
  for (const entry of entries) expect(entry).toMatchObject({ action: 'create', after: 1, status: 201 });
  const rejection = await server.send('POST', '/app/import?level=mild', lines, headers);
  expect(await getEntry(rejection)).toMatchObject({
    action: 'create',
    what: '/app/import?level=mild',
    status: 400,
  });
});

test('audits failed sign-ins and the creation and revocation of tokens', async () => {
  const wrongTokenResponse = await sendAs(server, 'Bearer wrong', 'GET', `${type}/x`);
  expect(await getEntry(wrongTokenResponse)).toMatchObject({
    who: '',
    action: 'sign-in',
    what: `${type}/x`,
    status: 401,
  });
  const nobody = await sendAs(server, undefined, 'GET', '/app/overview');
  // Counted together with the entry before: rejection-audit.test.ts.
  expect(await listEntries(nobody)).toEqual([]);

  const body = JSON.stringify({ name: 'lab', scopes: ['system/CarePlan.r'] });
  const createResponse = await server.send('POST', '/app/tokens', body);
  const { id, token } = createResponse.json;
  expect(await getEntry(createResponse)).toMatchObject({
    who: 'owner',
    action: 'token-create',
    what: id,
    status: 201,
  });

  const readResponse = await sendAs(server, `Bearer ${token}`, 'GET', `${type}/nobody`);
  expect(await getEntry(readResponse)).toMatchObject({ who: 'lab', action: 'read', status: 404 });
  const forbidden = await sendAs(server, `Bearer ${token}`, 'POST', type, carePlan('Patient/a'));
  expect(await getEntry(forbidden)).toMatchObject({ who: 'lab', action: 'create', what: type, status: 403 });
  const curious = await sendAs(server, `Bearer ${token}`, 'GET', '/app/export');
  expect(await getEntry(curious)).toMatchObject({ who: 'lab', action: 'search', status: 403 });

  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const grant = (secret: string) => `grant_type=client_credentials&client_id=${id}&client_secret=${secret}`;
  const issued = await sendAs(server, undefined, 'POST', '/oauth2/token', grant(token), form);
  expect(await getEntry(issued)).toMatchObject({ who: 'lab', action: 'token-create', what: id, status: 200 });

  const revoked = await server.send('DELETE', `/app/tokens/${id}`);
  expect(await getEntry(revoked)).toMatchObject({ action: 'token-revoke', what: id, status: 200 });
});

test('stores no body and no token in the audit log', async () => {
  const { token } = await createClientToken(server, ['system/*.*']);
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
  const text =
    JSON.stringify((await readAuditPage('?action=read')).entries) + JSON.stringify(await readAuditPage());
  expect(text).toContain('[redacted]');
  expect(text).not.toContain(token);
  expect(text).not.toContain(server.token);
  expect(text).not.toContain(canary);
});

test('lists pages latest first, filtered by text, action, outcome and time', async () => {
  for (let index = 0; index < 130; index += 1) await server.send('GET', `${type}/page-${index}`);
  const firstPage = await readAuditPage('?text=PAGE-');
  expect(firstPage.entries).toHaveLength(100);
  expect(firstPage.entries[0]?.what).toBe(`${type}/page-129`);
  const secondPage = await readAuditPage(`?text=page-&before=${firstPage.next ?? 0}`);
  expect(secondPage.next).toBeUndefined();
  const allEntries = [...firstPage.entries, ...secondPage.entries];
  expect(allEntries.map(({ what: target }) => target)).toEqual(
    Array.from({ length: 130 }, (_, index) => `${type}/page-${129 - index}`),
  );
  expect((await readAuditPage('?text=page-&action=search')).entries).toEqual([]);
  expect((await readAuditPage('?text=page-&outcome=done')).entries).toEqual([]);
  expect((await readAuditPage('?text=page-&outcome=refused&action=read')).entries).toHaveLength(100);
  const futureTime = new Date(Date.now() + 60_000).toISOString();
  expect((await readAuditPage(`?since=${futureTime}`)).entries).toEqual([]);
  const wrong = ['?before=0', '?before=x', '?action=steal', '?outcome=maybe', '?since=soon', '?color=red'];
  for (const query of wrong) {
    expect(await server.send('GET', `/app/audit${query}`)).toMatchObject({ status: 400 });
  }
});

test('verifies the chain and counts its entries', async () => {
  const [newest] = (await readAuditPage()).entries;
  const verification = (await server.send('POST', '/app/audit/verify')).json as AuditVerification;
  expect(verification).toEqual({ entries: newest?.seq });
});

test('exports the audit log as AuditEvents, oldest first', async () => {
  const [newest] = (await readAuditPage()).entries;
  const response = await server.send('GET', '/app/audit/events');
  expect(response.headers.get('content-type')).toBe('application/fhir+ndjson');
  const events = response.text
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { id: string });
  expect(events.map(({ id }) => Number(id))).toEqual(
    Array.from({ length: newest?.seq ?? 0 }, (_, index) => index + 1),
  );
  expect(events[0]).toMatchObject({ resourceType: 'AuditEvent', agent: [{ name: 'owner' }] });
});
