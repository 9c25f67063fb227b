/** Audit logs of moved stores. Each chain keeps its seals in every engine. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AuditLogWriter } from '../../store/sqlite/audit-log-writer.ts';
import { recordMigrations } from '../../store/sqlite/migrations.ts';
import { closeDatabase, openDatabase } from '../../sqlite/open-database.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { connect } from '../../sqlite/sqlite.ts';
import {
  auditKey,
  listProblems,
  readAuditEvents,
  Places,
  withServer,
  type ServedStore,
} from '../../testing/moved-store.ts';
import { postgresPrograms } from '../../testing/postgres.ts';
import { tamper } from '../../testing/tamper.ts';
import { carePlan } from '../../testing/test-server.ts';
import { keptOutsideIn } from '../../workspace/audit-anchor.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const quiet = { report: (message: string) => expect.fail(message), reportProgress: () => undefined };
const create = ({ ask }: ServedStore) => ask('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p'));
const assertIntact = async ({ ask }: ServedStore) =>
  expect(await ask('POST', '/app/audit/verify')).not.toHaveProperty('broken');

/** Two servers of a store write in turn, each to its own chain. */
async function writeAtTwo(address: string): Promise<void> {
  await withServer(address, (firstServer) =>
    withServer(address, async (secondServer) => {
      for (let round = 0; round < 3; round += 1)
        for (const server of [firstServer, secondServer]) await create(server);
      await assertIntact(firstServer);
    }),
  );
}

/** Returns chain and number of each entry in order. */
function chainsIn(folder: string): string[] {
  const database = connect(join(folder, 'records.db'), { readonly: true });
  const rows = new AuditLogWriter(database).readChained(0, 10_000);
  database.close();
  return rows.map(({ chain, row }) => `${chain}:${row[0]}`);
}

describe.skipIf(!postgresPrograms())('moved chains (not run where PostgreSQL is not installed)', () => {
  test('moves chains of several servers to a folder and back, and keeps each intact', async () => {
    const [firstStore, folder, secondStore] = [await places.store(), places.folder(), await places.store()];
    await writeAtTwo(firstStore.address);
    const before = await withServer(firstStore.address, (server) => readAuditEvents(server));
    await move({ from: firstStore.address, to: folder, key: auditKey }, quiet);
    expect(await listProblems(folder)).toEqual([]);
    expect(new Set(chainsIn(folder).map((entry) => entry.split(':')[0]))).toEqual(new Set(['1', '2']));
    await withServer(folder, async (server) => {
      await create(server);
      await assertIntact(server);
      // The last requests add entries at the end.
      expect((await readAuditEvents(server)).slice(0, before.length)).toEqual(before);
    });
    expect(await listProblems(folder)).toEqual([]);
    await move({ from: folder, to: secondStore.keeper, key: auditKey }, quiet);
    await writeAtTwo(secondStore.address);
    const lastFolder = places.folder();
    await move({ from: secondStore.address, to: lastFolder, key: auditKey }, quiet);
    expect(await listProblems(lastFolder)).toEqual([]);
    const numbers = chainsIn(lastFolder);
    for (const chain of ['1', '2']) {
      const chainNumbers = numbers.filter((entry) => entry.startsWith(`${chain}:`));
      expect(chainNumbers).toEqual(chainNumbers.map((_, index) => `${chain}:${index + 1}`));
    }
  });

  test.each([
    [
      'is changed',
      "UPDATE audit SET who = 'nobody' WHERE chain = 2 AND number = 2",
      'in the chain of server 2, it was changed',
    ],
    [
      'is removed',
      'DELETE FROM audit WHERE chain = 2 AND number = 2',
      'in the chain of server 2, it is missing',
    ],
    [
      'is the last and is removed',
      'DELETE FROM audit WHERE chain = 2 AND number = (SELECT max(number) FROM audit WHERE chain = 2)',
      'in the chain of server 2, it is not the one that an entry names as its end',
    ],
    ['is of a chain that is taken away', 'DELETE FROM audit WHERE chain = 2', 'names as its end'],
  ])('reports an entry of another server’s chain that %s', async (_description, sql, reason) => {
    const [store, folder] = [await places.store(), places.folder()];
    await writeAtTwo(store.address);
    await move({ from: store.address, to: folder, key: auditKey }, quiet);
    tamper(join(folder, 'records.db'), sql);
    expect((await listProblems(folder)).join('\n')).toContain(reason);
  });

  test('logs ends and source of the moved chains and reports a truncated chain', async () => {
    const [store, folder, otherStore] = [await places.store(), places.folder(), await places.store()];
    await writeAtTwo(store.address);
    await move({ from: store.address, to: folder, key: auditKey }, quiet);
    await withServer(folder, async ({ ask }) => {
      const [entry] = (await ask('GET', '/app/audit?action=move')).entries;
      expect(entry).toMatchObject({ who: 'owner', status: 0, requestId: '' });
      expect(entry.what).toMatch(
        /^1:\d+:[0-9a-f]{32} 2:\d+:[0-9a-f]{32} from postgres:\/\/127\.0\.0\.1:\d+\/t_\w+$/,
      );
    });
    tamper(join(folder, 'records.db'), 'DELETE FROM audit WHERE seq > 5');
    const messages: string[] = [];
    const reporter = { report: (message: string) => messages.push(message), reportProgress: () => undefined };
    const result = await move({ from: folder, to: otherStore.keeper, key: auditKey }, reporter);
    expect(result?.found).toBe(1);
    expect(messages.join()).toMatch(/The audit log ends at entry 5/);
  });

  test('reports a chain that ends before the end its server recorded', async () => {
    const [store, folder] = [await places.store(), places.folder()];
    await writeAtTwo(store.address);
    await store.admin((client) =>
      client.query(
        `SET session_replication_role = replica; SET search_path = chartkeeper;
         DELETE FROM audit WHERE node = 2 AND seq = (SELECT max(seq) FROM audit WHERE node = 2)`,
      ),
    );
    const messages: string[] = [];
    const reporter = { report: (message: string) => messages.push(message), reportProgress: () => undefined };
    expect((await move({ from: store.address, to: folder, key: auditKey }, reporter))?.found).toBe(1);
    expect(messages.join()).toContain('in the chain of server 2, it is missing');
  });

  test('continues a long audit log and stores its head outside the destination folder', async () => {
    const [source, store, folder] = [places.folder(), await places.store(), places.folder()];
    await withServer(source, create);
    const database = openDatabase(join(source, 'records.db'), recordMigrations);
    const entry = { time: 1, who: 'a', action: 'read', what: '/x', status: 200, requestId: '' } as const;
    database
      .transaction(() =>
        new AuditLogWriter(database, auditKey).add(Array.from({ length: 1234 }, () => entry)),
      )
      .immediate();
    closeDatabase(database);
    await move({ from: source, to: store.keeper, key: auditKey }, quiet);
    await withServer(store.address, async (server) => {
      await create(server);
      await assertIntact(server);
    });
    await move({ from: store.address, to: folder, key: auditKey }, quiet);
    expect(keptOutsideIn(join(folder, 'workspace.db'))?.head?.seq).toBe(chainsIn(folder).length);
  });

  test('adds no second move entry if the move stopped after the first', async () => {
    const [store, folder] = [await places.store(), places.folder()];
    await withServer(store.address, create);
    await move({ from: store.address, to: folder, key: auditKey }, quiet);
    const before = chainsIn(folder);
    renameSync(join(folder, 'moved.json'), join(folder, 'move.json'));
    await move({ from: store.address, to: folder, key: auditKey }, quiet);
    expect(chainsIn(folder)).toEqual(before);
    expect(await listProblems(folder)).toEqual([]);
  });

  test('requires the key of a sealed audit log', async () => {
    const [folder, store] = [places.folder(), await places.store()];
    await withServer(folder, create);
    const moveResult = move({ from: folder, to: store.keeper }, quiet);
    await expect(moveResult).rejects.toThrow('sealed with a key. Name the key in --audit-key-file');
    await expect(openPostgresStore(store.address).then((store) => store.close())).resolves.toBeUndefined();
  });
});
