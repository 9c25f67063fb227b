/**
 * Erasures of a shared store, beyond the contract: rights, several servers and later writes of the same id.
 */
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTransaction } from '../../testing/held-transaction.ts';
import { newComposition } from '../../testing/new-composition.ts';
import { emptyStore, testDatabase } from '../../testing/postgres.ts';
import type { ErasureRequest } from '../../store/store.ts';
import { readAddress } from './address.ts';
import { Postgres } from './connection.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const rule = { rule: 'ext-1', severity: 'warning', category: 'conformance', pointer: '/a' } as const;

const version = (id: string) => {
  const subject = { reference: 'Patient/p' };
  const members = { title: 'Quokka', date: '2026', subject, identifier: { system: 'urn:x', value: id } };
  return newComposition(id, 1, members, [rule]);
};

const createErasing = (id: string, members: Partial<ErasureRequest> = {}): ErasureRequest => ({
  type: 'Composition',
  id,
  who: 'owner',
  reason: 'Asked for.',
  ...members,
});

const eraseSql = "SELECT erase($1, $2, 0::bigint, 'owner', NULL, $3)";
const entrySql = `INSERT INTO audit (node, seq, time, who, action, what, status, request_id)
  SELECT 99, coalesce(max(seq), 0) + 1, 0, 'owner', 'erase', $1, 0, '' FROM audit WHERE node = 99`;

describe.skipIf(!database)('erasure (not run where PostgreSQL is not installed)', () => {
  const { address = '', admin } = database ?? {};
  const count = async (text: string): Promise<number> => {
    const answer = await admin?.((client) =>
      client.query(`SELECT count(*)::integer AS n FROM chartkeeper.${text}`),
    );
    return Number(answer?.rows[0]?.n);
  };
  let store: PostgresStore;
  let session: Postgres;
  beforeEach(async () => {
    if (database) await emptyStore(database);
    store = await openPostgresStore(address);
    session = new Postgres(readAddress(address), 1);
    onTestFinished(async () => {
      await store.close();
      await session.close();
    });
  });

  /** Erases a record in an open transaction of another server. Returns the function that commits it. */
  const startErasure = (id: string) =>
    openTransaction(address, async (transaction) => {
      await transaction.rows({ text: eraseSql, values: ['Composition', id, 'Asked for.'] });
      await transaction.rows({ text: entrySql, values: [`Composition/${id}: Asked for.`] });
    });

  /** Resolves when a session waits for a lock, or when the work has ended. */
  async function waitForLock(work: Promise<unknown>): Promise<void> {
    let isFinished = false;
    void work.finally(() => (isFinished = true)).catch(() => undefined);
    const locks =
      'pg_locks l JOIN pg_database d ON d.oid = l.database OR l.database IS NULL WHERE NOT granted';
    const isWaiting = async () => {
      const answer = await admin?.((client) =>
        client.query(`SELECT 1 FROM ${locks} AND d.datname = current_database()`),
      );
      return isFinished || (answer?.rows.length ?? 0) > 0;
    };
    await expect.poll(isWaiting, { interval: 5 }).toBe(true);
  }

  test('leaves no row of any table that describes the record', async () => {
    await store.insert(version('kept'));
    await store.insert(version('one'));
    const noteChange = {
      newState: { set: 'note', note: 'Quokka' },
      actor: { who: 'a', requestId: '' },
      now: 0,
    } as const;
    await store.findings.say([{ type: 'Composition', id: 'one', rule: 'ext-1', pointer: '/a' }], noteChange);
    const tables = [
      'version',
      'updated',
      'reference',
      'token',
      'date_range',
      'string',
      'issue',
      'finding_state',
    ];
    const before = await Promise.all(tables.map(count));
    expect(before.every((rows) => rows > 0)).toBe(true);
    await store.erase([createErasing('one')]);
    for (const table of tables)
      expect([table, await count(`${table} WHERE record <> (SELECT pk FROM chartkeeper.record)`)]).toEqual([
        table,
        0,
      ]);
    expect(await count('record')).toBe(1);
    expect(await count("version WHERE body LIKE '%Quokka%'")).toBe(1);
  });

  test('fails at the commit without its audit entry and changes nothing', async () => {
    await store.insert(version('one'));
    await store.insert(version('other'));
    const erase = (id: string, ...entries: string[]) =>
      session.transaction(async (transaction) => {
        await transaction.rows({ text: eraseSql, values: ['Composition', id, 'Asked for.'] });
        for (const target of entries) await transaction.rows({ text: entrySql, values: [target] });
      });
    await expect(erase('one')).rejects.toThrow('has its entry');
    await expect(erase('one', 'Composition/other: Asked for.')).rejects.toThrow('has its entry');
    expect(await store.read('Composition', 'one')).toHaveProperty('text');
    await erase('one', 'Composition/one: Asked for.');
    // An entry of another transaction does not count.
    await session.rows({ text: entrySql, values: ['Composition/other: Asked for.'] });
    await expect(erase('other')).rejects.toThrow('has its entry');
    expect(await store.read('Composition', 'other')).toHaveProperty('text');
    expect(await count('erased')).toBe(1);
  });

  test.each([
    ['no type', ['a; DROP', 'one', 'x']],
    ['no id', ['Composition', '../one', 'x']],
    ['no reason', ['Composition', 'one', '']],
    ['nothing', ['Composition', 'one', null]],
  ])('rejects an erasure with %s', async (_name, values) => {
    await store.insert(version('one'));
    await expect(session.rows({ text: eraseSql, values })).rejects.toThrow('an erasure names');
  });

  test("gives a server's role no other way to remove a record or to change the list", async () => {
    for (const text of [
      'DELETE FROM record',
      'DELETE FROM updated',
      'DELETE FROM erased',
      "UPDATE erased SET id = 'x'",
      "INSERT INTO erased VALUES ('A', 'b', 0, 'w', NULL, 'r', 0)",
      'ALTER TABLE erased DISABLE TRIGGER ALL',
      'DROP TRIGGER was_not_erased ON record',
    ])
      await expect(session.rows({ text }), text).rejects.toMatchObject({ code: '42501' });
  });

  test('rejects every later write of the erased id', async () => {
    await store.insert(version('one'));
    await store.erase([createErasing('one')]);
    const [sameId, ...otherIds] = await Promise.all([
      store.insert(version('one')),
      // Writes that share the commit are stored.
      ...['a', 'b'].map((id) => store.insert(version(id))),
    ]);
    expect([sameId, otherIds]).toEqual(['erased', ['stored', 'stored']]);
    expect(await store.read('Composition', 'one')).toBeUndefined();
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('makes an insert of the same id wait for the commit, then rejects it', async () => {
    await store.insert(version('one'));
    const commit = await startErasure('one');
    const inserting = store.insert(version('one'));
    await waitForLock(inserting);
    await commit();
    expect(await inserting).toBe('erased');
    expect(await count('version')).toBe(0);
  });

  test('makes a state of a finding wait for the commit, then discards it', async () => {
    await store.insert(version('one'));
    const commit = await startErasure('one');
    const noteChange = {
      newState: { set: 'note', note: 'Quokka' },
      actor: { who: 'a', requestId: '' },
      now: 0,
    } as const;
    const writingState = store.findings.say(
      [{ type: 'Composition', id: 'one', rule: 'ext-1', pointer: '/a' }],
      noteChange,
    );
    await waitForLock(writingState);
    await commit();
    expect(await writingState).toEqual({ changed: 0, gone: 1 });
    expect(await count('finding_state')).toBe(0);
  });

  test('runs once at two servers and waits for a concurrent change', async () => {
    const secondServer = await openPostgresStore(address);
    for (let round = 0; round < 5; round += 1) {
      const id = `r-${round}`;
      await store.insert(version(id));
      const [replaceResult, ...names] = await Promise.all([
        store.replace({ ...version(id), version: 2, operation: 'update' }, 1),
        store.erase([createErasing(id)]),
        secondServer.erase([createErasing(id)]),
      ]);
      expect(names.flat()).toEqual([`Composition/${id}`]);
      expect(['stored', 'stale']).toContain(replaceResult);
    }
    await secondServer.close();
    expect([await count('record'), await count('version'), await count('token')]).toEqual([0, 0, 0]);
    expect(await count("audit WHERE action = 'erase'")).toBe(5);
  });
});
