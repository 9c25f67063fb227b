/** FHIR packages of servers over one store: what is added at one judges at all, and what is removed at none. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFolders } from './packages/packages.ts';
import { packageFiles, profileUrl, tgzOf } from './packages/testing/make-package.ts';
import { startSharedServer } from './start-shared.ts';
import { migrate } from './store/postgres/migrate.ts';
import { emptyStore, testDatabase } from './testing/postgres.ts';
import { startSharedTestServer, type SharedTestServer } from './testing/shared-server.ts';
import { carePlan, noFault, sendTo, serverOfTest, type Json } from './testing/test-server.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const file = 'ward.example.plans-1.2.0.tgz';

describe.skipIf(!database)(
  'packages of servers over a store (not run where PostgreSQL is not installed)',
  () => {
    const { server: address = '', admin } = database ?? {};
    let servers: SharedTestServer[] = [];
    let one: SharedTestServer;
    let other: SharedTestServer;
    const start = async () => {
      const server = await startSharedTestServer(address);
      servers.push(server);
      return server;
    };
    beforeEach(async () => {
      [one, other] = await Promise.all([start(), start()]);
    });
    afterEach(async () => {
      for (const server of servers) await server.remove();
      servers = [];
      if (database) await emptyStore(database);
    });

    async function add(to: SharedTestServer, more: object = {}) {
      const { status } = await fetch(`${to.origin}/app/packages`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${to.token}`, 'Content-Type': 'application/gzip' },
        body: new Uint8Array(await tgzOf(packageFiles(more))),
      });
      return status;
    }
    const remove = async (at: SharedTestServer, name = file) =>
      (await at.send('DELETE', `/app/packages/${name}`)).status;
    const list = async (at: SharedTestServer) =>
      (await at.send('GET', '/app/packages')).json.packages as Json[];
    const files = async (at: SharedTestServer) =>
      (await list(at)).map(({ file: name, state }) => `${name} ${state}`);
    const folderOf = ({ dataDir }: SharedTestServer) => join(dataDir, packageFolders.shared);
    /** What a server finds in a record that claims the profile. */
    async function judged(at: SharedTestServer): Promise<string[]> {
      const record = carePlan('Patient/a', `,"meta":{"profile":["${profileUrl}"]}`);
      const { json } = await at.send('POST', '/fhir-r4/v1/CarePlan/$validate', record);
      return json.issue.map(({ code }: Json) => code);
    }

    test('one that is added at one judges at the other, and judges nowhere once it is removed', async () => {
      expect(await judged(other)).toContain('not-found');
      expect(await add(one)).toBe(201);
      await expect.poll(() => files(other)).toEqual([`${file} held`]);
      expect(await list(other)).toEqual(await list(one));
      expect(await judged(other)).toContain('required');
      const third = await start();
      await expect.poll(() => files(third)).toEqual([`${file} held`]);
      expect(await remove(other)).toBe(204);
      for (const at of [one, third]) {
        await expect.poll(() => files(at)).toEqual([]);
        expect(await judged(at)).toContain('not-found');
        expect(readdirSync(folderOf(at), { recursive: true })).toEqual(['.read']);
      }
    });

    test('what is added meets what the store holds, and not what a server was told of', async () => {
      expect(await add(one)).toBe(201);
      expect(await add(other)).toBe(200);
      expect(await add(other, { title: 'Another' })).toBe(409);
      await admin?.((client) => client.query('DELETE FROM chartkeeper.package'));
      expect(await add(other, { title: 'Another' })).toBe(201);
      await admin?.((client) => client.query('DELETE FROM chartkeeper.package'));
      expect(await remove(other)).toBe(404);
    });

    test('of two that are added at once under one name and version one is held, at both', async () => {
      const titles = ['Mine', 'Theirs'];
      const answers = await Promise.all([one, other].map((at, place) => add(at, { title: titles[place] })));
      expect(answers.filter((status) => status === 201)).toHaveLength(1);
      const title = titles[answers.indexOf(201)];
      for (const at of [one, other])
        await expect.poll(async () => (await list(at)).map((held) => held.title)).toEqual([title]);
    });

    test('a server that was away takes over what changed, whatever its folder holds', async () => {
      await add(one);
      await add(one, { name: 'gone' });
      await expect.poll(async () => (await files(other)).length).toBe(2);
      const { dataDir } = other;
      await other.close();
      servers = servers.filter((server) => server !== other);
      await remove(one, 'gone-1.2.0.tgz');
      await remove(one);
      await add(one, { title: 'Anew' });
      await add(one, { name: 'came' });
      writeFileSync(join(folderOf(other), 'stray.tgz'), await tgzOf(packageFiles({ name: 'stray' })));
      rmSync(join(folderOf(other), '.read'), { recursive: true });
      const again = await startSharedServer({
        dataDir,
        address,
        port: 0,
        token: other.token,
        pageFolder: dataDir,
        log: noFault,
      });
      const send: typeof other.send = (...request) =>
        sendTo(again.origin, `Bearer ${other.token}`, ...request);
      const here = { ...other, ...again, send };
      await expect.poll(() => files(here)).toEqual(['came-1.2.0.tgz held', `${file} held`]);
      expect((await list(here)).map(({ title }) => title)).toEqual(['Plans of the ward', 'Anew']);
      await again.close();
      rmSync(dataDir, { recursive: true });
    });

    test('one whose bytes in the store are others is not used, which is said, and can be removed', async () => {
      await add(one);
      await admin?.((client) =>
        client.query(`UPDATE chartkeeper.package_part SET body = overlay(body PLACING '\\x00' FROM 100)`),
      );
      const third = await start();
      expect(await list(third)).toEqual([
        { file, state: 'refused', problem: expect.stringContaining('differs from the package you added') },
      ]);
      expect(existsSync(join(folderOf(third), file))).toBe(false);
      expect(await remove(third)).toBe(204);
      expect(await add(third)).toBe(201);
      await expect.poll(() => files(third)).toEqual([`${file} held`]);
    });

    test('what nobody told is seen by the next look', async () => {
      await add(one);
      const looks: (() => void)[] = [];
      const third = await serverOfTest((own) =>
        startSharedServer({
          ...own,
          address,
          every(_milliseconds, look) {
            looks.push(look);
            return () => undefined;
          },
        }),
      );
      servers.push(third);
      await expect.poll(() => files(third)).toEqual([`${file} held`]);
      await admin?.((client) => client.query('DELETE FROM chartkeeper.package'));
      expect(await files(third)).toEqual([`${file} held`]);
      for (const look of looks) look();
      await expect.poll(() => files(third)).toEqual([]);
    });

    test('a profile that is chosen at one judges at the other', async () => {
      await add(one);
      const profiles = { CarePlan: profileUrl };
      expect((await one.send('PUT', '/app/preferences', JSON.stringify({ profiles }))).status).toBe(200);
      const body = JSON.stringify({ type: 'CarePlan', record: carePlan('Patient/a') });
      const rules = async () => {
        const { json } = await other.send('POST', '/app/profiles/findings', body);
        return json.findings.map(({ rule }: Json) => rule);
      };
      await expect.poll(rules).toEqual(['profile/ward-plan#CarePlan.title/min']);
    });
  },
);
