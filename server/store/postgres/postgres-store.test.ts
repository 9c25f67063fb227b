/** What a shared store promises beside the contract: rights, several servers, whom it speaks to. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { lateWriter } from '../../testing/late-writer.ts';
import { newComposition } from '../../testing/new-composition.ts';
import { emptied, testDatabase } from '../../testing/postgres.ts';
import { readCriteria } from '../../../core/fhir/search.ts';
import { sealKey } from '../audit-chain.ts';
import { StoreBusyError } from '../store-error.ts';
import { readAddress } from './address.ts';
import { Postgres } from './connection.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const version = (id: string, number: number, title: string) => newComposition(id, number, { title });

describe.skipIf(!database)('a shared store (not run where PostgreSQL is not installed)', () => {
  const { server = '', keeper = '', admin } = database ?? {};
  const asAdmin = async (text: string) => admin?.((client) => client.query(text));
  beforeEach(async () => {
    if (database) await emptied(database);
  });

  /** So many servers, each with a store of its own. */
  async function withServers<Result>(
    count: number,
    work: (stores: Awaited<ReturnType<typeof openPostgresStore>>[]) => Promise<Result>,
    key?: Parameters<typeof openPostgresStore>[1],
  ): Promise<Result> {
    const stores = await Promise.all(Array.from({ length: count }, () => openPostgresStore(server, key)));
    try {
      return await work(stores);
    } finally {
      for (const store of stores) await store.close();
    }
  }

  test('a server’s role changes and removes neither an entry of the trail nor a version', async () => {
    await withServers(
      1,
      ([store]) => store?.insert(version('one', 1, 'First')) ?? Promise.reject(new Error('none')),
    );
    const session = new Postgres(readAddress(server), 1);
    for (const text of [
      'DELETE FROM audit',
      "UPDATE audit SET who = 'nobody'",
      'TRUNCATE audit',
      'DROP TABLE audit',
      'ALTER TABLE audit DISABLE TRIGGER ALL',
      'DROP TRIGGER audit_stays ON audit',
      'DELETE FROM sealed_day',
      'DELETE FROM node',
      "UPDATE version SET body = ''",
      'DELETE FROM version',
      'CREATE TABLE chartkeeper.more (x integer)',
    ]) {
      await expect(session.rows({ text }), text).rejects.toMatchObject({ code: '42501' });
    }
    await session.close();
    await expect(asAdmin('DELETE FROM chartkeeper.audit')).rejects.toThrow('keeps every row');
  });

  test('a role that may change the trail is refused, and so is a schema of another program', async () => {
    await expect(openPostgresStore(keeper)).rejects.toThrow('may change the audit trail');
    await asAdmin('INSERT INTO chartkeeper.migration VALUES (99)');
    await expect(openPostgresStore(server)).rejects.toThrow('version 99 of the schema');
    await expect(migrate(keeper, 'server')).rejects.toThrow('newer version');
    await asAdmin('DELETE FROM chartkeeper.migration WHERE number = 99');
  });

  test('migrations that are begun at once take turns, and change nothing the second time', async () => {
    await Promise.all([migrate(keeper, 'server'), migrate(keeper, 'server')]);
    await withServers(1, async ([store]) => expect(await store?.firstNumber()).toBe(1));
  });

  test('of servers that change the same records no change is lost, and each chain is whole', async () => {
    const [servers, rounds, ids] = [3, 12, ['a', 'b', 'c']];
    await withServers(servers, async (stores) => {
      const [first] = stores;
      for (const id of ids) await first?.insert(version(id, 1, '0'));
      let stale = 0;
      await Promise.all(
        stores.map(async (store) => {
          for (let round = 0; round < rounds; round += 1) {
            // Each in another order.
            for (const id of round % 2 ? ids : [...ids].reverse()) {
              for (;;) {
                const standing = (await store.read('Composition', id))?.version ?? 0;
                const next = version(id, standing + 1, String(standing));
                if ((await store.replace(next, standing)) === 'stored') break;
                stale += 1;
              }
            }
          }
        }),
      );
      for (const id of ids) {
        expect(await first?.read('Composition', id)).toMatchObject({ version: 1 + servers * rounds });
      }
      expect(stale).toBeGreaterThan(0);
      const { entries, broken } = (await first?.audit.verify()) ?? {};
      expect(broken).toBeUndefined();
      // One more seals the day.
      expect(entries).toBeGreaterThanOrEqual(ids.length * (1 + servers * rounds));
    });
  });

  test('of conditional creates on several servers one is stored', async () => {
    await withServers(3, async (stores) => {
      for (let round = 0; round < 10; round += 1) {
        const criteria = readCriteria('Composition', [['title:exact', `Round ${round}`]]);
        await Promise.all(
          stores.map((store, at) =>
            store.insertUnless(version(`r-${round}-${at}`, 1, `Round ${round}`), criteria),
          ),
        );
        expect(await stores[0]?.total(criteria)).toBe(1);
      }
    });
  });

  test('a write that is committed late stands in no page of a search that began before it', async () => {
    await withServers(1, async ([store]) => {
      if (!store) return;
      for (let at = 0; at < 6; at += 1) await store.insert(version(`r-${at}`, 1, 'Before'));
      const commitLate = await lateWriter(server, 'r-2-late');
      // Its number is lower than this one's, and it comes in later.
      await store.insert(version('r-9', 1, 'Before'));
      const criteria = readCriteria('Composition', [['_sort', '_id']]);
      const first = await store.search(criteria, 2);
      await commitLate();
      const cursor = first.next;
      const rest = await store.search({ ...criteria, ...(cursor && { cursor }) }, 20);
      const ids = Array.from(rest.records, ({ id }) => id);
      expect(ids).toEqual(['r-2', 'r-3', 'r-4', 'r-5', 'r-9']);
      const anew = await store.search(criteria, 20);
      expect(Array.from(anew.records, ({ id }) => id)).toContain('r-2-late');
    });
  });

  // Which chain a server goes on with depends on whose session has ended by then.
  const second = 'WHERE seq = 2 AND node = (SELECT min(node) FROM audit WHERE seq = 2)';

  test.each([
    ['an entry is changed', `UPDATE audit SET who = 'nobody' ${second}`],
    ['an entry is removed', `DELETE FROM audit ${second}`],
    [
      'the end of a chain is cut',
      'DELETE FROM audit WHERE node = 1 AND seq = (SELECT max(seq) FROM audit WHERE node = 1)',
    ],
    [
      'a chain is taken away with its head',
      'DELETE FROM audit WHERE node = 2; DELETE FROM node WHERE node = 2',
    ],
  ])('where %s, the check says so', async (_name, text) => {
    const key = sealKey(Buffer.from('a secret of thirty-two characters'));
    await withServers(
      2,
      async ([one, other]) => {
        await one?.insert(version('a', 1, 'A'));
        await other?.insert(version('b', 1, 'B'));
        // The day's seal is written anew, with both chains in it.
        await asAdmin('DELETE FROM chartkeeper.sealed_day');
      },
      key,
    );
    await withServers(
      1,
      async ([store]) => {
        await store?.insert(version('c', 1, 'C'));
        await store?.insert(version('d', 1, 'D'));
        expect(await store?.audit.verify()).not.toHaveProperty('broken');
        await asAdmin(`SET session_replication_role = replica; SET search_path = chartkeeper; ${text}`);
        expect(await store?.audit.verify()).toHaveProperty('broken');
      },
      key,
    );
  });

  test('a damaged text is answered as damaged, and no other', async () => {
    await withServers(1, async ([store]) => {
      await store?.insert(version('one', 1, 'First'));
      await store?.insert(version('two', 1, 'Second'));
      await asAdmin("UPDATE chartkeeper.version SET body = replace(body, 'First', 'Worst') WHERE id = 'one'");
      expect(await store?.read('Composition', 'one')).toMatchObject({ fault: { kind: 'damaged' } });
      expect(await store?.read('Composition', 'two')).toHaveProperty('text');
    });
  });

  test('connections that are cut are busy for a moment, and nothing is stored twice', async () => {
    await withServers(1, async ([store]) => {
      await store?.insert(version('one', 1, 'First'));
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      for (let round = 0; round < 5; round += 1) {
        const id = `r-${round}`;
        const [result] = await Promise.allSettled([store?.insert(version(id, 1, 'Cut')), asAdmin(cut)]);
        const there =
          (await store?.read('Composition', id).catch(() => store.read('Composition', id))) !== undefined;
        expect(there).toBe(result.status === 'fulfilled');
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreBusyError);
      }
      expect(await store?.insert(version('last', 1, 'Last'))).toBe('stored');
      expect(await store?.audit.verify()).not.toHaveProperty('broken');
    });
  });
});
