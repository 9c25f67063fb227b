/** Tests FHIR packages of several servers over one store. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFolders } from '../packages/packages.ts';
import { packageFiles, profileUrl, tgzOf } from '../packages/testing/make-package.ts';
import { startSharedServer } from './start-shared.ts';
import { migrate } from './postgres/migrate.ts';
import { emptyStore, testDatabase } from '../testing/postgres.ts';
import { startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { carePlan, noFault, sendTo, serverOfTest, type Json } from '../testing/test-server.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const file = 'ward.example.plans-1.2.0.tgz';

describe.skipIf(!database)(
  'packages of servers over a store (not run where PostgreSQL is not installed)',
  () => {
    const { address = '', admin } = database ?? {};
    let servers: SharedTestServer[] = [];
    let firstServer: SharedTestServer;
    let secondServer: SharedTestServer;
    const start = async () => {
      const server = await startSharedTestServer(address);
      servers.push(server);
      return server;
    };
    beforeEach(async () => {
      [firstServer, secondServer] = await Promise.all([start(), start()]);
    });
    afterEach(async () => {
      for (const server of servers) await server.remove();
      servers = [];
      if (database) await emptyStore(database);
    });

    async function addPackage(server: SharedTestServer, packageOptions: object = {}) {
      const { status } = await fetch(`${server.origin}/app/packages`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/gzip' },
        body: new Uint8Array(await tgzOf(packageFiles(packageOptions))),
      });
      return status;
    }
    const removePackage = async (server: SharedTestServer, name = file) =>
      (await server.send('DELETE', `/app/packages/${name}`)).status;
    const listPackages = async (server: SharedTestServer) =>
      (await server.send('GET', '/app/packages')).json.packages as Json[];
    const listFiles = async (server: SharedTestServer) =>
      (await listPackages(server)).map(({ file: name, state }) => `${name} ${state}`);
    const folderOf = ({ dataDir }: SharedTestServer) => join(dataDir, packageFolders.shared);
    /** Returns the issue codes of a record that claims the profile. */
    async function listIssueCodes(server: SharedTestServer): Promise<string[]> {
      const record = carePlan('Patient/a', `,"meta":{"profile":["${profileUrl}"]}`);
      const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan/$validate', record);
      return json.issue.map(({ code }: Json) => code);
    }

    test('validates with a package of the other server until its removal', async () => {
      expect(await listIssueCodes(secondServer)).toContain('not-found');
      expect(await addPackage(firstServer)).toBe(201);
      await expect.poll(() => listFiles(secondServer)).toEqual([`${file} held`]);
      expect(await listPackages(secondServer)).toEqual(await listPackages(firstServer));
      expect(await listIssueCodes(secondServer)).toContain('required');
      const thirdServer = await start();
      await expect.poll(() => listFiles(thirdServer)).toEqual([`${file} held`]);
      expect(await removePackage(secondServer)).toBe(204);
      for (const server of [firstServer, thirdServer]) {
        await expect.poll(() => listFiles(server)).toEqual([]);
        expect(await listIssueCodes(server)).toContain('not-found');
        expect(readdirSync(folderOf(server), { recursive: true })).toEqual(['.read']);
      }
    });

    test('compares an added package with the store, not with a cached list', async () => {
      expect(await addPackage(firstServer)).toBe(201);
      expect(await addPackage(secondServer)).toBe(200);
      expect(await addPackage(secondServer, { title: 'Another' })).toBe(409);
      await admin?.((client) => client.query('DELETE FROM chartkeeper.package'));
      expect(await addPackage(secondServer, { title: 'Another' })).toBe(201);
      await admin?.((client) => client.query('DELETE FROM chartkeeper.package'));
      expect(await removePackage(secondServer)).toBe(404);
    });

    test('keeps one of two packages added at once with the same name and version', async () => {
      const titles = ['Mine', 'Theirs'];
      const statuses = await Promise.all(
        [firstServer, secondServer].map((server, index) => addPackage(server, { title: titles[index] })),
      );
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      const title = titles[statuses.indexOf(201)];
      for (const server of [firstServer, secondServer])
        await expect
          .poll(async () => (await listPackages(server)).map((packageItem) => packageItem.title))
          .toEqual([title]);
    });

    test('synchronizes the package folder after a restart', async () => {
      await addPackage(firstServer);
      await addPackage(firstServer, { name: 'gone' });
      await expect.poll(async () => (await listFiles(secondServer)).length).toBe(2);
      const { dataDir } = secondServer;
      await secondServer.close();
      servers = servers.filter((server) => server !== secondServer);
      await removePackage(firstServer, 'gone-1.2.0.tgz');
      await removePackage(firstServer);
      await addPackage(firstServer, { title: 'Anew' });
      await addPackage(firstServer, { name: 'came' });
      writeFileSync(join(folderOf(secondServer), 'stray.tgz'), await tgzOf(packageFiles({ name: 'stray' })));
      rmSync(join(folderOf(secondServer), '.read'), { recursive: true });
      const restartedServer = await startSharedServer({
        dataDir,
        address,
        port: 0,
        token: secondServer.token,
        pageFolder: dataDir,
        log: noFault,
      });
      const send: typeof secondServer.send = (...request) =>
        sendTo(restartedServer.origin, `Bearer ${secondServer.token}`, ...request);
      const restartedTestServer = { ...secondServer, ...restartedServer, send };
      await expect
        .poll(() => listFiles(restartedTestServer))
        .toEqual(['came-1.2.0.tgz held', `${file} held`]);
      expect((await listPackages(restartedTestServer)).map(({ title }) => title)).toEqual([
        'Plans of the ward',
        'Anew',
      ]);
      await restartedServer.close();
      rmSync(dataDir, { recursive: true });
    });

    test('reports a package with changed bytes, does not use it and can remove it', async () => {
      await addPackage(firstServer);
      await admin?.((client) =>
        client.query(`UPDATE chartkeeper.package_part SET body = overlay(body PLACING '\\x00' FROM 100)`),
      );
      const thirdServer = await start();
      expect(await listPackages(thirdServer)).toEqual([
        { file, state: 'refused', problem: expect.stringContaining('differs from the package you added') },
      ]);
      expect(existsSync(join(folderOf(thirdServer), file))).toBe(false);
      expect(await removePackage(thirdServer)).toBe(204);
      expect(await addPackage(thirdServer)).toBe(201);
      await expect.poll(() => listFiles(thirdServer)).toEqual([`${file} held`]);
    });

    test('finds an unannounced change at the next poll', async () => {
      await addPackage(firstServer);
      const polls: (() => void)[] = [];
      const thirdServer = await serverOfTest((options) =>
        startSharedServer({
          ...options,
          address,
          scheduleEvery(_milliseconds, poll) {
            polls.push(poll);
            return () => undefined;
          },
        }),
      );
      servers.push(thirdServer);
      await expect.poll(() => listFiles(thirdServer)).toEqual([`${file} held`]);
      await admin?.((client) => client.query('DELETE FROM chartkeeper.package'));
      expect(await listFiles(thirdServer)).toEqual([`${file} held`]);
      for (const poll of polls) poll();
      await expect.poll(() => listFiles(thirdServer)).toEqual([]);
    });

    test('validates against a profile selected at the other server', async () => {
      await addPackage(firstServer);
      const profiles = { CarePlan: profileUrl };
      expect((await firstServer.send('PUT', '/app/preferences', JSON.stringify({ profiles }))).status).toBe(
        200,
      );
      const body = JSON.stringify({ type: 'CarePlan', record: carePlan('Patient/a') });
      const rules = async () => {
        const { json } = await secondServer.send('POST', '/app/profiles/findings', body);
        return json.findings.map(({ rule }: Json) => rule);
      };
      await expect.poll(rules).toEqual(['profile/ward-plan#CarePlan.title/min']);
    });
  },
);
