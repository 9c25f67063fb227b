/** What servers over one shared store promise beside what each of them does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentParts } from '../core/app/shared-store.ts';
import { startBalancer } from './testing/balancer.ts';
import { migrate } from './store/postgres/migrate.ts';
import { testDatabase } from './testing/postgres.ts';
import { noLastingFault, startSharedTestServer, type SharedTestServer } from './testing/shared-server.ts';
import { carePlan, composition, sendTo, type Json } from './testing/test-server.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const records = '/fhir-r4/v1/CarePlan';

describe.skipIf(!database)('servers over a shared store (not run where PostgreSQL is not installed)', () => {
  const { server: address = '', admin } = database ?? {};
  let one: SharedTestServer;
  let other: SharedTestServer;

  beforeAll(async () => {
    [one, other] = await Promise.all([
      startSharedTestServer(address, {}, noLastingFault),
      startSharedTestServer(address, { metrics: true }, noLastingFault),
    ]);
  });
  afterAll(async () => {
    await one.remove();
    await other.remove();
  });

  test('what one stores the other answers, and of two changes of one version one is refused', async () => {
    const quantity = ',"title":"One","extension":[{"url":"http://example.org/x","valueDecimal":1.50}]';
    const made = await one.send('POST', records, carePlan('Patient/p', quantity));
    expect(made.text).toContain(':1.50}');
    const { id } = made.json;
    const path = `${records}/${id}`;
    expect((await other.send('GET', path)).text).toBe(made.text);

    const change = (at: SharedTestServer, title: string) =>
      at.send('PUT', path, carePlan('Patient/p', `,"id":"${id}","title":"${title}"`), {
        'If-Match': 'W/"1"',
      });
    const answers = await Promise.all([change(one, 'Mine'), change(other, 'Theirs')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const won = answers.find(({ status }) => status === 200);
    expect((await one.send('GET', path)).text).toBe(won?.text);
    expect((await other.send('GET', `${path}/_history`)).json.total).toBe(2);
    const found = await other.send('GET', `${records}?subject=Patient/p`);
    expect(found.json.entry.map((entry: { resource: { id: string } }) => entry.resource.id)).toEqual([id]);
  });

  test('writes without If-Match at both servers are all kept, one behind the other', async () => {
    const path = `/fhir-r4/v1/Composition/${(await one.send('POST', '/fhir-r4/v1/Composition', composition('Patient/q'))).json.id}`;
    const patch = (at: SharedTestServer, title: string) =>
      at.send('PATCH', path, JSON.stringify([{ op: 'replace', path: '/title', value: title }]), {
        'Content-Type': 'application/json-patch+json',
      });
    const titles = Array.from({ length: 20 }, (_, place) => `Title ${place}`);
    const answers = await Promise.all(
      titles.map((title, place) => patch(place % 2 === 0 ? one : other, title)),
    );
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200));
    const history = (await one.send('GET', `${path}/_history`)).json;
    expect(history.total).toBe(21);
    const kept = history.entry.map((entry: { resource: { title: string } }) => entry.resource.title);
    expect(kept.sort()).toEqual([...titles, 'Note'].sort());
  });

  test('a token that was made at one is good at the other at once, and refused there once it is revoked', async () => {
    const made = await one.send('POST', '/app/tokens', '{"name":"Ward","scopes":["system/*.cruds"]}');
    expect(made.status).toBe(201);
    const { id, token } = made.json;
    const read = () => sendTo(other.origin, `Bearer ${token}`, 'GET', records);
    expect((await read()).status).toBe(200);
    expect((await one.send('DELETE', `/app/tokens/${id}`)).status).toBe(200);
    await expect.poll(async () => (await read()).status, { interval: 20, timeout: 5000 }).toBe(401);
  });

  test('a code of one signs in at the other, once, and the session holds at both until it is ended at one', async () => {
    const { code } = (await one.send('POST', '/app/sign-in-codes', '{}')).json;
    const signIn = (at: SharedTestServer) =>
      sendTo(at.origin, undefined, 'POST', '/app/sign-in', JSON.stringify({ code }));
    const [first, second] = await Promise.all([signIn(one), signIn(other)]);
    expect([first.status, second.status].sort()).toEqual([200, 401]);
    const bearer = `Bearer ${(first.status === 200 ? first : second).json.token}`;
    for (const at of [one, other]) expect((await sendTo(at.origin, bearer, 'GET', records)).status).toBe(200);
    expect((await sendTo(one.origin, bearer, 'POST', '/app/sign-out')).status).toBe(204);
    const read = async () => (await sendTo(other.origin, bearer, 'GET', records)).status;
    await expect.poll(read, { interval: 20, timeout: 5000 }).toBe(401);
  });

  test('people, searches and connections of one are those of the other', async () => {
    await one.send('POST', '/app/people', '{"name":"Ada"}');
    const saved = await one.send(
      'POST',
      '/app/searches',
      '{"name":"Active","type":"CarePlan","pairs":[["status","active"]]}',
    );
    expect(saved.status).toBe(201);
    const names = async () => (await other.send('GET', '/app/people')).json.people.map(nameOf);
    await expect.poll(names, { interval: 20, timeout: 5000 }).toEqual(['Ada']);
    const kept = async () => (await other.send('GET', '/app/searches')).json.map(nameOf);
    await expect.poll(kept, { interval: 20, timeout: 5000 }).toEqual(['Active']);
  });

  test('what comes with records at one is there at the other, in a document too, until it is removed at one', async () => {
    const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
    const patient = '{"resourceType":"Patient","id":"p1","x":[1.10,1e3]}';
    const note = composition(urn).replace('{', '{"id":"c1",');
    const bundle = `{"resourceType":"Bundle","type":"document","entry":[{"resource":${note}},{"fullUrl":"${urn}","resource":${patient}}]}`;
    const imported = await one.send('POST', '/app/import?keepIds=true', bundle);
    expect(imported.text).toContain('"kept":1');
    const path = '/app/companions/Patient/p1';
    expect((await other.send('GET', path)).text).toBe(patient);
    expect((await other.send('GET', `/app/companions/resolve?reference=${urn}`)).text).toBe(patient);
    const document = await other.send('GET', '/fhir-r4/v1/Composition/c1/$document');
    expect(document.text).toContain(`{"fullUrl":"${urn}","resource":${patient}}`);
    // The address that it came with stays.
    for (const server of [other, one]) {
      const again = await server.send('POST', '/app/import?keepIds=true', patient);
      expect(again.text).toContain('"result":"unchanged"');
    }
    expect((await other.send('DELETE', '/app/companions')).json).toEqual({ removed: 1 });
    expect((await one.send('GET', path)).status).toBe(404);
    const { entries } = (await one.send('GET', '/app/audit?changes=true&text=companions')).json;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['delete', 'create']);
  });

  test('a change at one is told at the other', async () => {
    const control = new AbortController();
    const stream = await fetch(`${other.origin}/app/changes`, {
      headers: { Authorization: `Bearer ${other.token}` },
      signal: control.signal,
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    const { id } = (await one.send('POST', records, carePlan('Patient/told'))).json;
    while (!heard.includes(id)) heard += (await reader?.read())?.value ?? '';
    control.abort();
    expect(heard).toContain(`"type":"CarePlan","id":"${id}","version":1`);
  });

  test('what is saved at one is found at the other', async () => {
    const { id } = (await one.send('POST', records, carePlan('Patient/p', ',"title":"Wallaby"'))).json;
    // On a busy machine the first answers say that they are behind.
    const found = async () => (await other.send('GET', '/app/find?q=wallaby')).json;
    await expect
      .poll(found)
      .toMatchObject({ behind: 0, records: [{ type: 'CarePlan', found: [{ id, title: 'Wallaby' }] }] });
  });

  test('behind a balancer without affinity a client signs in, writes, searches and turns pages', async () => {
    const balancer = await startBalancer();
    const publicUrl = balancer.origin;
    const behind = await Promise.all([1, 2].map(() => startSharedTestServer(address, { publicUrl })));
    balancer.servers = behind.map(({ origin }) => origin);
    const { code } = (await one.send('POST', '/app/sign-in-codes', '{}')).json;
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
    const found: string[] = [];
    let next: string | undefined = `${records}?subject=Patient/balanced&_count=2`;
    while (next !== undefined) {
      const page: Json = (await send('GET', next)).json;
      const { entry, link } = page;
      found.push(...entry.map(({ resource }: { resource: { id: string } }) => resource.id));
      next = link
        .find(({ relation }: { relation: string }) => relation === 'next')
        ?.url.slice(publicUrl.length);
    }
    expect(found.sort()).toEqual(ids.sort());
    await balancer.close();
    for (const server of behind) await server.remove();
  });

  test('what is written while everything is read for the first time stays', async () => {
    const third = await startSharedTestServer(address);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, place) => third.send('POST', '/app/people', `{"name":"P${place}"}`)),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const names = async () => (await one.send('GET', '/app/people')).json.people.length;
    await expect.poll(names, { interval: 20, timeout: 5000 }).toBeGreaterThanOrEqual(20);
    await third.remove();
  });

  test('a check that is switched on at one is asked by either, and both show what it found, until it is removed', async () => {
    const { id } = (await one.send('POST', records, carePlan('Patient/checked'))).json;
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
    expect((await one.send('PUT', '/app/checks/titled', JSON.stringify(check))).status).toBe(200);
    const found = async (at: SharedTestServer) =>
      (await at.send('GET', '/app/quality/findings?rule=my/titled')).json.findings.map(
        ({ id: of, message }: Json) => `${of} ${message}`,
      );
    for (const at of [one, other]) {
      await expect.poll(() => found(at), { interval: 50 }).toEqual([`${id} ${check.title}`]);
      const [listed] = (await at.send('GET', '/app/checks')).json;
      expect(listed).toMatchObject({ id: 'titled', progress: { applied: 1, violated: 1, skipped: 0 } });
    }
    // What is written at the other is asked too.
    const changed = carePlan('Patient/checked', `,"id":"${id}","title":"Walking"`);
    expect((await other.send('PUT', `${records}/${id}`, changed)).status).toBe(200);
    await expect.poll(() => found(one), { interval: 50 }).toEqual([]);
    expect((await other.send('DELETE', '/app/checks/titled')).status).toBe(200);
    await expect.poll(async () => (await one.send('GET', '/app/checks')).json, { interval: 50 }).toEqual([]);
  });

  test('what is wrong between records of two servers is found, and Judge again is told at both', async () => {
    const basedOn = ',"basedOn":[{"reference":"CarePlan/nowhere"}]';
    const { id } = (await one.send('POST', records, carePlan('Patient/related', basedOn))).json;
    const found = async () =>
      (await other.send('GET', '/app/quality/findings?rule=store/dangling-reference')).json.findings.map(
        ({ id: of }: Json) => of,
      );
    await expect.poll(found, { interval: 50 }).toEqual([id]);
    expect((await other.send('POST', '/app/quality/judge')).status).toBe(202);
    for (const at of [one, other]) {
      const overview = async () => (await at.send('GET', '/app/overview')).json;
      await expect.poll(async () => (await overview()).rebuild.state, { interval: 20 }).toBe('idle');
      expect(Date.parse((await overview()).judged.at)).toBeGreaterThan(0);
    }
  });

  test('the trail has an entry of each write, whichever server it was at, and is sound', async () => {
    const { id } = (await one.send('POST', records, carePlan('Patient/trail'))).json;
    await other.send('PUT', `${records}/${id}`, carePlan('Patient/trail', `,"id":"${id}","title":"T"`));
    const { entries } = (await one.send('GET', `/app/audit?changes=true&text=${id}`)).json;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['update', 'create']);
    const verdict = (await other.send('POST', '/app/audit/verify')).json;
    expect(verdict.broken).toBeUndefined();
  });

  test('what is not offered yet is 501, with what to do without it, and is named', async () => {
    const { absent } = (await one.send('GET', '/app/overview')).json;
    expect(absent).toEqual([...absentParts]);
    const refused = await one.send('GET', '/app/backups');
    expect(refused.status).toBe(501);
    expect(refused.json.issue[0].code).toBe('not-supported');
  });

  test('a server whose store is gone is alive and not ready, refuses what it cannot know, and comes back', async () => {
    const ask = async (path: string) => (await fetch(other.origin + path)).status;
    expect(await ask('/readyz')).toBe(200);
    const made = await one.send('POST', '/app/tokens', '{"name":"Gone","scopes":["system/*.rs"]}');
    const read = async () =>
      (await sendTo(other.origin, `Bearer ${made.json.token}`, 'GET', `${records}?_count=1`)).status;
    expect(await read()).toBe(200);
    const allowed = async (may: boolean) =>
      admin?.(async (client) => {
        await client.query(
          `ALTER DATABASE ${new URL(address).pathname.slice(1)} CONNECTION LIMIT ${may ? -1 : 0}`,
        );
        await client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'server' AND datname = current_database()",
        );
      });
    await allowed(false);
    await expect.poll(() => ask('/readyz'), { interval: 50 }).toBe(503);
    expect(await ask('/livez')).toBe(200);
    expect(await read()).toBe(503);
    expect((await other.send('GET', '/metrics')).text).toContain('chartkeeper_store_writable 0\n');
    await allowed(true);
    await expect.poll(read, { interval: 50 }).toBe(200);
    expect(await ask('/readyz')).toBe(200);
    expect((await other.send('GET', '/metrics')).text).toContain('chartkeeper_store_writable 1\n');
  });
});

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
