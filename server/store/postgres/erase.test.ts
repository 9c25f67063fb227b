/** What an erasure in a shared store promises beside the contract: rights, several servers, nothing let in again. */
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { heldTransaction } from '../../testing/held-transaction.ts';
import { newComposition } from '../../testing/new-composition.ts';
import { emptied, testDatabase } from '../../testing/postgres.ts';
import type { Erasing } from '../store.ts';
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

const erasing = (id: string, more: Partial<Erasing> = {}): Erasing => ({
  ...{ type: 'Composition', id, who: 'owner', reason: 'Asked for.' },
  ...more,
});

const eraseText = "SELECT erase($1, $2, 0::bigint, 'owner', NULL, $3)";
const entryText = `INSERT INTO audit (node, seq, time, who, action, what, status, request_id)
  SELECT 99, coalesce(max(seq), 0) + 1, 0, 'owner', 'erase', $1, 0, '' FROM audit WHERE node = 99`;

describe.skipIf(!database)('an erasure (not run where PostgreSQL is not installed)', () => {
  const { server = '', admin } = database ?? {};
  const count = async (text: string): Promise<number> => {
    const answer = await admin?.((client) =>
      client.query(`SELECT count(*)::integer AS n FROM chartkeeper.${text}`),
    );
    return Number(answer?.rows[0]?.n);
  };
  let store: PostgresStore;
  let session: Postgres;
  beforeEach(async () => {
    if (database) await emptied(database);
    store = await openPostgresStore(server);
    session = new Postgres(readAddress(server), 1);
    onTestFinished(async () => {
      await store.close();
      await session.close();
    });
  });

  /** An erasure that another server has made, and not committed yet; what is answered commits it. */
  const begun = (id: string) =>
    heldTransaction(server, async (within) => {
      await within.rows({ text: eraseText, values: ['Composition', id, 'Asked for.'] });
      await within.rows({ text: entryText, values: [`Composition/${id}: Asked for.`] });
    });

  /** Resolves once somebody waits for a lock, or what would wait for one has ended. */
  async function waits(work: Promise<unknown>): Promise<void> {
    let ended = false;
    void work.finally(() => (ended = true)).catch(() => undefined);
    const locks =
      'pg_locks l JOIN pg_database d ON d.oid = l.database OR l.database IS NULL WHERE NOT granted';
    const waiting = async () => {
      const answer = await admin?.((client) =>
        client.query(`SELECT 1 FROM ${locks} AND d.datname = current_database()`),
      );
      return ended || (answer?.rows.length ?? 0) > 0;
    };
    await expect.poll(waiting, { interval: 5 }).toBe(true);
  }

  test('leaves no row of any table that describes the record', async () => {
    await store.insert(version('kept'));
    await store.insert(version('one'));
    const said = {
      said: { set: 'note', note: 'Quokka' },
      doer: { who: 'a', requestId: '' },
      now: 0,
    } as const;
    await store.findings.say([{ type: 'Composition', id: 'one', rule: 'ext-1', pointer: '/a' }], said);
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
    await store.erase([erasing('one')]);
    for (const table of tables)
      expect([table, await count(`${table} WHERE record <> (SELECT pk FROM chartkeeper.record)`)]).toEqual([
        table,
        0,
      ]);
    expect(await count('record')).toBe(1);
    expect(await count("version WHERE body LIKE '%Quokka%'")).toBe(1);
  });

  test('is refused at the commit where its entry is not in the trail, and changes nothing then', async () => {
    await store.insert(version('one'));
    await store.insert(version('other'));
    const erase = (id: string, ...entries: string[]) =>
      session.transaction(async (within) => {
        await within.rows({ text: eraseText, values: ['Composition', id, 'Asked for.'] });
        for (const what of entries) await within.rows({ text: entryText, values: [what] });
      });
    await expect(erase('one')).rejects.toThrow('has its entry');
    await expect(erase('one', 'Composition/other: Asked for.')).rejects.toThrow('has its entry');
    expect(await store.read('Composition', 'one')).toHaveProperty('text');
    await erase('one', 'Composition/one: Asked for.');
    // Nor does one of another transaction do.
    await session.rows({ text: entryText, values: ['Composition/other: Asked for.'] });
    await expect(erase('other')).rejects.toThrow('has its entry');
    expect(await store.read('Composition', 'other')).toHaveProperty('text');
    expect(await count('erased')).toBe(1);
  });

  test.each([
    ['no type', ['a; DROP', 'one', 'x']],
    ['no id', ['Composition', '../one', 'x']],
    ['no reason', ['Composition', 'one', '']],
    ['nothing', ['Composition', 'one', null]],
  ])('names what it erases, and why: %s is refused', async (_name, values) => {
    await store.insert(version('one'));
    await expect(session.rows({ text: eraseText, values })).rejects.toThrow('an erasure names');
  });

  test('is the only way: a server’s role lists none, takes none from the list and removes no record', async () => {
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

  test('lets nothing of its name in again, whoever stores it', async () => {
    await store.insert(version('one'));
    await store.erase([erasing('one')]);
    const [again, ...others] = await Promise.all([
      store.insert(version('one')),
      // What shares the commit is stored.
      ...['a', 'b'].map((id) => store.insert(version(id))),
    ]);
    expect([again, others]).toEqual(['erased', ['stored', 'stored']]);
    expect(await store.read('Composition', 'one')).toBeUndefined();
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('that is not committed yet has a server wait that stores the same name, and refuses it then', async () => {
    await store.insert(version('one'));
    const commit = await begun('one');
    const inserted = store.insert(version('one'));
    await waits(inserted);
    await commit();
    expect(await inserted).toBe('erased');
    expect(await count('version')).toBe(0);
  });

  test('that is not committed yet has a server wait that says something of a finding, and leaves nothing of it', async () => {
    await store.insert(version('one'));
    const commit = await begun('one');
    const said = {
      said: { set: 'note', note: 'Quokka' },
      doer: { who: 'a', requestId: '' },
      now: 0,
    } as const;
    const saying = store.findings.say(
      [{ type: 'Composition', id: 'one', rule: 'ext-1', pointer: '/a' }],
      said,
    );
    await waits(saying);
    await commit();
    expect(await saying).toEqual({ changed: 0, gone: 1 });
    expect(await count('finding_state')).toBe(0);
  });

  test('at two servers at once is one, and waits for a change that is under way', async () => {
    const other = await openPostgresStore(server);
    for (let round = 0; round < 5; round += 1) {
      const id = `r-${round}`;
      await store.insert(version(id));
      const [changed, ...names] = await Promise.all([
        store.replace({ ...version(id), version: 2, operation: 'update' }, 1),
        store.erase([erasing(id)]),
        other.erase([erasing(id)]),
      ]);
      expect(names.flat()).toEqual([`Composition/${id}`]);
      expect(['stored', 'stale']).toContain(changed);
    }
    await other.close();
    expect([await count('record'), await count('version'), await count('token')]).toEqual([0, 0, 0]);
    expect(await count("audit WHERE action = 'erase'")).toBe(5);
  });
});
