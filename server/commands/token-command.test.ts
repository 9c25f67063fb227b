import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import pg from 'pg';
import { hashToken } from '../access/secret.ts';
import { commandPlaces, type TestPlace } from '../testing/command-places.ts';
import { migrate } from '../store/postgres/migrate.ts';
import { migratedDatabase, postgresPrograms, startCluster, stopCluster } from '../testing/postgres.ts';
import { runCli } from '../testing/run-cli.ts';
import { startSharedTestServer } from '../testing/shared-server.ts';
import { sendTo, startTestServer } from '../testing/test-server.ts';
import { openWorkspace } from '../workspace/workspace.ts';

const feed = ['--name', 'lab feed', '--scope', 'system/CarePlan.read', 'system/Composition.cu'];

/** The id and the token that `token create` printed. */
function madeIn(stdout: string): readonly [id: string, token: string] {
  const [, id = '', token = ''] = /^id {5}(\S+)\ntoken {2}([A-Za-z0-9_-]{43})\n$/.exec(stdout) ?? [];
  return [id, token];
}

describe.each(commandPlaces.map((one) => [one.name, one] as const))('%s', (_, kind) => {
  describe.skipIf(kind.lacking)('tokens', () => {
    let place: TestPlace;
    beforeEach(async () => {
      place = await kind.make();
    });
    afterEach(() => place.remove());
    const cli = (...parameters: string[]) => runCli(['token', ...parameters, ...place.flags]);

    test('a token is made, listed without itself, and revoked', async () => {
      const made = await cli('create', ...feed, '--expires', '90d');
      expect([made.code, made.stderr]).toEqual([0, 'Keep the token now: only its hash is stored.\n']);
      const [id, token] = madeIn(made.stdout);
      expect(token).not.toBe('');
      const list = await cli('list');
      expect(list.stdout).toMatch(
        new RegExp(`^${id}  lab feed  active +system/CarePlan.read system/Composition.cu  20`, 'm'),
      );
      expect(list.stdout).not.toContain(token);
      expect(await cli('revoke', id)).toEqual({ code: 0, stdout: 'lab feed is revoked.\n', stderr: '' });
      expect((await cli('list')).stdout).toMatch(/lab feed {2}revoked/);
    });

    test.each([
      [['create', '--name', 'x', '--scope', 'openid'], /^A scope is like system\/CarePlan\.read/],
      [['create', '--name', 'owner', '--scope', 'system/*.*'], /^A name is 1 to 100/],
      [['create', '--name', 'x', '--scope', 'system/*.*', '--expires', 'soon'], /^--expires takes a number/],
      [['revoke', 'nobody'], /^No token has this id/],
    ])('%j ends with 1 and a sentence', async (parameters, sentence) => {
      expect(await cli(...parameters)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(sentence),
      });
    });
  });
});

test('a token of a data folder is in its workspace, which nobody else may read', async () => {
  const data = mkdtempSync(join(tmpdir(), 'chartkeeper-token-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const [id, token] = madeIn((await runCli(['token', 'create', ...feed, '--data', data])).stdout);
  const workspace = await openWorkspace(join(data, 'workspace.db'));
  expect(workspace.tokens.find(hashToken(token))).toMatchObject({ id, name: 'lab feed' });
  await workspace.close();
  expect(statSync(join(data, 'workspace.db')).mode & 0o777).toBe(0o600);
});

test('a data folder that is being served is refused', async () => {
  const server = await startTestServer();
  const answer = await runCli(['token', 'list', '--data', server.dataDir]);
  expect(answer).toMatchObject({
    code: 11,
    stdout: '',
    stderr: expect.stringMatching(/in use by another Chartkeeper/),
  });
  await server.remove();
});

describe.skipIf(postgresPrograms() === undefined)(
  'a store that is being served (not run where PostgreSQL is not installed)',
  () => {
    test('takes tokens beside its servers, which take and refuse them, and notes both', async () => {
      const database = await migratedDatabase();
      const server = await startSharedTestServer(database.server);
      onTestFinished(async () => {
        await server.remove();
        await database.remove();
      });
      const cli = (...parameters: string[]) => runCli(['token', ...parameters, '--store', database.server]);
      const [id, token] = madeIn((await cli('create', ...feed)).stdout);
      const read = async () =>
        (await sendTo(server.origin, `Bearer ${token}`, 'GET', '/fhir-r4/v1/CarePlan?_count=1')).status;
      expect(await read()).toBe(200);
      expect((await cli('revoke', id)).code).toBe(0);
      await expect.poll(read, { interval: 20 }).toBe(401);
      const { entries } = (await server.send('GET', `/app/audit?text=${id}`)).json;
      const told = entries.map(({ action, what, who }: Record<string, string>) => [action, what, who]);
      expect(told).toEqual([
        ['token-revoke', id, 'owner'],
        ['token-create', id, 'owner'],
      ]);
      expect((await server.send('POST', '/app/audit/verify')).json).not.toHaveProperty('broken');
    });

    test('is found by its variable, unless a data folder is named; both flags are refused', async () => {
      const database = await migratedDatabase();
      onTestFinished(() => database.remove());
      const data = mkdtempSync(join(tmpdir(), 'chartkeeper-token-'));
      onTestFinished(() => rmSync(data, { recursive: true }));
      vi.stubEnv('CHARTKEEPER_STORE', database.server);
      onTestFinished(() => void vi.unstubAllEnvs());
      await runCli(['token', 'create', ...feed]);
      expect((await runCli(['token', 'list'])).stdout).toContain('lab feed');
      expect((await runCli(['token', 'list', '--data', data])).stdout).not.toContain('lab feed');
      const both = await runCli(['token', 'list', '--data', data, '--store', database.server]);
      expect(both).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/give one\.\n$/) });
    });

    test('is not begun by a role that may change the trail, nor where it has no tables', async () => {
      const database = await migratedDatabase();
      onTestFinished(() => database.remove());
      const refused = await runCli(['token', 'list', '--store', database.keeper]);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^This role may change the/) });
      const other = database.server.replace(/[^/]+$/, 'postgres');
      const bare = await runCli(['token', 'list', '--store', other]);
      expect(bare).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The database has version 0/) });
    });

    test('is opened with the password of the file of passwords, as a server does', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-token-'));
      const cluster = join(folder, 'cluster');
      onTestFinished(() => {
        stopCluster(cluster);
        rmSync(folder, { recursive: true });
      });
      const asked = 'host all server all scram-sha-256\n';
      const prepare = (of: string) => {
        const path = join(of, 'pg_hba.conf');
        writeFileSync(path, asked + readFileSync(path, 'utf8'));
      };
      const port = await startCluster(cluster, { prepare });
      const admin = new pg.Client({ host: '127.0.0.1', port, user: 'admin', database: 'postgres' });
      await admin.connect();
      await admin.query(`CREATE ROLE server LOGIN PASSWORD 'kept secret'`);
      await admin.end();
      await migrate(`postgres://admin@127.0.0.1:${port}/postgres`, 'server');
      const file = join(folder, 'pgpass');
      writeFileSync(file, '*:*:postgres:server:kept secret\n', { mode: 0o600 });
      vi.stubEnv('PGPASSFILE', file);
      onTestFinished(() => void vi.unstubAllEnvs());
      const list = () => runCli(['token', 'list', '--store', `postgres://server@127.0.0.1:${port}/postgres`]);
      expect(await list()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ID +NAME/) });
      writeFileSync(file, '');
      expect(await list()).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/asks for a password: set/),
      });
    });
  },
);
