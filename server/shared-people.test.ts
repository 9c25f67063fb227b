/** What servers over one shared store, behind one address and without affinity, promise to the people at the workbench. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientId, clientSecret, startIssuer, type Issuer } from './openid/testing/issuer.ts';
import { openPostgresStore } from './store/postgres/postgres-store.ts';
import { startBalancer, type Balancer } from './testing/balancer.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from './testing/postgres.ts';
import { runCli } from './testing/run-cli.ts';
import { startSharedTestServer, type SharedTestServer } from './testing/shared-server.ts';
import { sendCode, tokenFor } from './testing/sign-in.ts';
import { carePlan, noFaultBut, sendTo, type Json } from './testing/test-server.ts';

const records = '/fhir-r4/v1/CarePlan';

describe.skipIf(postgresPrograms() === undefined)(
  'people at servers over a shared store (not run where PostgreSQL is not installed)',
  () => {
    let database: TestDatabase;
    let issuer: Issuer;
    let balancer: Balancer;
    let one: SharedTestServer;
    let other: SharedTestServer;
    let address = '';

    beforeAll(async () => {
      [database, issuer, balancer] = await Promise.all([migratedDatabase(), startIssuer(), startBalancer()]);
      address = database.server;
      const openId = {
        issuer: issuer.origin,
        clientId,
        clientSecret,
        scope: 'openid profile',
        nameClaim: 'preferred_username',
        roleClaim: ['roles'],
        roles: { steward: 'system/*.*' },
      };
      const settings = { publicUrl: balancer.origin };
      const start = () =>
        startSharedTestServer(address, settings, noFaultBut(/^OpenID sign-in refused/), { openId });
      [one, other] = await Promise.all([start(), start()]);
      balancer.servers = [one.origin, other.origin];
    });
    afterAll(async () => {
      await one.remove();
      await other.remove();
      await balancer.close();
      await issuer.close();
      await database.remove();
    });

    test('what one server has answered is read at the other', async () => {
      const token = await tokenFor(one.origin, await one.signInCode());
      const at = (server: SharedTestServer, ...asked: [method: string, path: string, body?: string]) =>
        sendTo(server.origin, `Bearer ${token}`, ...asked);
      for (let round = 0; round < 20; round += 1) {
        const query = { type: 'CarePlan', pairs: [['status', 'active']] };
        const search = JSON.stringify({ name: `Round ${round}`, ...query });
        expect((await at(one, 'POST', '/app/searches', search)).status).toBe(201);
        const { json }: { json: Json } = await at(other, 'GET', '/app/searches');
        expect(JSON.stringify(json)).toContain(`Round ${round}`);
        // What is answered a while after it was written.
        const asked = { type: 'CarePlan', holds: 'true', category: 'conformance', severity: 'warning' };
        const check = JSON.stringify({ ...asked, title: `Check ${round}`, version: 0, active: false });
        expect((await at(one, 'PUT', `/app/checks/c-${round}`, check)).status).toBe(200);
        expect((await at(other, 'GET', '/app/checks')).text).toContain(`Check ${round}`);
      }
    });

    test('the link that a server prints, and one of the command line, sign in at the other', async () => {
      const statusOf = async (at: SharedTestServer, token: string) =>
        (await sendTo(at.origin, `Bearer ${token}`, 'GET', records)).status;
      const printed = await tokenFor(other.origin, await one.signInCode());
      expect(await statusOf(one, printed)).toBe(200);
      const made = await runCli(['link', '--data', one.dataDir, '--store', address]);
      expect(made).toMatchObject({ code: 0, stderr: 'The link works once, within one hour.\n' });
      expect(made.stdout).toMatch(new RegExp(`^Open ${balancer.origin}/#code=[A-Za-z0-9_-]{43}\\n$`));
      expect(await statusOf(one, await tokenFor(other.origin, made.stdout.trim()))).toBe(200);
      expect((await sendCode(one.origin, made.stdout.trim().split('=')[1] ?? '')).status).toBe(401);
      const elsewhere = await runCli(['link', '--data', `${one.dataDir}/none`, '--store', address]);
      expect(elsewhere).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^No server is running on this folder\. Replace the address/),
      });
      expect(await statusOf(one, await tokenFor(other.origin, elsewhere.stdout.trim()))).toBe(200);
    });

    test('ends the event stream at one server once its session signs out at the other, and tells it no later write', async () => {
      const [token, witness] = await Promise.all(
        [one, one].map(async (at) => tokenFor(at.origin, await at.signInCode())),
      );
      const streamOf = async (bearer = '') => {
        const headers = { Authorization: `Bearer ${bearer}` };
        const { status, body } = await fetch(`${other.origin}/app/changes`, { headers });
        expect(status).toBe(200);
        return body?.pipeThrough(new TextDecoderStream()).getReader();
      };
      const readTo = async (reader: Awaited<ReturnType<typeof streamOf>>, end: string) => {
        let told = '';
        for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
          told += part.value;
          if (told.includes(end)) break;
        }
        return told;
      };
      const [over, open] = [await streamOf(token), await streamOf(witness)];
      expect((await sendTo(one.origin, `Bearer ${token}`, 'POST', '/app/sign-out')).status).toBe(204);
      // It ends by itself, though nothing happens.
      const told = await readTo(over, 'data:');
      const made = await one.send('POST', records, carePlan('Patient/a'));
      const { id } = made.json as { id: string };
      expect(await readTo(open, id)).toContain(id);
      expect(told).not.toContain('data:');
      await open?.cancel();
    });

    test('what the workbench did at one stands in the activity log of the other, until it is cleared there', async () => {
      const workbench = { 'X-Chartkeeper-Client': 'workbench' };
      const path = `${records}?title=activity-of-one`;
      await one.send('GET', path, undefined, workbench);
      const paths = async (at: SharedTestServer) =>
        (await at.send('GET', '/app/activity?text=activity-of-one')).json.entries.map(
          (entry: Json) => entry.path,
        );
      await expect.poll(() => paths(other), { interval: 20 }).toEqual([path]);
      expect((await other.send('DELETE', '/app/activity')).status).toBe(200);
      expect(await paths(one)).toEqual([]);
    });

    /** Asks as a browser does: fetch keeps some headers for itself. */
    async function get(at: string, headers: Record<string, string> = {}) {
      const sent = request(new URL(at), { headers }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const { location = '', 'set-cookie': cookies = [] } = answer.headers;
      return { location, cookie: cookies[0]?.split(';')[0] ?? '', text: await text(answer) };
    }

    test('a sign-in at a provider that one server began is ended by the other, once', async () => {
      issuer.claims = { roles: ['steward'] };
      const begun = await get(`${one.origin}/app/openid/sign-in`, { Host: new URL(balancer.origin).host });
      const back = new URL((await get(begun.location)).location);
      const land = (at: SharedTestServer) =>
        get(at.origin + back.pathname + back.search, {
          'Sec-Fetch-Site': 'cross-site',
          'Sec-Fetch-Mode': 'navigate',
          Cookie: begun.cookie,
        });
      const [, code = ''] = /#code=([\w-]{43})"/.exec((await land(other)).text) ?? [];
      const session = await tokenFor(one.origin, code);
      expect((await sendTo(other.origin, `Bearer ${session}`, 'GET', records)).status).toBe(200);
      expect((await land(one)).text).not.toContain('#code=');
    });

    test('of sign-ins under way the newest are kept, and each is taken once', async () => {
      const store = await openPostgresStore(address);
      const add = (key: string, begun: number, network: string, [most, after]: [number, number]) =>
        store.signIns.add({ key, body: `${begun}`, startedAtMs: begun, network }, { maxCount: most, after });
      for (let at = 1; at <= 3; at += 1) await add(`key-${at}`, at, 'ward', [2, 0]);
      expect([await store.signIns.take('key-1'), await store.signIns.take('key-3')]).toEqual([
        undefined,
        '3',
      ]);
      expect([await store.signIns.take('key-3'), await store.signIns.take('key-2')]).toEqual([
        undefined,
        '2',
      ]);
      // Who begins many loses their own, and nobody else's.
      await add('early', 10, 'ward', [3, 4]);
      for (let at = 11; at <= 20; at += 1) await add(`flood-${at}`, at, 'stranger', [3, 4]);
      expect([await store.signIns.take('flood-11'), await store.signIns.take('early')]).toEqual([
        undefined,
        '10',
      ]);
      // Those that are over go first.
      await add('newest', 99, 'ward', [3, 20]);
      expect([await store.signIns.take('flood-20'), await store.signIns.take('newest')]).toEqual([
        undefined,
        '99',
      ]);
      await store.close();
    });
  },
);
