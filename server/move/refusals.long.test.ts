/** What a move refuses, what differs, what was damaged before: nothing of it is left unsaid. */
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { connect } from '../store/sqlite/sqlite.ts';
import {
  auditKey,
  auditSecret,
  damageIn,
  fill,
  Places,
  served,
  type Served,
} from '../testing/moved-store.ts';
import { postgresPrograms, testDatabase } from '../testing/postgres.ts';
import { runCli } from '../testing/run-cli.ts';
import { carePlan, type Json } from '../testing/test-server.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const create = ({ ask }: Pick<Served, 'ask'>) => ask('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p'));

/** A move that is told to nobody, and is stopped where it tells for the first time of a part of the work. */
function moving(from: string, to: string, stopAt?: string): ReturnType<typeof move> {
  return move(
    { from, to, key: auditKey },
    {
      say: () => undefined,
      reached(_done, _total, unit) {
        if (unit === stopAt) throw new Error('Stopped.');
      },
    },
  );
}

describe.skipIf(!postgresPrograms())('a move (not run where PostgreSQL is not installed)', () => {
  let full = '';
  beforeAll(async () => {
    full = places.folder();
    await served(full, fill);
  });

  test('what is no two engines, is not there, is in use or is not empty is refused, and is left as it was', async () => {
    const store = await places.store();
    const other = places.folder();
    await served(other, create);
    await expect(moving(full, places.folder())).rejects.toThrow('one is a data folder, and the other');
    await expect(moving(store.server, store.keeper)).rejects.toThrow('one is a data folder, and the other');
    await expect(moving(places.folder(), store.keeper)).rejects.toThrow('is not there');
    await served(other, () => expect(moving(other, store.keeper)).rejects.toMatchObject({ fault: 'in-use' }));
    await expect(moving(full, store.server)).rejects.toThrow('Name in --to the role that owns the tables');
    const bare = await testDatabase();
    await expect(moving(full, bare?.keeper ?? '')).rejects.toThrow('version 0 of the schema');
    await bare?.remove();
    await served(store.server, create);
    await expect(moving(full, store.keeper)).rejects.toThrow('is not empty: it has versions');
    await expect(moving(store.server, other)).rejects.toThrow('holds records already');
    writeFileSync(join(other, '..', 'file'), '');
    await expect(moving(store.server, join(other, '..', 'file'))).rejects.toMatchObject({
      fault: 'not-a-folder',
    });
    expect(await damageIn(other)).toEqual([]);
  });

  test('a store to which a server writes is not moved, nor moved into', async () => {
    const store = await places.store();
    await served(store.server, async (server) => {
      await create(server);
      await expect(moving(store.server, places.folder())).rejects.toThrow('Servers write to postgres://');
      await expect(moving(full, store.keeper)).rejects.toThrow('Servers write to postgres://');
    });
  });

  test('a server that was there before a move, and wrote nothing yet, writes nothing until it has ended', async () => {
    const store = await places.store();
    const idle = await openPostgresStore(store.server, auditKey);
    const row = { name: 'person', key: '["x"]', body: '{"id":"x","name":"Late"}' };
    const [write, share] = [
      () => idle.findings.write(1, []),
      () => idle.rows.write([{ ...row, known: undefined }]),
    ];
    await expect(moving(full, store.keeper, 'rows compared')).rejects.toThrow('Stopped.');
    await expect(write()).rejects.toThrow('the move has not ended');
    await expect(share()).rejects.toThrow('the move has not ended');
    await moving(full, store.keeper);
    await expect(write()).resolves.toBeUndefined();
    await expect(share()).resolves.toMatchObject([{ key: row.key }]);
    await idle.close();
  });

  test('another store than the one that was begun with is refused; one that has come is told again', async () => {
    const [store, folder, other] = [await places.store(), places.folder(), places.folder()];
    await served(other, create);
    await expect(moving(full, store.keeper, 'rows copied')).rejects.toThrow('Stopped.');
    await expect(moving(other, store.keeper)).rejects.toThrow(`records of another store, from ${full}`);
    const moved = await moving(full, store.keeper);
    expect(await moving(full, store.keeper)).toEqual(moved);
    await expect(moving(store.server, folder, 'rows copied')).rejects.toThrow('Stopped.');
    const back = await moving(store.server, folder);
    expect(await moving(store.server, folder)).toEqual(back);
  });

  test('what is another at the destination is named, the exit code says so, and no server is let in', async () => {
    const store = await places.store();
    await expect(moving(full, store.keeper, 'rows compared')).rejects.toThrow('Stopped.');
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
    expect(lines).toContain('Different: CarePlan/bad-status, version 1: it is another.');
    expect(stdout).toMatch(/^Different: Composition\/[\w-]+, version 1: it is another\.$/m);
    await expect(openPostgresStore(store.server)).rejects.toThrow('the move has not ended');
  });

  test('what is another among the rows that begin anew is named, too', async () => {
    const [store, folder] = [await places.store(), places.folder()];
    await moving(full, store.keeper);
    const said: string[] = [];
    let touched = false;
    const touch = () => {
      const workspace = connect(join(folder, 'workspace.db'));
      workspace.exec(
        "DELETE FROM token; INSERT INTO person VALUES ('x', 'X'); UPDATE draft SET title = 'Other'",
      );
      workspace.close();
    };
    const moved = await move(
      { from: store.server, to: folder, key: auditKey },
      {
        say: (sentence) => said.push(sentence.replaceAll(/[0-9a-f-]{36}/g, 'ID')),
        reached(_done, _total, unit) {
          if (unit === 'rows compared' && !touched) touch();
          touched ||= unit === 'rows compared';
        },
      },
    );
    expect(moved).toBeUndefined();
    expect(said).toEqual([
      'Different: tokens ["ID"]: it is not there.',
      'Different: people ["x"]: the source does not have it.',
      'Different: drafts ["one"]: it is another.',
    ]);
  });

  test('what changed in the source while a move was stopped is moved, or named where it went', async () => {
    const [source, store] = [places.folder(), await places.store()];
    const erased = await served(source, async (server) => {
      await create(server);
      return create(server);
    });
    await expect(moving(source, store.keeper, 'rows compared')).rejects.toThrow('Stopped.');
    const changed = await served(source, async (server) => {
      const { id } = await create(server);
      const next = carePlan('Patient/q', `,"id":"${erased.id}"`);
      await server.ask('PUT', `/fhir-r4/v1/CarePlan/${erased.id}`, next);
      return id as string;
    });
    await expect(moving(source, store.keeper, 'records indexed')).rejects.toThrow('Stopped.');
    await moving(source, store.keeper);
    await served(store.server, async ({ ask }) => {
      expect((await ask('GET', `/fhir-r4/v1/CarePlan/${changed}`)).id).toBe(changed);
      expect((await ask('GET', `/fhir-r4/v1/CarePlan/${erased.id}/_history`)).total).toBe(2);
      expect((await ask('GET', '/fhir-r4/v1/CarePlan?subject=Patient/q')).total).toBe(1);
    });
    const again = await places.store();
    await expect(moving(source, again.keeper, 'rows compared')).rejects.toThrow('Stopped.');
    const why = { type: 'CarePlan', id: changed, reason: 'Asked for.' };
    await served(source, ({ ask }) => ask('POST', '/app/erasures', why));
    expect(await moving(source, again.keeper)).toBeUndefined();
  });

  test('a damaged text comes as it is, is named, and is known as damaged in either engine', async () => {
    const [source, store, back] = [places.folder(), await places.store(), places.folder()];
    const [sound, other, broken] = await served(source, async (server) => [
      ...[await create(server), await create(server), await create(server)],
    ]);
    const database = connect(join(source, 'records.db'));
    const damages = [
      [other.id, "CAST(replace(body, 'active', 'actove') AS TEXT)"],
      // A byte that is no UTF-8, and one that PostgreSQL keeps in no text.
      [broken.id, "CAST(x'7bff00' || CAST(body AS BLOB) AS TEXT)"],
    ] as const;
    for (const [id, text] of damages)
      database.prepare(`UPDATE version SET body = ${text}, crc32 = NULL WHERE id = ?`).run(id);
    database.close();
    const keyFile = join(source, '..', 'key');
    writeFileSync(keyFile, `${auditSecret}\n`, { mode: 0o600 });
    const moved = async (from: string, to: string) => {
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
      const said = damages.map(
        ([id]) => `In the source: CarePlan/${id}, version 1: its text is not the one that was written.`,
      );
      expect(stdout.split('\n').slice(0, 2)).toEqual(said);
      expect(stdout).toContain('The move has ended. What is named above (2) was so in the source.');
    };
    await moved(source, store.keeper);
    const logged: string[] = [];
    const log = (line: string) => void logged.push(line);
    const overStore = async ({ ask }: Served) => {
      for (const [id] of damages)
        await expect(ask('GET', `/fhir-r4/v1/CarePlan/${id}`)).rejects.toThrow('damaged');
      expect((await ask('GET', `/fhir-r4/v1/CarePlan/${sound.id}`)).id).toBe(sound.id);
    };
    await served(store.server, overStore, { log });
    expect(logged.splice(0).join()).toContain('a stored text is damaged');
    await moved(store.server, back);
    const found = await served(back, ({ ask }) => ask('GET', '/fhir-r4/v1/CarePlan?_sort=-_lastUpdated'), {
      log,
    });
    const types = found.entry.map(({ resource }: Json) => resource.resourceType);
    expect(types.sort()).toEqual(['CarePlan', 'OperationOutcome', 'OperationOutcome']);
    expect(await damageIn(back)).toEqual(
      damages.map(([id]) => `CarePlan/${id}, version 1 has a text that is not the one that was written.`),
    );
  });

  test('what no shared store keeps is said to stay behind; an empty store moves, too', async () => {
    const [source, store] = [places.folder(), await places.store()];
    await served(source, ({ ask }) => ask('GET', '/app/overview'));
    await mkdir(join(source, 'packages', 'a-package'), { recursive: true });
    const said: string[] = [];
    const moved = await move(
      { from: source, to: store.keeper, key: auditKey },
      { say: (sentence) => said.push(sentence), reached: () => undefined },
    );
    expect(said).toEqual([
      'In the source: Packages (1) stay behind: add them to the shared store, in the page or with chartkeeper packages add.',
    ]);
    expect(moved?.found).toBe(1);
    const [bare, empty] = [places.folder(), await places.store()];
    await (await openRecordStore(join(bare, 'records.db'))).close();
    await moving(bare, empty.keeper);
    await served(empty.server, async (server) => {
      await create(server);
      expect(await server.ask('POST', '/app/audit/verify')).not.toHaveProperty('broken');
    });
  });

  test('the command prints what came, and its digest; run again it says that all is there', async () => {
    const [source, store] = [places.folder(), await places.store()];
    await served(source, fill, { sealed: false });
    const first = await runCli(['move', '--from', source, '--to', store.keeper]);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/^ +8 records$/m);
    expect(first.stdout).toMatch(/^SHA-256 of all of it, the same in both: [0-9a-f]{64}$/m);
    expect(first.stdout).toContain('without their secrets');
    const again = await runCli(['move', '--from', source, '--to', store.keeper]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(`has it already, from ${source}: nothing was done.`);
    expect(again.stdout).toContain(/[0-9a-f]{64}/.exec(first.stdout)?.[0]);
  });
});
