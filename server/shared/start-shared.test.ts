/** Tests guarantees across several servers over one shared store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentParts } from '../../core/app/shared-store.ts';
import { startBalancer } from '../testing/balancer.ts';
import { migrate } from './postgres/migrate.ts';
import { testDatabase } from '../testing/postgres.ts';
import { noLastingFault, startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { carePlan, composition, sendTo, type Json } from '../testing/test-server.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const records = '/fhir-r4/v1/CarePlan';

describe.skipIf(!database)('servers over a shared store (not run where PostgreSQL is not installed)', () => {
  const { address = '', admin } = database ?? {};
  let firstServer: SharedTestServer;
  let secondServer: SharedTestServer;

  beforeAll(async () => {
    [firstServer, secondServer] = await Promise.all([
      startSharedTestServer(address, {}, noLastingFault),
      startSharedTestServer(address, { metrics: true }, noLastingFault),
    ]);
  });
  afterAll(async () => {
    await firstServer.remove();
    await secondServer.remove();
  });

  test('reads records of the other server and rejects one of two changes of a version', async () => {
    const quantity = ',"title":"One","extension":[{"url":"http://example.org/x","valueDecimal":1.50}]';
    const creation = await firstServer.send('POST', records, carePlan('Patient/p', quantity));
    expect(creation.text).toContain(':1.50}');
    const { id } = creation.json;
    const path = `${records}/${id}`;
    expect((await secondServer.send('GET', path)).text).toBe(creation.text);

    const change = (server: SharedTestServer, title: string) =>
      server.send('PUT', path, carePlan('Patient/p', `,"id":"${id}","title":"${title}"`), {
        'If-Match': 'W/"1"',
      });
    const responses = await Promise.all([change(firstServer, 'Mine'), change(secondServer, 'Theirs')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    const acceptedResponse = responses.find(({ status }) => status === 200);
    expect((await firstServer.send('GET', path)).text).toBe(acceptedResponse?.text);
    expect((await secondServer.send('GET', `${path}/_history`)).json.total).toBe(2);
    const matches = await secondServer.send('GET', `${records}?subject=Patient/p`);
    expect(matches.json.entry.map((entry: { resource: { id: string } }) => entry.resource.id)).toEqual([id]);
  });

  test('stores all writes without If-Match at both servers in sequence', async () => {
    const path = `/fhir-r4/v1/Composition/${(await firstServer.send('POST', '/fhir-r4/v1/Composition', composition('Patient/q'))).json.id}`;
    const patch = (server: SharedTestServer, title: string) =>
      server.send('PATCH', path, JSON.stringify([{ op: 'replace', path: '/title', value: title }]), {
        'Content-Type': 'application/json-patch+json',
      });
    const titles = Array.from({ length: 20 }, (_, index) => `Title ${index}`);
    const responses = await Promise.all(
      titles.map((title, index) => patch(index % 2 === 0 ? firstServer : secondServer, title)),
    );
    expect(responses.map(({ status }) => status)).toEqual(titles.map(() => 200));
    const history = (await firstServer.send('GET', `${path}/_history`)).json;
    expect(history.total).toBe(21);
    const historyTitles = history.entry.map((entry: { resource: { title: string } }) => entry.resource.title);
    expect(historyTitles.sort()).toEqual([...titles, 'Note'].sort());
  });

  test('accepts a token of the other server at once and rejects it after its revocation', async () => {
    const creation = await firstServer.send(
      'POST',
      '/app/tokens',
      '{"name":"Ward","scopes":["system/*.cruds"]}',
    );
    expect(creation.status).toBe(201);
    const { id, token } = creation.json;
    const searchRecords = () => sendTo(secondServer.origin, `Bearer ${token}`, 'GET', records);
    expect((await searchRecords()).status).toBe(200);
    expect((await firstServer.send('DELETE', `/app/tokens/${id}`)).status).toBe(200);
    await expect.poll(async () => (await searchRecords()).status, { interval: 20, timeout: 5000 }).toBe(401);
  });

  test('signs in once with a code of the other server, for a session at both', async () => {
    const { code } = (await firstServer.send('POST', '/app/sign-in-codes', '{}')).json;
    const signIn = (server: SharedTestServer) =>
      sendTo(server.origin, undefined, 'POST', '/app/sign-in', JSON.stringify({ code }));
    const [firstSignIn, secondSignIn] = await Promise.all([signIn(firstServer), signIn(secondServer)]);
    expect([firstSignIn.status, secondSignIn.status].sort()).toEqual([200, 401]);
    const bearer = `Bearer ${(firstSignIn.status === 200 ? firstSignIn : secondSignIn).json.token}`;
    for (const server of [firstServer, secondServer])
      expect((await sendTo(server.origin, bearer, 'GET', records)).status).toBe(200);
    expect((await sendTo(firstServer.origin, bearer, 'POST', '/app/sign-out')).status).toBe(204);
    const getStatus = async () => (await sendTo(secondServer.origin, bearer, 'GET', records)).status;
    await expect.poll(getStatus, { interval: 20, timeout: 5000 }).toBe(401);
  });

  test('shares people and searches', async () => {
    await firstServer.send('POST', '/app/people', '{"name":"Ada"}');
    const savedSearch = await firstServer.send(
      'POST',
      '/app/searches',
      '{"name":"Active","type":"CarePlan","pairs":[["status","active"]]}',
    );
    expect(savedSearch.status).toBe(201);
    const listPeople = async () => (await secondServer.send('GET', '/app/people')).json.people.map(nameOf);
    await expect.poll(listPeople, { interval: 20, timeout: 5000 }).toEqual(['Ada']);
    const listSearches = async () => (await secondServer.send('GET', '/app/searches')).json.map(nameOf);
    await expect.poll(listSearches, { interval: 20, timeout: 5000 }).toEqual(['Active']);
  });

  test('shares supporting resources until they are removed at one server', async () => {
    const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
    const patient = '{"resourceType":"Patient","id":"p1","x":[1.10,1e3]}';
    const note = composition(urn).replace('{', '{"id":"c1",');
    const bundle = `{"resourceType":"Bundle","type":"document","entry":[{"resource":${note}},{"fullUrl":"${urn}","resource":${patient}}]}`;
    const importResponse = await firstServer.send('POST', '/app/import?keepIds=true', bundle);
    expect(importResponse.text).toContain('"kept":1');
    const path = '/app/companions/Patient/p1';
    expect((await secondServer.send('GET', path)).text).toBe(patient);
    expect((await secondServer.send('GET', `/app/companions/resolve?reference=${urn}`)).text).toBe(patient);
    const document = await secondServer.send('GET', '/fhir-r4/v1/Composition/c1/$document');
    expect(document.text).toContain(`{"fullUrl":"${urn}","resource":${patient}}`);
    // The reference from the import remains.
    for (const server of [secondServer, firstServer]) {
      const secondImport = await server.send('POST', '/app/import?keepIds=true', bundle);
      expect(secondImport.text).toContain('"unchanged":2');
    }
    expect((await secondServer.send('DELETE', '/app/companions')).json).toEqual({ removed: 1 });
    expect((await firstServer.send('GET', path)).status).toBe(404);
    const { entries } = (await firstServer.send('GET', '/app/audit?changes=true&text=companions')).json;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['delete', 'create']);
  });

  test('reports a change of the other server', async () => {
    const control = new AbortController();
    const stream = await fetch(`${secondServer.origin}/app/changes`, {
      headers: { Authorization: `Bearer ${secondServer.token}` },
      signal: control.signal,
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let receivedText = '';
    const { id } = (await firstServer.send('POST', records, carePlan('Patient/told'))).json;
    while (!receivedText.includes(id)) receivedText += (await reader?.read())?.value ?? '';
    control.abort();
    expect(receivedText).toContain(`"type":"CarePlan","id":"${id}","version":1`);
  });

  test('finds a record of the other server by its text', async () => {
    const { id } = (await firstServer.send('POST', records, carePlan('Patient/p', ',"title":"Wallaby"')))
      .json;
    // On a busy machine the first responses report a stale index.
    const findWallaby = async () => (await secondServer.send('GET', '/app/find?q=wallaby')).json;
    await expect
      .poll(findWallaby)
      .toMatchObject({ behind: 0, records: [{ type: 'CarePlan', found: [{ id, title: 'Wallaby' }] }] });
  });

  test('serves sign-in, writes, searches and pages behind a balancer without affinity', async () => {
    const balancer = await startBalancer();
    const publicUrl = balancer.origin;
    const backends = await Promise.all([1, 2].map(() => startSharedTestServer(address, { publicUrl })));
    balancer.servers = backends.map(({ origin }) => origin);
    const { code } = (await firstServer.send('POST', '/app/sign-in-codes', '{}')).json;
    const signedIn = await sendTo(publicUrl, undefined, 'POST', '/app/sign-in', JSON.stringify({ code }));
    const send = (...request: Parameters<SharedTestServer['send']>) =>
      sendTo(publicUrl, `Bearer ${signedIn.json.token}`, ...request);
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1)
      ids.push((await send('POST', records, carePlan('Patient/balanced'))).json.id);
    const path = `${records}/${ids[0]}`;
    for (let version = 1; version < 8; version += 1) {
      const body = carePlan('Patient/balanced', `,"id":"${ids[0]}","title":"After ${version}"`);
      const { status, headers } = await send('PUT', path, body, { 'If-Match': `W/"${version}"` });
      expect([status, headers.get('etag')]).toEqual([200, `W/"${version + 1}"`]);
    }
    const foundIds: string[] = [];
    let next: string | undefined = `${records}?subject=Patient/balanced&_count=2`;
    while (next !== undefined) {
      const page: Json = (await send('GET', next)).json;
      const { entry, link } = page;
      foundIds.push(...entry.map(({ resource }: { resource: { id: string } }) => resource.id));
      next = link
        .find(({ relation }: { relation: string }) => relation === 'next')
        ?.url.slice(publicUrl.length);
    }
    expect(foundIds.sort()).toEqual(ids.sort());
    await balancer.close();
    for (const server of backends) await server.remove();
  });

  test('keeps writes made during the first read of the workspace', async () => {
    const thirdServer = await startSharedTestServer(address);
    const creations = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        thirdServer.send('POST', '/app/people', `{"name":"P${index}"}`),
      ),
    );
    expect(creations.map(({ status }) => status)).toEqual(creations.map(() => 201));
    const countPeople = async () => (await firstServer.send('GET', '/app/people')).json.people.length;
    await expect.poll(countPeople, { interval: 20, timeout: 5000 }).toBeGreaterThanOrEqual(20);
    await thirdServer.remove();
  });

  test('runs an active check at both servers and shows its findings until its removal', async () => {
    const { id } = (await firstServer.send('POST', records, carePlan('Patient/checked'))).json;
    const check = {
      title: 'A plan of this patient has a title',
      type: 'CarePlan',
      active: true,
      version: 0,
      applies: "subject.reference = 'Patient/checked'",
      holds: 'title.exists()',
      category: 'completeness',
      severity: 'warning',
    };
    expect((await firstServer.send('PUT', '/app/checks/titled', JSON.stringify(check))).status).toBe(200);
    const listFindings = async (server: SharedTestServer) =>
      (await server.send('GET', '/app/quality/findings?rule=my/titled')).json.findings.map(
        ({ id: recordId, message }: Json) => `${recordId} ${message}`,
      );
    for (const server of [firstServer, secondServer]) {
      await expect.poll(() => listFindings(server), { interval: 50 }).toEqual([`${id} ${check.title}`]);
      const [listedCheck] = (await server.send('GET', '/app/checks')).json;
      expect(listedCheck).toMatchObject({ id: 'titled', progress: { applied: 1, violated: 1, skipped: 0 } });
    }
    // A write at the second server is checked, too.
    const changedPlan = carePlan('Patient/checked', `,"id":"${id}","title":"Walking"`);
    expect((await secondServer.send('PUT', `${records}/${id}`, changedPlan)).status).toBe(200);
    await expect.poll(() => listFindings(firstServer), { interval: 50 }).toEqual([]);
    expect((await secondServer.send('DELETE', '/app/checks/titled')).status).toBe(200);
    await expect
      .poll(async () => (await firstServer.send('GET', '/app/checks')).json, { interval: 50 })
      .toEqual([]);
  });

  test('finds problems between records of two servers and revalidates at both', async () => {
    const basedOn = ',"basedOn":[{"reference":"CarePlan/nowhere"}]';
    const { id } = (await firstServer.send('POST', records, carePlan('Patient/related', basedOn))).json;
    const listFindings = async () =>
      (
        await secondServer.send('GET', '/app/quality/findings?rule=store/dangling-reference')
      ).json.findings.map(({ id: recordId }: Json) => recordId);
    await expect.poll(listFindings, { interval: 50 }).toEqual([id]);
    expect((await secondServer.send('POST', '/app/quality/judge')).status).toBe(202);
    for (const server of [firstServer, secondServer]) {
      const readOverview = async () => (await server.send('GET', '/app/overview')).json;
      await expect.poll(async () => (await readOverview()).rebuild.state, { interval: 20 }).toBe('idle');
      expect(Date.parse((await readOverview()).judged.at)).toBeGreaterThan(0);
    }
  });

  test('writes an audit entry for each write at either server', async () => {
    const { id } = (await firstServer.send('POST', records, carePlan('Patient/trail'))).json;
    await secondServer.send(
      'PUT',
      `${records}/${id}`,
      carePlan('Patient/trail', `,"id":"${id}","title":"T"`),
    );
    const { entries } = (await firstServer.send('GET', `/app/audit?changes=true&text=${id}`)).json;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['update', 'create']);
    const verification = (await secondServer.send('POST', '/app/audit/verify')).json;
    expect(verification.broken).toBeUndefined();
  });

  test('responds 501 to unsupported parts and lists them', async () => {
    const { absent: absentInOverview } = (await firstServer.send('GET', '/app/overview')).json;
    expect(absentInOverview).toEqual([...absentParts]);
    const rejection = await firstServer.send('GET', '/app/backups');
    expect(rejection.status).toBe(501);
    expect(rejection.json.issue[0].code).toBe('not-supported');
  });

  test('stays alive but not ready while the store is unavailable, and recovers', async () => {
    const getStatus = async (path: string) => (await fetch(secondServer.origin + path)).status;
    expect(await getStatus('/readyz')).toBe(200);
    const creation = await firstServer.send(
      'POST',
      '/app/tokens',
      '{"name":"Gone","scopes":["system/*.rs"]}',
    );
    const searchStatus = async () =>
      (await sendTo(secondServer.origin, `Bearer ${creation.json.token}`, 'GET', `${records}?_count=1`))
        .status;
    expect(await searchStatus()).toBe(200);
    const allowConnections = async (isAllowed: boolean) =>
      admin?.(async (client) => {
        await client.query(
          `ALTER DATABASE ${new URL(address).pathname.slice(1)} CONNECTION LIMIT ${isAllowed ? -1 : 0}`,
        );
        await client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'server' AND datname = current_database()",
        );
      });
    await allowConnections(false);
    await expect.poll(() => getStatus('/readyz'), { interval: 50 }).toBe(503);
    expect(await getStatus('/livez')).toBe(200);
    expect(await searchStatus()).toBe(503);
    expect((await secondServer.send('GET', '/metrics')).text).toContain('chartkeeper_store_writable 0\n');
    await allowConnections(true);
    await expect.poll(searchStatus, { interval: 50 }).toBe(200);
    expect(await getStatus('/readyz')).toBe(200);
    expect((await secondServer.send('GET', '/metrics')).text).toContain('chartkeeper_store_writable 1\n');
  });
});

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
