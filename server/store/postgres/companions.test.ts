/** What companions in a shared store promise beside the contract: several servers, one transaction, damage. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readCompanion } from '../../../core/fhir/companion.ts';
import { emptied, testDatabase } from '../../testing/postgres.ts';
import { StoreBusyError } from '../store-error.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const doer = { who: 'a', requestId: 'r' };
const companion = (type: string, id: string, more = '', fullUrl?: string) =>
  readCompanion(type, `{"resourceType":"${type}","id":"${id}"${more}}`, fullUrl);
const about = (id: string) => `,"subject":{"reference":"${id}"}`;

describe.skipIf(!database)('companions of a shared store (not run where PostgreSQL is not installed)', () => {
  const { server = '', admin } = database ?? {};
  const asAdmin = async (text: string) => admin?.((client) => client.query(text));
  beforeEach(async () => {
    if (database) await emptied(database);
  });

  async function withServers(
    work: (...stores: [PostgresStore, PostgresStore, PostgresStore]) => Promise<void>,
  ): Promise<void> {
    const open = () => openPostgresStore(server);
    const stores = await Promise.all([open(), open(), open()]);
    try {
      await work(...stores);
    } finally {
      for (const store of stores) await store.close();
    }
  }

  test('of servers that keep the same one keeps it, and whom it is about is what the last said', async () => {
    await withServers(async (...stores) => {
      const rounds = Array.from({ length: 20 }, (_, round) => round);
      const fates = await Promise.all(
        stores.flatMap(({ companions }, at) =>
          rounds.map((round) =>
            companions.keep(companion('Condition', 'c', about(`Patient/${at}-${round}`)), doer),
          ),
        ),
      );
      expect(fates.filter((fate) => fate === 'kept')).toHaveLength(1);
      expect(fates.filter((fate) => fate === 'replaced')).toHaveLength(59);
      const text = (await stores[0].companions.read({ type: 'Condition', id: 'c' }))?.text ?? '';
      const subjects = await asAdmin('SELECT id FROM chartkeeper.companion_subject');
      expect(subjects?.rows.map(({ id }) => about(`Patient/${id}`))).toEqual([
        text.slice(text.indexOf(',"subject"'), -1),
      ]);
      expect(await stores[0].audit.verify()).not.toHaveProperty('broken');
    });
  });

  test('of servers that keep one id of several sources, one keeps its own, and the others are refused', async () => {
    await withServers(async (...stores) => {
      for (let round = 0; round < 10; round += 1) {
        const id = `p${round}`;
        const fates = await Promise.all(
          stores.map(({ companions }, at) =>
            companions.keep(companion('Patient', id, '', `https://${at}.example/Patient/${id}`), doer),
          ),
        );
        expect(fates.toSorted()).toEqual(['kept', 'refused', 'refused']);
        const { fullUrl } = (await stores[0].companions.read({ type: 'Patient', id })) ?? {};
        expect(fullUrl).toBe(`https://${fates.indexOf('kept')}.example/Patient/${id}`);
      }
    });
  });

  test('what one keeps while another removes it leaves nobody whom nothing is about', async () => {
    await withServers(async (one, other) => {
      for (let round = 0; round < 20; round += 1)
        await Promise.all([
          ...['a', 'b'].map((id) =>
            one.companions.keep(companion('Condition', id, about(`Patient/${round}`)), doer),
          ),
          other.companions.remove('Condition', doer),
        ]);
      const alone = `SELECT 1 FROM chartkeeper.companion_subject s
        WHERE NOT EXISTS (SELECT 1 FROM chartkeeper.companion c WHERE c.pk = s.companion)`;
      expect((await asAdmin(alone))?.rows).toEqual([]);
    });
  });

  test('a change at one server is told at the others, and not where nothing changed', async () => {
    await withServers(async (one, other) => {
      let told = 0;
      await other.signals.begin();
      other.companions.onChange(() => (told += 1));
      const keep = () => one.companions.keep(companion('Patient', 'p'), doer);
      await keep();
      await expect.poll(() => told, { interval: 10 }).toBe(1);
      await keep();
      await one.companions.remove('Group', doer);
      await one.companions.remove('Patient', doer);
      await expect.poll(() => told, { interval: 10 }).toBe(2);
    });
  });

  test('without its entry in the trail none is kept, and none is removed', async () => {
    await withServers(async (store) => {
      const kept = companion('Patient', 'p');
      await store.companions.keep(kept, doer);
      await asAdmin('REVOKE INSERT ON chartkeeper.audit FROM server');
      await expect(store.companions.keep(companion('Patient', 'q'), doer)).rejects.toThrow();
      await expect(store.companions.remove('Patient', doer)).rejects.toThrow();
      await asAdmin('GRANT INSERT ON chartkeeper.audit TO server');
      expect(await store.companions.counts()).toEqual([{ type: 'Patient', count: 1 }]);
      expect(await store.companions.fateOf(kept)).toBe('unchanged');
    });
  });

  test('a text that is not the one that was kept is not answered, and an import mends it', async () => {
    await withServers(async (store) => {
      const kept = companion('Patient', 'p', ',"active":true');
      await store.companions.keep(kept, doer);
      await asAdmin("UPDATE chartkeeper.companion SET body = replace(body, 'true', 'false')");
      await expect(store.companions.read(kept)).rejects.toMatchObject({ kind: 'damaged' });
      await expect(store.companions.resolve('Patient/p')).rejects.toMatchObject({ kind: 'damaged' });
      expect(await store.companions.keep(kept, doer)).toBe('replaced');
      expect((await store.companions.read(kept))?.text).toBe(kept.text);
    });
  });

  test('one that was erased is not kept again, by a server that has not heard of it', async () => {
    await withServers(async (store) => {
      const kept = companion('Patient', 'p');
      await store.companions.keep(kept, doer);
      await store.erase([{ type: 'Patient', id: 'p', who: 'test', reason: 'Asked for.' }]);
      await expect(store.companions.keep(kept, doer)).rejects.toBeInstanceOf(StoreBusyError);
      expect(await store.companions.read(kept)).toBeUndefined();
    });
  });
});
