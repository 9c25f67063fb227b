/** Rejected moves, differences and damage: everything is reported. */
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { openRecordStore } from '../../store/sqlite/sqlite-store.ts';
import { connect } from '../../sqlite/sqlite.ts';
import {
  auditKey,
  auditSecret,
  listProblems,
  fill,
  Places,
  withServer,
  type ServedStore,
} from '../../testing/moved-store.ts';
import { postgresPrograms, testDatabase } from '../../testing/postgres.ts';
import { runCli } from '../../testing/run-cli.ts';
import { carePlan, type Json } from '../../testing/test-server.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const create = ({ ask }: Pick<ServedStore, 'ask'>) =>
  ask('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p'));

/** Runs a move without reports. It stops at the first progress of a step. */
function runMove(from: string, to: string, stopAt?: string): ReturnType<typeof move> {
  return move(
    { from, to, key: auditKey },
    {
      report: () => undefined,
      reportProgress(_done, _total, unit) {
        if (unit === stopAt) throw new Error('Stopped.');
      },
    },
  );
}

describe.skipIf(!postgresPrograms())('move (not run where PostgreSQL is not installed)', () => {
  let full = '';
  beforeAll(async () => {
    full = places.folder();
    await withServer(full, fill);
  });

  test('rejects unsuitable, missing, busy and non-empty stores and leaves them unchanged', async () => {
    const store = await places.store();
    const otherFolder = places.folder();
    await withServer(otherFolder, create);
    await expect(runMove(full, places.folder())).rejects.toThrow(
      'One of --from and --to must be a data folder',
    );
    await expect(runMove(store.address, store.keeper)).rejects.toThrow(
      'One of --from and --to must be a data folder',
    );
    await expect(runMove(places.folder(), store.keeper)).rejects.toThrow('doesn’t exist');
    await withServer(otherFolder, () =>
      expect(runMove(otherFolder, store.keeper)).rejects.toMatchObject({ errorCode: 'in-use' }),
    );
    await expect(runMove(full, store.address)).rejects.toThrow('In --to, use the role that owns the tables');
    const emptyDatabase = await testDatabase();
    await expect(runMove(full, emptyDatabase?.keeper ?? '')).rejects.toThrow('has schema version 0');
    await emptyDatabase?.remove();
    await withServer(store.address, create);
    await expect(runMove(full, store.keeper)).rejects.toThrow('is not empty: it has versions');
    await expect(runMove(store.address, otherFolder)).rejects.toThrow('contains records, or did');
    writeFileSync(join(otherFolder, '..', 'file'), '');
    await expect(runMove(store.address, join(otherFolder, '..', 'file'))).rejects.toMatchObject({
      errorCode: 'not-a-folder',
    });
    expect(await listProblems(otherFolder)).toEqual([]);
  });

  test('rejects a move from or to a store with a writing server', async () => {
    const store = await places.store();
    await withServer(store.address, async (server) => {
      await create(server);
      await expect(runMove(store.address, places.folder())).rejects.toThrow(
        'Servers are writing to postgres://',
      );
      await expect(runMove(full, store.keeper)).rejects.toThrow('Servers are writing to postgres://');
    });
  });

  test('blocks writes of an idle server until the move has finished', async () => {
    const store = await places.store();
    const idle = await openPostgresStore(store.address, auditKey);
    const row = { name: 'person', key: '["x"]', body: '{"id":"x","name":"Late"}' };
    const [write, share] = [
      () => idle.findings.write(1, []),
      () => idle.rows.write([{ ...row, knownStamp: undefined }]),
    ];
    await expect(runMove(full, store.keeper, 'rows compared')).rejects.toThrow('Stopped.');
    await expect(write()).rejects.toThrow('A move into this store is incomplete');
    await expect(share()).rejects.toThrow('A move into this store is incomplete');
    await runMove(full, store.keeper);
    await expect(write()).resolves.toBeUndefined();
    await expect(share()).resolves.toMatchObject([{ key: row.key }]);
    await idle.close();
  });

  test('rejects another source and reports the result of a completed move again', async () => {
    const [store, folder, otherFolder] = [await places.store(), places.folder(), places.folder()];
    await withServer(otherFolder, create);
    await expect(runMove(full, store.keeper, 'rows copied')).rejects.toThrow('Stopped.');
    await expect(runMove(otherFolder, store.keeper)).rejects.toThrow(
      `records of another store, from ${full}`,
    );
    const result = await runMove(full, store.keeper);
    expect(await runMove(full, store.keeper)).toEqual(result);
    await expect(runMove(store.address, folder, 'rows copied')).rejects.toThrow('Stopped.');
    const back = await runMove(store.address, folder);
    expect(await runMove(store.address, folder)).toEqual(back);
  });

  test('reports differences at the destination, exits with 1 and blocks servers', async () => {
    const store = await places.store();
    await expect(runMove(full, store.keeper, 'rows compared')).rejects.toThrow('Stopped.');
    await store.admin((client) =>
      client.query(`SET session_replication_role = replica; SET search_path = chartkeeper;
        UPDATE version SET body = replace(body, 'Note', 'Nope') WHERE pk = (SELECT max(pk) FROM version WHERE type = 'Composition');
        DELETE FROM version WHERE id = 'no-intent'; UPDATE finding_state SET note = 'Other.' WHERE note IS NOT NULL`),
    );
    const keyFile = join(full, '..', 'key');
    writeFileSync(keyFile, `${auditSecret}\n`, { mode: 0o600 });
    const command = ['move', '--from', full, '--to', store.keeper, '--audit-key-file', keyFile];
    const { code, stdout } = await runCli(command);
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines).toContain('Different: CarePlan/no-intent, version 1: it is not there.');
    expect(lines).toContain('Different: CarePlan/bad-status, version 1: different content.');
    expect(stdout).toMatch(/^Different: Composition\/[\w-]+, version 1: different content\.$/m);
    await expect(openPostgresStore(store.address)).rejects.toThrow('A move into this store is incomplete');
  });

  test('reports differences in tables that are copied again', async () => {
    const [store, folder] = [await places.store(), places.folder()];
    await runMove(full, store.keeper);
    const messages: string[] = [];
    let isChanged = false;
    const changeDestination = () => {
      const workspace = connect(join(folder, 'workspace.db'));
      workspace.exec(
        "DELETE FROM token; INSERT INTO person VALUES ('x', 'X'); UPDATE draft SET title = 'Other'",
      );
      workspace.close();
    };
    const result = await move(
      { from: store.address, to: folder, key: auditKey },
      {
        report: (sentence) => messages.push(sentence.replaceAll(/[0-9a-f-]{36}/g, 'ID')),
        reportProgress(_done, _total, unit) {
          if (unit === 'rows compared' && !isChanged) changeDestination();
          isChanged ||= unit === 'rows compared';
        },
      },
    );
    expect(result).toBeUndefined();
    expect(messages).toEqual([
      'Different: tokens ["ID"]: it is not there.',
      'Different: people ["x"]: missing in the source.',
      'Different: drafts ["one"]: different content.',
    ]);
  });

  test('moves changes made at the source while stopped and reports erasures as differences', async () => {
    const [source, store] = [places.folder(), await places.store()];
    const erasedRecord = await withServer(source, async (server) => {
      await create(server);
      return create(server);
    });
    await expect(runMove(source, store.keeper, 'rows compared')).rejects.toThrow('Stopped.');
    const changedId = await withServer(source, async (server) => {
      const { id } = await create(server);
      const nextText = carePlan('Patient/q', `,"id":"${erasedRecord.id}"`);
      await server.ask('PUT', `/fhir-r4/v1/CarePlan/${erasedRecord.id}`, nextText);
      return id as string;
    });
    await expect(runMove(source, store.keeper, 'records indexed')).rejects.toThrow('Stopped.');
    await runMove(source, store.keeper);
    await withServer(store.address, async ({ ask }) => {
      expect((await ask('GET', `/fhir-r4/v1/CarePlan/${changedId}`)).id).toBe(changedId);
      expect((await ask('GET', `/fhir-r4/v1/CarePlan/${erasedRecord.id}/_history`)).total).toBe(2);
      expect((await ask('GET', '/fhir-r4/v1/CarePlan?subject=Patient/q')).total).toBe(1);
    });
    const otherStore = await places.store();
    await expect(runMove(source, otherStore.keeper, 'rows compared')).rejects.toThrow('Stopped.');
    const erasure = { type: 'CarePlan', id: changedId, reason: 'Asked for.' };
    await withServer(source, ({ ask }) => ask('POST', '/app/erasures', erasure));
    expect(await runMove(source, otherStore.keeper)).toBeUndefined();
  });

  test('moves a damaged text unchanged, reports it and detects it in both engines', async () => {
    const [source, store, back] = [places.folder(), await places.store(), places.folder()];
    const [intactRecord, damagedRecord, invalidRecord] = await withServer(source, async (server) => [
      await create(server),
      await create(server),
      await create(server),
    ]);
    const database = connect(join(source, 'records.db'));
    const damages = [
      [damagedRecord.id, "CAST(replace(body, 'active', 'actove') AS TEXT)"],
      // A byte that is invalid UTF-8, and one that PostgreSQL cannot store in text.
      [invalidRecord.id, "CAST(x'7bff00' || CAST(body AS BLOB) AS TEXT)"],
    ] as const;
    for (const [id, text] of damages)
      database.prepare(`UPDATE version SET body = ${text}, crc32 = NULL WHERE id = ?`).run(id);
    database.close();
    const keyFile = join(source, '..', 'key');
    writeFileSync(keyFile, `${auditSecret}\n`, { mode: 0o600 });
    const assertMoved = async (from: string, to: string) => {
      const { code, stdout, stderr } = await runCli([
        'move',
        '--from',
        from,
        '--to',
        to,
        '--audit-key-file',
        keyFile,
      ]);
      expect([code, stderr]).toEqual([1, '']);
      const messages = damages.map(
        ([id]) => `In the source: CarePlan/${id}, version 1: its text is damaged.`,
      );
      expect(stdout.split('\n').slice(0, 2)).toEqual(messages);
      expect(stdout).toContain(
        'The move is complete. The 2 problems listed above already existed in the source.',
      );
    };
    await assertMoved(source, store.keeper);
    const logLines: string[] = [];
    const log = (line: string) => void logLines.push(line);
    const assertDamaged = async ({ ask }: ServedStore) => {
      for (const [id] of damages)
        await expect(ask('GET', `/fhir-r4/v1/CarePlan/${id}`)).rejects.toThrow('damaged');
      expect((await ask('GET', `/fhir-r4/v1/CarePlan/${intactRecord.id}`)).id).toBe(intactRecord.id);
    };
    await withServer(store.address, assertDamaged, { log });
    expect(logLines.splice(0).join()).toContain('a stored text is damaged');
    await assertMoved(store.address, back);
    const page = await withServer(back, ({ ask }) => ask('GET', '/fhir-r4/v1/CarePlan?_sort=-_lastUpdated'), {
      log,
    });
    const types = page.entry.map(({ resource }: Json) => resource.resourceType);
    expect(types.sort()).toEqual(['CarePlan', 'OperationOutcome', 'OperationOutcome']);
    expect(await listProblems(back)).toEqual(
      damages.map(([id]) => `CarePlan/${id}, version 1 has a damaged text.`),
    );
  });

  test('reports data that is not moved and moves an empty store', async () => {
    const [source, store] = [places.folder(), await places.store()];
    await withServer(source, ({ ask }) => ask('GET', '/app/overview'));
    await mkdir(join(source, 'packages', 'a-package'), { recursive: true });
    const messages: string[] = [];
    const result = await move(
      { from: source, to: store.keeper, key: auditKey },
      { report: (sentence) => messages.push(sentence), reportProgress: () => undefined },
    );
    expect(messages).toEqual([
      'In the source: Packages (1) are not moved. Add them to the shared store in the page, or with chartkeeper packages add.',
    ]);
    expect(result?.found).toBe(1);
    const [emptyFolder, emptyStore] = [places.folder(), await places.store()];
    await (await openRecordStore(join(emptyFolder, 'records.db'))).close();
    await runMove(emptyFolder, emptyStore.keeper);
    await withServer(emptyStore.address, async (server) => {
      await create(server);
      expect(await server.ask('POST', '/app/audit/verify')).not.toHaveProperty('broken');
    });
  });

  test('prints counts and a digest, and repeats them for a completed move', async () => {
    const [source, store] = [places.folder(), await places.store()];
    await withServer(source, fill, { sealed: false });
    const firstRun = await runCli(['move', '--from', source, '--to', store.keeper]);
    expect([firstRun.code, firstRun.stderr]).toEqual([0, '']);
    expect(firstRun.stdout).toMatch(/^ +8 records$/m);
    expect(firstRun.stdout).toMatch(/^SHA-256 of all of it, the same in both: [0-9a-f]{64}$/m);
    expect(firstRun.stdout).toContain('Secrets of connections were not moved');
    const secondRun = await runCli(['move', '--from', source, '--to', store.keeper]);
    expect(secondRun.code).toBe(0);
    expect(secondRun.stdout).toContain(`already has everything from ${source}. Nothing was done.`);
    expect(secondRun.stdout).toContain(/[0-9a-f]{64}/.exec(firstRun.stdout)?.[0]);
  });
});
