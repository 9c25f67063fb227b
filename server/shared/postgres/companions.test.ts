/** Supporting resources of a shared store, beyond the contract: several servers, transactions and damage. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import { emptyStore, testDatabase } from '../../testing/postgres.ts';
import { StoreBusyError } from '../../store/store-error.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const batch = 'batch:1';
const actor = { who: 'a', requestId: 'r' };
const createResource = (type: string, id: string, members = '', fullUrl?: string) =>
  readSupportingResource(type, `{"resourceType":"${type}","id":"${id}"${members}}`, fullUrl);
const urn = (number: number) => `urn:uuid:0d1e2f3a-0000-4000-8000-${String(number).padStart(12, '0')}`;
const formatSubject = (id: string) => `,"subject":{"reference":"${id}"}`;

describe.skipIf(!database)(
  'supporting resources of a shared store (not run where PostgreSQL is not installed)',
  () => {
    const { address = '', admin } = database ?? {};
    const asAdmin = async (text: string) => admin?.((client) => client.query(text));
    beforeEach(async () => {
      if (database) await emptyStore(database);
    });

    async function withServers(
      work: (...stores: [PostgresStore, PostgresStore, PostgresStore]) => Promise<void>,
    ): Promise<void> {
      const open = () => openPostgresStore(address);
      const stores = await Promise.all([open(), open(), open()]);
      try {
        await work(...stores);
      } finally {
        for (const store of stores) await store.close();
      }
    }

    test('keeps one resource with the last subject if servers store it concurrently', async () => {
      await withServers(async (...stores) => {
        const rounds = Array.from({ length: 20 }, (_, round) => round);
        const results = await Promise.all(
          stores.flatMap(({ supportingResources }, serverIndex) =>
            rounds.map((round) =>
              supportingResources.store(
                createResource('Condition', 'c', formatSubject(`Patient/${serverIndex}-${round}`)),
                batch,
                actor,
              ),
            ),
          ),
        );
        expect(results.filter((result) => result === 'kept')).toHaveLength(1);
        expect(results.filter((result) => result === 'replaced')).toHaveLength(59);
        const resource = await stores[0].supportingResources.read({ type: 'Condition', id: 'c' });
        const text = typeof resource === 'object' ? resource.text : '';
        const subjects = await asAdmin('SELECT id FROM chartkeeper.companion_subject');
        expect(subjects?.rows.map(({ id }) => formatSubject(`Patient/${id}`))).toEqual([
          text.slice(text.indexOf(',"subject"'), -1),
        ]);
        expect(await stores[0].audit.verify()).not.toHaveProperty('broken');
      });
    });

    test('keeps each content of a URN once if servers store it concurrently', async () => {
      await withServers(async (...stores) => {
        for (let round = 0; round < 10; round += 1) {
          const id = `p${round}`;
          const results = await Promise.all(
            stores.map(({ supportingResources }, serverIndex) =>
              supportingResources.store(
                createResource('Patient', id, `,"active":${serverIndex === 1}`, urn(round)),
                batch,
                actor,
              ),
            ),
          );
          expect(results.toSorted()).toEqual(['kept', 'kept', 'unchanged']);
          const names = await stores[0].supportingResources.listNames('Patient', undefined, 100);
          expect(names.filter((name) => name.id === id)).toHaveLength(2);
        }
      });
    });

    test('leaves no subject without a resource if servers store and remove one concurrently', async () => {
      await withServers(async (firstServer, secondServer) => {
        for (let round = 0; round < 20; round += 1)
          await Promise.all([
            ...['a', 'b'].map((id) =>
              firstServer.supportingResources.store(
                createResource('Condition', id, formatSubject(`Patient/${round}`)),
                batch,
                actor,
              ),
            ),
            secondServer.supportingResources.remove('Condition', actor),
          ]);
        const orphanSql = `SELECT 1 FROM chartkeeper.companion_subject s
        WHERE NOT EXISTS (SELECT 1 FROM chartkeeper.companion c WHERE c.pk = s.companion)`;
        expect((await asAdmin(orphanSql))?.rows).toEqual([]);
      });
    });

    test('notifies other servers of changes only', async () => {
      await withServers(async (firstServer, secondServer) => {
        let notifications = 0;
        await secondServer.signals.start();
        secondServer.supportingResources.onChange(() => (notifications += 1));
        const keep = () =>
          firstServer.supportingResources.store(createResource('Patient', 'p'), batch, actor);
        await keep();
        await expect.poll(() => notifications, { interval: 10 }).toBe(1);
        await keep();
        await firstServer.supportingResources.remove('Group', actor);
        await firstServer.supportingResources.remove('Patient', actor);
        await expect.poll(() => notifications, { interval: 10 }).toBe(2);
      });
    });

    test('neither stores nor removes a resource without an audit entry', async () => {
      await withServers(async (store) => {
        const patient = createResource('Patient', 'p');
        await store.supportingResources.store(patient, batch, actor);
        await asAdmin('REVOKE INSERT ON chartkeeper.audit FROM server');
        await expect(
          store.supportingResources.store(createResource('Patient', 'q'), batch, actor),
        ).rejects.toThrow();
        await expect(store.supportingResources.remove('Patient', actor)).rejects.toThrow();
        await asAdmin('GRANT INSERT ON chartkeeper.audit TO server');
        expect(await store.supportingResources.countByType()).toEqual([{ type: 'Patient', count: 1 }]);
        expect(await store.supportingResources.previewWrite(patient, batch)).toBe('unchanged');
      });
    });

    test('rejects a damaged text and replaces it by an import', async () => {
      await withServers(async (store) => {
        const patient = createResource('Patient', 'p', ',"active":true');
        await store.supportingResources.store(patient, batch, actor);
        await asAdmin("UPDATE chartkeeper.companion SET body = replace(body, 'true', 'false')");
        await expect(store.supportingResources.read(patient)).rejects.toMatchObject({ kind: 'damaged' });
        await expect(store.supportingResources.resolve('Patient/p')).rejects.toMatchObject({
          kind: 'damaged',
        });
        expect(await store.supportingResources.store(patient, batch, actor)).toBe('replaced');
        expect(await store.supportingResources.read(patient)).toMatchObject({ text: patient.text });
      });
    });

    test('rejects an erased resource at a server that does not know the erasure', async () => {
      await withServers(async (store) => {
        const patient = createResource('Patient', 'p');
        await store.supportingResources.store(patient, batch, actor);
        await store.erase([{ type: 'Patient', id: 'p', who: 'test', reason: 'Asked for.' }]);
        await expect(store.supportingResources.store(patient, batch, actor)).rejects.toBeInstanceOf(
          StoreBusyError,
        );
        expect(await store.supportingResources.read(patient)).toBeUndefined();
      });
    });
  },
);
