/** A shared store beyond the contract: rights, several servers and connections. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { lateWriter } from '../../testing/late-writer.ts';
import { newComposition } from '../../testing/new-composition.ts';
import { emptyStore, testDatabase } from '../../testing/postgres.ts';
import { readCriteria } from '../../../core/fhir/search.ts';
import { sealKey } from '../../store/audit-chain.ts';
import { StoreBusyError } from '../../store/store-error.ts';
import { readAddress } from './address.ts';
import { Postgres } from './connection.ts';
import { migrate } from './migrate.ts';
import { documents } from './schema/companions.ts';
import { openPostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
const version = (id: string, number: number, title: string) => newComposition(id, number, { title });

describe.skipIf(!database)('shared store (not run where PostgreSQL is not installed)', () => {
  const { address = '', keeper = '', admin } = database ?? {};
  const asAdmin = async (text: string) => admin?.((client) => client.query(text));
  beforeEach(async () => {
    if (database) await emptyStore(database);
  });

  /** Runs work with several servers, each with its own store. */
  async function withServers<Result>(
    count: number,
    work: (stores: Awaited<ReturnType<typeof openPostgresStore>>[]) => Promise<Result>,
    key?: Parameters<typeof openPostgresStore>[1],
  ): Promise<Result> {
    const stores = await Promise.all(Array.from({ length: count }, () => openPostgresStore(address, key)));
    try {
      return await work(stores);
    } finally {
      for (const store of stores) await store.close();
    }
  }

  test("prevents a server's role from changing audit entries and versions", async () => {
    await withServers(
      1,
      ([store]) => store?.insert(version('one', 1, 'First')) ?? Promise.reject(new Error('none')),
    );
    const session = new Postgres(readAddress(address), 1);
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

  test('rejects a role that can change the audit log and the schema of another program', async () => {
    await expect(openPostgresStore(keeper)).rejects.toThrow('can change the audit log');
    await asAdmin('INSERT INTO chartkeeper.migration VALUES (99)');
    await expect(openPostgresStore(address)).rejects.toThrow('has schema version 99');
    await expect(migrate(keeper, 'server')).rejects.toThrow('newer version');
    await asAdmin('DELETE FROM chartkeeper.migration WHERE number = 99');
  });

  test('runs concurrent migrations one after the other and changes nothing the second time', async () => {
    await Promise.all([migrate(keeper, 'server'), migrate(keeper, 'server')]);
    await withServers(1, async ([store]) => expect(await store?.readFirstVersion()).toBe(1));
  });

  test('adds the table of documents to a store with data', async () => {
    const origin = { source: urn, batch: 'batch:1', fullUrl: urn };
    const name = { type: 'Composition', id: 'upgraded' };
    await withServers(1, async ([store]) => store?.insert({ ...version(name.id, 1, '0'), origin }));
    // The state before the step, which the keeper then runs as a migration does.
    await asAdmin('DROP TABLE chartkeeper.document; DROP INDEX chartkeeper.origin_by_url');
    const session = new Postgres(readAddress(keeper), 1);
    await session.transaction(async (transaction) => {
      await transaction.rows({ text: 'SET LOCAL search_path = chartkeeper' });
      await transaction.rows({ text: documents });
    });
    await session.close();
    await migrate(keeper, 'server');
    await withServers(1, async ([store]) => {
      expect(await store?.read('Composition', name.id)).toMatchObject({ version: 1 });
      const context = { record: name };
      expect(await store?.supportingResources.resolveRecord(urn, context)).toMatchObject(name);
      await store?.documents.store({ ...name, head: '"type":"document"', entries: [{ missing: 'a' }] });
      expect(await store?.documents.read(name)).toMatchObject({ entries: [{ missing: 'a' }] });
    });
  });

  test('loses no change of concurrent servers and leaves every chain intact', async () => {
    const [servers, rounds, ids] = [3, 12, ['a', 'b', 'c']];
    await withServers(servers, async (stores) => {
      const [firstServer] = stores;
      for (const id of ids) await firstServer?.insert(version(id, 1, '0'));
      let stale = 0;
      await Promise.all(
        stores.map(async (store) => {
          for (let round = 0; round < rounds; round += 1) {
            // Each server in a different order.
            for (const id of round % 2 ? ids : [...ids].reverse()) {
              for (;;) {
                const currentVersion = (await store.read('Composition', id))?.version ?? 0;
                const next = version(id, currentVersion + 1, String(currentVersion));
                if ((await store.replace(next, currentVersion)) === 'stored') break;
                stale += 1;
              }
            }
          }
        }),
      );
      for (const id of ids) {
        expect(await firstServer?.read('Composition', id)).toMatchObject({ version: 1 + servers * rounds });
      }
      expect(stale).toBeGreaterThan(0);
      const { entries, broken: brokenEntry } = (await firstServer?.audit.verify()) ?? {};
      expect(brokenEntry).toBeUndefined();
      // The seal of the day adds an entry.
      expect(entries).toBeGreaterThanOrEqual(ids.length * (1 + servers * rounds));
    });
  });

  test('stores one of several concurrent conditional creates', async () => {
    await withServers(3, async (stores) => {
      for (let round = 0; round < 10; round += 1) {
        const criteria = readCriteria('Composition', [['title:exact', `Round ${round}`]]);
        await Promise.all(
          stores.map((store, index) =>
            store.insertUnlessMatched(version(`r-${round}-${index}`, 1, `Round ${round}`), criteria),
          ),
        );
        expect(await stores[0]?.total(criteria)).toBe(1);
      }
    });
  });

  test('excludes a late commit from the pages of an earlier search', async () => {
    await withServers(1, async ([store]) => {
      if (!store) return;
      for (let index = 0; index < 6; index += 1) await store.insert(version(`r-${index}`, 1, 'Before'));
      const commitLate = await lateWriter(address, 'r-2-late');
      // The late version has a lower number than this one.
      await store.insert(version('r-9', 1, 'Before'));
      const criteria = readCriteria('Composition', [['_sort', '_id']]);
      const firstPage = await store.search(criteria, 2);
      await commitLate();
      const cursor = firstPage.nextCursor;
      const remainingPage = await store.search({ ...criteria, ...(cursor && { cursor }) }, 20);
      const ids = Array.from(remainingPage.records, ({ id }) => id);
      expect(ids).toEqual(['r-2', 'r-3', 'r-4', 'r-5', 'r-9']);
      const newPage = await store.search(criteria, 20);
      expect(Array.from(newPage.records, ({ id }) => id)).toContain('r-2-late');
    });
  });

  // The chain that a server continues depends on the sessions that have ended.
  const secondEntry = 'WHERE seq = 2 AND node = (SELECT min(node) FROM audit WHERE seq = 2)';

  test.each([
    ['an entry is changed', `UPDATE audit SET who = 'nobody' ${secondEntry}`],
    ['an entry is removed', `DELETE FROM audit ${secondEntry}`],
    [
      'the end of a chain is cut',
      'DELETE FROM audit WHERE node = 1 AND seq = (SELECT max(seq) FROM audit WHERE node = 1)',
    ],
    [
      'a chain is taken away with its head',
      'DELETE FROM audit WHERE node = 2; DELETE FROM node WHERE node = 2',
    ],
  ])('reports the log as broken if %s', async (_name, text) => {
    const key = sealKey(Buffer.from('a secret of thirty-two characters'));
    await withServers(
      2,
      async ([firstServer, secondServer]) => {
        await firstServer?.insert(version('a', 1, 'A'));
        await secondServer?.insert(version('b', 1, 'B'));
        // The day is then sealed again, with both chains.
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

  test('reports a damaged text as damaged and reads the others', async () => {
    await withServers(1, async ([store]) => {
      await store?.insert(version('one', 1, 'First'));
      await store?.insert(version('two', 1, 'Second'));
      await asAdmin("UPDATE chartkeeper.version SET body = replace(body, 'First', 'Worst') WHERE id = 'one'");
      expect(await store?.read('Composition', 'one')).toMatchObject({ fault: { kind: 'damaged' } });
      expect(await store?.read('Composition', 'two')).toHaveProperty('text');
    });
  });

  test('recovers from cut connections without storing anything twice', async () => {
    await withServers(1, async ([store]) => {
      await store?.insert(version('one', 1, 'First'));
      const cutConnectionsSql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      for (let round = 0; round < 5; round += 1) {
        const id = `r-${round}`;
        const [result] = await Promise.allSettled([
          store?.insert(version(id, 1, 'Cut')),
          asAdmin(cutConnectionsSql),
        ]);
        const isStored =
          (await store?.read('Composition', id).catch(() => store.read('Composition', id))) !== undefined;
        expect(isStored).toBe(result.status === 'fulfilled');
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreBusyError);
      }
      expect(await store?.insert(version('last', 1, 'Last'))).toBe('stored');
      expect(await store?.audit.verify()).not.toHaveProperty('broken');
    });
  });
});
