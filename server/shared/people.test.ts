/** Tests guarantees to people at several servers over one store, behind one address without affinity. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProvider } from './openid/openid-routes.ts';
import { clientId, clientSecret, startIssuer, type Issuer } from './openid/testing/issuer.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { startBalancer, type Balancer } from '../testing/balancer.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from '../testing/postgres.ts';
import { runCli } from '../testing/run-cli.ts';
import { startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { sendCode, tokenFor } from '../testing/sign-in.ts';
import { carePlan, noFaultBut, sendTo, type Json } from '../testing/test-server.ts';

const records = '/fhir-r4/v1/CarePlan';

describe.skipIf(postgresPrograms() === undefined)(
  'people at servers over a shared store (not run where PostgreSQL is not installed)',
  () => {
    let database: TestDatabase;
    let issuer: Issuer;
    let balancer: Balancer;
    let firstServer: SharedTestServer;
    let secondServer: SharedTestServer;
    let address = '';

    beforeAll(async () => {
      [database, issuer, balancer] = await Promise.all([migratedDatabase(), startIssuer(), startBalancer()]);
      address = database.address;
      const openId = createProvider({
        issuer: issuer.origin,
        clientId,
        clientSecret,
        scope: 'openid profile',
        nameClaim: 'preferred_username',
        roleClaim: ['roles'],
        roles: { steward: 'system/*.*' },
      });
      const settings = { publicUrl: balancer.origin };
      const start = () =>
        startSharedTestServer(address, settings, noFaultBut(/^OpenID sign-in refused/), { openId });
      [firstServer, secondServer] = await Promise.all([start(), start()]);
      balancer.servers = [firstServer.origin, secondServer.origin];
    });
    afterAll(async () => {
      await firstServer.remove();
      await secondServer.remove();
      await balancer.close();
      await issuer.close();
      await database.remove();
    });

    test('reads writes that the other server has acknowledged', async () => {
      const token = await tokenFor(firstServer.origin, await firstServer.signInCode());
      const sendAs = (
        server: SharedTestServer,
        ...requestParts: [method: string, path: string, body?: string]
      ) => sendTo(server.origin, `Bearer ${token}`, ...requestParts);
      for (let round = 0; round < 20; round += 1) {
        const query = { type: 'CarePlan', pairs: [['status', 'active']] };
        const search = JSON.stringify({ name: `Round ${round}`, ...query });
        expect((await sendAs(firstServer, 'POST', '/app/searches', search)).status).toBe(201);
        const { json }: { json: Json } = await sendAs(secondServer, 'GET', '/app/searches');
        expect(JSON.stringify(json)).toContain(`Round ${round}`);
        // The response to a check arrives some time after its write.
        const checkBase = { type: 'CarePlan', holds: 'true', category: 'conformance', severity: 'warning' };
        const check = JSON.stringify({ ...checkBase, title: `Check ${round}`, version: 0, active: false });
        expect((await sendAs(firstServer, 'PUT', `/app/checks/c-${round}`, check)).status).toBe(200);
        expect((await sendAs(secondServer, 'GET', '/app/checks')).text).toContain(`Check ${round}`);
      }
    });

    test('signs in with links of the other server and of the command line', async () => {
      const statusOf = async (server: SharedTestServer, token: string) =>
        (await sendTo(server.origin, `Bearer ${token}`, 'GET', records)).status;
      const printedToken = await tokenFor(secondServer.origin, await firstServer.signInCode());
      expect(await statusOf(firstServer, printedToken)).toBe(200);
      const link = await runCli(['link', '--data', firstServer.dataDir, '--store', address]);
      expect(link).toMatchObject({ code: 0, stderr: 'The link works once, within one hour.\n' });
      expect(link.stdout).toMatch(new RegExp(`^Open ${balancer.origin}/#code=[A-Za-z0-9_-]{43}\\n$`));
      expect(await statusOf(firstServer, await tokenFor(secondServer.origin, link.stdout.trim()))).toBe(200);
      expect((await sendCode(firstServer.origin, link.stdout.trim().split('=')[1] ?? '')).status).toBe(401);
      const linkWithoutServer = await runCli([
        'link',
        '--data',
        `${firstServer.dataDir}/none`,
        '--store',
        address,
      ]);
      expect(linkWithoutServer).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^No server is running on this folder\. Replace the address/),
      });
      expect(
        await statusOf(firstServer, await tokenFor(secondServer.origin, linkWithoutServer.stdout.trim())),
      ).toBe(200);
    });

    test('ends the event stream of a session that signs out at the other server', async () => {
      const [token, otherToken] = await Promise.all(
        [firstServer, firstServer].map(async (server) => tokenFor(server.origin, await server.signInCode())),
      );
      const streamOf = async (bearer = '') => {
        const headers = { Authorization: `Bearer ${bearer}` };
        const { status, body } = await fetch(`${secondServer.origin}/app/changes`, { headers });
        expect(status).toBe(200);
        return body?.pipeThrough(new TextDecoderStream()).getReader();
      };
      const readUntil = async (reader: Awaited<ReturnType<typeof streamOf>>, end: string) => {
        let receivedText = '';
        for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
          receivedText += part.value;
          if (receivedText.includes(end)) break;
        }
        return receivedText;
      };
      const [endingStream, openStream] = [await streamOf(token), await streamOf(otherToken)];
      expect((await sendTo(firstServer.origin, `Bearer ${token}`, 'POST', '/app/sign-out')).status).toBe(204);
      // The stream ends without another event.
      const endedText = await readUntil(endingStream, 'data:');
      const creation = await firstServer.send('POST', records, carePlan('Patient/a'));
      const { id } = creation.json as { id: string };
      expect(await readUntil(openStream, id)).toContain(id);
      expect(endedText).not.toContain('data:');
      await openStream?.cancel();
    });

    test('shares the activity log until one server clears it', async () => {
      const workbench = { 'X-Chartkeeper-Client': 'workbench' };
      const path = `${records}?title=activity-of-one`;
      await firstServer.send('GET', path, undefined, workbench);
      const paths = async (server: SharedTestServer) =>
        (await server.send('GET', '/app/activity?text=activity-of-one')).json.entries.map(
          (entry: Json) => entry.path,
        );
      await expect.poll(() => paths(secondServer), { interval: 20 }).toEqual([path]);
      expect((await secondServer.send('DELETE', '/app/activity')).status).toBe(200);
      expect(await paths(firstServer)).toEqual([]);
    });

    /** Sends a request like a browser. `fetch` does not allow some of the headers. */
    async function get(url: string, headers: Record<string, string> = {}) {
      const clientRequest = request(new URL(url), { headers }).end();
      const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
      const { location = '', 'set-cookie': cookies = [] } = response.headers;
      return { location, cookie: cookies[0]?.split(';')[0] ?? '', text: await text(response) };
    }

    test('completes a provider sign-in of the other server once', async () => {
      issuer.claims = { roles: ['steward'] };
      const signInStart = await get(`${firstServer.origin}/app/openid/sign-in`, {
        Host: new URL(balancer.origin).host,
      });
      const callbackUrl = new URL((await get(signInStart.location)).location);
      const land = (server: SharedTestServer) =>
        get(server.origin + callbackUrl.pathname + callbackUrl.search, {
          'Sec-Fetch-Site': 'cross-site',
          'Sec-Fetch-Mode': 'navigate',
          Cookie: signInStart.cookie,
        });
      const [, code = ''] = /#code=([\w-]{43})"/.exec((await land(secondServer)).text) ?? [];
      const session = await tokenFor(firstServer.origin, code);
      expect((await sendTo(secondServer.origin, `Bearer ${session}`, 'GET', records)).status).toBe(200);
      expect((await land(firstServer)).text).not.toContain('#code=');
    });

    test('keeps the latest pending sign-ins and completes each once', async () => {
      const store = await openPostgresStore(address);
      const add = (
        key: string,
        startedAtMs: number,
        network: string,
        [maxCount, expiredBefore]: [number, number],
      ) =>
        store.signIns.add({ key, body: `${startedAtMs}`, startedAtMs, network }, { maxCount, expiredBefore });
      for (let number = 1; number <= 3; number += 1) await add(`key-${number}`, number, 'ward', [2, 0]);
      expect([await store.signIns.take('key-1'), await store.signIns.take('key-3')]).toEqual([
        undefined,
        '3',
      ]);
      expect([await store.signIns.take('key-3'), await store.signIns.take('key-2')]).toEqual([
        undefined,
        '2',
      ]);
      // A network that starts many sign-ins loses only its own.
      await add('early', 10, 'ward', [3, 4]);
      for (let number = 11; number <= 20; number += 1)
        await add(`flood-${number}`, number, 'stranger', [3, 4]);
      expect([await store.signIns.take('flood-11'), await store.signIns.take('early')]).toEqual([
        undefined,
        '10',
      ]);
      // Expired sign-ins are removed first.
      await add('newest', 99, 'ward', [3, 20]);
      expect([await store.signIns.take('flood-20'), await store.signIns.take('newest')]).toEqual([
        undefined,
        '99',
      ]);
      await store.close();
    });
  },
);
