/** Tests the tokens of a shared store while servers use it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import pg from 'pg';
import { migrate } from '../shared/postgres/migrate.ts';
import { migratedDatabase, postgresPrograms, startCluster, stopCluster } from '../testing/postgres.ts';
import { runCli } from '../testing/run-cli.ts';
import { startSharedTestServer } from '../testing/shared-server.ts';
import { sendTo } from '../testing/test-server.ts';

const feed = ['--name', 'lab feed', '--scope', 'system/CarePlan.read', 'system/Composition.cu'];

/** Parses id and token from the output of `token create`. */
function parseCreatedToken(stdout: string): readonly [id: string, token: string] {
  const [, id = '', token = ''] = /^id {5}(\S+)\ntoken {2}([A-Za-z0-9_-]{43})\n$/.exec(stdout) ?? [];
  return [id, token];
}

describe.skipIf(postgresPrograms() === undefined)(
  'a store with running servers (not run without PostgreSQL)',
  () => {
    test('creates and revokes tokens with effect on the servers and audits both', async () => {
      const database = await migratedDatabase();
      const server = await startSharedTestServer(database.address);
      onTestFinished(async () => {
        await server.remove();
        await database.remove();
      });
      const cli = (...parameters: string[]) => runCli(['token', ...parameters, '--store', database.address]);
      const [id, token] = parseCreatedToken((await cli('create', ...feed)).stdout);
      const getStatus = async () =>
        (await sendTo(server.origin, `Bearer ${token}`, 'GET', '/fhir-r4/v1/CarePlan?_count=1')).status;
      expect(await getStatus()).toBe(200);
      expect((await cli('revoke', id)).code).toBe(0);
      await expect.poll(getStatus, { interval: 20 }).toBe(401);
      const { entries } = (await server.send('GET', `/app/audit?text=${id}`)).json;
      const auditEntries = entries.map(({ action, what: tokenId, who: actor }: Record<string, string>) => [
        action,
        tokenId,
        actor,
      ]);
      expect(auditEntries).toEqual([
        ['token-revoke', id, 'owner'],
        ['token-create', id, 'owner'],
      ]);
      expect((await server.send('POST', '/app/audit/verify')).json).not.toHaveProperty('broken');
    });

    test('is found by its variable, and is not combined with a data folder', async () => {
      const database = await migratedDatabase();
      onTestFinished(() => database.remove());
      const data = mkdtempSync(join(tmpdir(), 'chartkeeper-token-'));
      onTestFinished(() => rmSync(data, { recursive: true }));
      vi.stubEnv('CHARTKEEPER_STORE', database.address);
      onTestFinished(() => void vi.unstubAllEnvs());
      await runCli(['token', 'create', ...feed]);
      expect((await runCli(['token', 'list'])).stdout).toContain('lab feed');
      expect((await runCli(['token', 'list', '--data', data])).stdout).not.toContain('lab feed');
      const rejection = await runCli(['token', 'list', '--data', data, '--store', database.address]);
      expect(rejection).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^Use either --data .+\n$/),
      });
    });

    test('rejects a role that can change the audit log, and a database without tables', async () => {
      const database = await migratedDatabase();
      onTestFinished(() => database.remove());
      const rejection = await runCli(['token', 'list', '--store', database.keeper]);
      expect(rejection).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^This role can change the/),
      });
      const emptyDatabase = database.address.replace(/[^/]+$/, 'postgres');
      const emptyRejection = await runCli(['token', 'list', '--store', emptyDatabase]);
      expect(emptyRejection).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The database has schema version 0/),
      });
    });

    test('is opened with a password from the password file', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-token-'));
      const cluster = join(folder, 'cluster');
      onTestFinished(() => {
        stopCluster(cluster);
        rmSync(folder, { recursive: true });
      });
      const passwordRule = 'host all server all scram-sha-256\n';
      const prepare = (clusterFolder: string) => {
        const path = join(clusterFolder, 'pg_hba.conf');
        writeFileSync(path, passwordRule + readFileSync(path, 'utf8'));
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
        stderr: expect.stringMatching(/needs a password. Set/),
      });
    });
  },
);
