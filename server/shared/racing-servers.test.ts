/** Tests writes of two servers to the same workspace rows at the same time, over one PostgreSQL store. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckDefinition } from '../../core/app/checks.ts';
import { checkConnection } from '../../core/app/connection-check.ts';
import { exercises } from '../../core/app/practice.ts';
import { hashToken } from '../access/secret.ts';
import type { SharedRow } from './shared-rows.ts';
import { openPostgresStore, type PostgresStore } from './postgres/postgres-store.ts';
import { StoreBusyError } from '../store/store-error.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from '../testing/postgres.ts';
import { openPassingWorkspace } from './workspace.ts';

/** Tokens per round, and rounds: 2,000 revocations in `npm run test:faults`. */
const tokensAtOnce = 10;
const rounds = process.env.LONG_TESTS === undefined ? 6 : 200;

const grant = { name: 'Ada', scopes: ['system/*.*'] };

function settingsNamed(name: string) {
  const parsed = checkConnection({ name, baseUrl: 'https://example.org/fhir' });
  if (!('value' in parsed)) throw new Error('These settings are not good');
  return parsed.value;
}

/** A row, with functions to change and read its value. */
interface TestRow {
  readonly change: (server: Server, value: string) => unknown;
  readonly readValue: (server: Server) => unknown;
}

interface Server extends Awaited<ReturnType<typeof openPassingWorkspace>> {
  readonly store: PostgresStore;
}

async function open(address: string): Promise<Server> {
  const store = await openPostgresStore(address);
  await store.signals.start();
  return { store, ...(await openPassingWorkspace(store)) };
}

async function close({ store, workspace }: Server): Promise<void> {
  await workspace.close();
  await store.close();
}

/** Waits for a number of turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

describe.skipIf(postgresPrograms() === undefined)(
  'two servers that write a row at the same moment (not run without PostgreSQL)',
  () => {
    let database: TestDatabase;
    let serverA: Server;
    let serverB: Server;
    beforeAll(async () => {
      database = await migratedDatabase();
      [serverA, serverB] = [await open(database.address), await open(database.address)];
    });
    afterAll(async () => {
      for (const server of [serverA, serverB]) await close(server);
      await database.remove();
    });

    /** Brings both servers to the same state. */
    async function synchronize(): Promise<void> {
      await serverA.mirror.settle();
      await serverB.mirror.look();
      await serverA.mirror.look();
    }

    test('keeps revocations and times of last use if another server uses the tokens concurrently', async () => {
      const wait = fc.nat({ max: 8 });
      await fc.assert(
        fc.asyncProperty(wait, wait, async (beforeUse, beforeEnd) => {
          const request = { name: 'feed', scopes: ['system/*.rs'] };
          const minted = Array.from({ length: tokensAtOnce }, () => serverA.workspace.tokens.mint(request));
          const ids = new Set((await Promise.all(minted)).map(({ id }) => id));
          const startedSession = serverA.workspace.sessions.begin(grant);
          const { id: session } = startedSession.principal;
          await synchronize();

          const use = async () => {
            await turns(beforeUse);
            for (const id of ids) serverB.workspace.tokens.used(id);
            expect(serverB.workspace.sessions.find(hashToken(startedSession.token))).toMatchObject({
              id: session,
            });
            serverB.workspace.flush();
            await serverB.mirror.settle();
          };
          const end = async () => {
            await turns(beforeEnd);
            for (const id of ids) await serverA.workspace.tokens.revoke(id);
            serverA.workspace.sessions.end(session);
            await serverA.mirror.settle();
          };
          await Promise.all([use(), end()]);

          const laterServer = await open(database.address);
          await synchronize();
          for (const { workspace } of [serverA, serverB, laterServer]) {
            const tokens = (await workspace.tokens.list()).filter(({ id }) => ids.has(id));
            expect(tokens).toHaveLength(tokensAtOnce);
            for (const { revoked, lastUsed } of tokens) {
              expect([typeof revoked, typeof lastUsed]).toEqual(['string', 'string']);
            }
            expect(workspace.sessions.list().map(({ id }) => id)).not.toContain(session);
          }
          await close(laterServer);
        }),
        { numRuns: rounds },
      );
    });

    test('rejects a program that restores a revoked token or an ended session in the database', async () => {
      const { id } = await serverA.workspace.tokens.mint({ name: 'feed', scopes: ['system/*.rs'] });
      const { id: session } = serverA.workspace.sessions.begin(grant).principal;
      await synchronize();
      const text = `SELECT name, key, body FROM chartkeeper.workspace WHERE key = ANY($1) AND name IN ('token', 'sign_in')`;
      const keys = [id, session].map((key) => JSON.stringify([key]));
      const { rows } = await database.admin((client) => client.query<SharedRow>(text, [keys]));
      await serverA.workspace.tokens.revoke(id);
      serverA.workspace.sessions.end(session);
      await serverA.mirror.settle();
      expect(rows.map(({ name }) => name).sort()).toEqual(['sign_in', 'token']);
      for (const { name, key, body } of rows) {
        const restoreSql = 'UPDATE chartkeeper.workspace SET body = $3 WHERE name = $1 AND key = $2';
        const update = database.admin((client) => client.query(restoreSql, [name, key, body]));
        await expect(update, name).rejects.toMatchObject({ code: '40001' });
      }
    });

    /** Creates a row of each table on a server, with functions to change and read it. */
    const tables: Readonly<Record<string, (server: Server) => Promise<TestRow> | TestRow>> = {
      setting({ workspace: { practice } }) {
        practice.save({});
        return {
          change: ({ workspace }, value) => workspace.practice.save({ [exercises[0]]: value }),
          readValue: ({ workspace }) => workspace.practice.read()[exercises[0]],
        };
      },
      person({ workspace: { people } }) {
        const { id } = people.add('Ada');
        return {
          change: ({ workspace }, value) => workspace.people.rename(id, value),
          readValue: ({ workspace }) => workspace.people.nameOf(id),
        };
      },
      last_person({ workspace: { people } }) {
        people.keepLast('ward', 'nobody');
        return {
          change: ({ workspace }, value) => workspace.people.keepLast('ward', value),
          readValue: ({ workspace }) => workspace.people.lastOf('ward'),
        };
      },
      sign_in({ workspace: { sessions } }) {
        const { id } = sessions.begin({ ...grant, name: 'seats' }).principal;
        sessions.seat(id, 'nobody');
        return {
          change: ({ workspace }, value) => workspace.sessions.seat(id, value),
          readValue: ({ workspace }) => workspace.sessions.seated(id),
        };
      },
      async connection({ workspace: { connections } }) {
        const settings = settingsNamed('Ward');
        const addedConnection = await connections.add(settings);
        const id = typeof addedConnection === 'string' ? addedConnection : addedConnection.id;
        return {
          change: ({ workspace }, value) => workspace.connections.change(id, settingsNamed(value)),
          readValue: async ({ workspace }) => (await workspace.connections.find(id))?.name,
        };
      },
      async saved_search({ workspace: { searches } }) {
        const savedSearch = await searches.save('', 'Active', { type: 'CarePlan', pairs: [] });
        const id = typeof savedSearch === 'string' ? NaN : savedSearch.id;
        return {
          change: ({ workspace }, value) => workspace.searches.rename('', id, value),
          readValue: async ({ workspace }) =>
            (await workspace.searches.saved('')).find((search) => search.id === id)?.name,
        };
      },
      steward_check({ workspace: { checks } }) {
        const definition: CheckDefinition = {
          id: 'titled',
          title: 'A plan has a title',
          holds: 'title.exists()',
          active: true,
          ...({ type: 'CarePlan', category: 'completeness', severity: 'warning' } as const),
        };
        checks.put(definition, 'Ada');
        return {
          change: ({ workspace }, title) => workspace.checks.put({ ...definition, title }, 'Ada'),
          readValue: ({ workspace }) => workspace.checks.list()[0]?.title,
        };
      },
      async draft({ workspace: { drafts } }) {
        const draft = { type: 'CarePlan', recordId: 'a', title: 'A', window: 'w', base: '{}' } as const;
        await drafts.save('', 'one', { ...draft, text: '' });
        return {
          change: ({ workspace }, text) => workspace.drafts.save('', 'one', { ...draft, text }),
          readValue: async ({ workspace }) => (await workspace.drafts.read('', 'one'))?.text,
        };
      },
      async bulk_target({ workspace: { bulk } }) {
        const id = (await bulk.create('', { label: 'Run', operations: [] }))?.id ?? '';
        const target = { place: 0, state: 'ready', type: 'CarePlan', id: 'a', title: '' } as const;
        await bulk.save(id, [target]);
        return {
          change: ({ workspace }, detail) => workspace.bulk.save(id, [{ ...target, detail }]),
          readValue: async ({ workspace }) => (await workspace.bulk.target(id, 0))?.detail,
        };
      },
    };

    test.each(Object.keys(tables))(
      'keeps one of two changes of a row of %s and rejects the other',
      async (table) => {
        const testRow = await tables[table]?.(serverA);
        if (!testRow) throw new Error('No such table');
        const { change, readValue } = testRow;
        await synchronize();
        await change(serverA, 'first');
        await change(serverB, 'second');
        const results = await Promise.allSettled(
          [serverA, serverB].map(async ({ mirror }) => mirror.settle()),
        );
        const rejections = results.flatMap((end) =>
          end.status === 'rejected' ? [end.reason as unknown] : [],
        );
        expect(rejections).toEqual([expect.any(StoreBusyError)]);
        await synchronize();
        const expectedValue = results[0]?.status === 'fulfilled' ? 'first' : 'second';
        expect([await readValue(serverA), await readValue(serverB)]).toEqual([expectedValue, expectedValue]);
        // The rejected server now has the other value and may overwrite it.
        await change(serverB, 'third');
        await serverB.mirror.settle();
        await synchronize();
        expect([await readValue(serverA), await readValue(serverB)]).toEqual(['third', 'third']);
      },
    );

    test('keeps each of several changes of a row by one server without a read in between', async () => {
      const { id } = serverA.workspace.people.add('Grace');
      for (const name of ['Grace H', 'Grace Ho', 'Grace Hop']) {
        const previousSharing = serverA.mirror.settle();
        serverA.workspace.people.rename(id, name);
        await previousSharing;
        await serverA.mirror.settle();
      }
      await synchronize();
      expect([serverA, serverB].map(({ workspace }) => workspace.people.nameOf(id))).toEqual([
        'Grace Hop',
        'Grace Hop',
      ]);
    });
  },
);
