/** Rows of the workspace that two servers write at the same moment, over one PostgreSQL store. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckDefinition } from '../../core/app/checks.ts';
import { checkConnection } from '../../core/app/connection-check.ts';
import { exercises } from '../../core/app/practice.ts';
import { hashToken } from '../access/secret.ts';
import type { SharedRow } from '../store/shared-rows.ts';
import { openPostgresStore, type PostgresStore } from '../store/postgres/postgres-store.ts';
import { StoreBusyError } from '../store/store-error.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from '../testing/postgres.ts';
import { openPassingWorkspace } from './workspace.ts';

/** Tokens of a round, and rounds: 2,000 revocations in `npm run test:faults`. */
const tokensAtOnce = 10;
const rounds = process.env.LONG_TESTS === undefined ? 6 : 200;

const grant = { name: 'Ada', scopes: ['system/*.*'] };

function settingsNamed(name: string) {
  const read = checkConnection({ name, baseUrl: 'https://example.org/fhir' });
  if (!('value' in read)) throw new Error('These settings are not good');
  return read.value;
}

/** A row that is there, how it is given another value, and how the value is read. */
interface Begun {
  readonly change: (at: Server, value: string) => unknown;
  readonly read: (at: Server) => unknown;
}

interface Server extends Awaited<ReturnType<typeof openPassingWorkspace>> {
  readonly store: PostgresStore;
}

async function open(address: string): Promise<Server> {
  const store = await openPostgresStore(address);
  await store.signals.begin();
  return { store, ...(await openPassingWorkspace(store)) };
}

async function close({ store, workspace }: Server): Promise<void> {
  await workspace.close();
  await store.close();
}

/** Lets so many turns of the process go by. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

describe.skipIf(postgresPrograms() === undefined)(
  'two servers that write a row at the same moment (not run without PostgreSQL)',
  () => {
    let database: TestDatabase;
    let one: Server;
    let other: Server;
    beforeAll(async () => {
      database = await migratedDatabase();
      [one, other] = [await open(database.server), await open(database.server)];
    });
    afterAll(async () => {
      for (const server of [one, other]) await close(server);
      await database.remove();
    });

    /** Has the other server know what the one knows. */
    async function settle(): Promise<void> {
      await one.mirror.settle();
      await other.mirror.look();
      await one.mirror.look();
    }

    test('keeps every revocation, and every time of use, where tokens are used elsewhere meanwhile', async () => {
      const wait = fc.nat({ max: 8 });
      await fc.assert(
        fc.asyncProperty(wait, wait, async (beforeUse, beforeEnd) => {
          const request = { name: 'feed', scopes: ['system/*.rs'] };
          const minted = Array.from({ length: tokensAtOnce }, () => one.workspace.tokens.mint(request));
          const ids = new Set((await Promise.all(minted)).map(({ id }) => id));
          const begun = one.workspace.sessions.begin(grant);
          const { id: session } = begun.principal;
          await settle();

          const use = async () => {
            await turns(beforeUse);
            for (const id of ids) other.workspace.tokens.used(id);
            expect(other.workspace.sessions.find(hashToken(begun.token))).toMatchObject({ id: session });
            other.workspace.flush();
            await other.mirror.settle();
          };
          const end = async () => {
            await turns(beforeEnd);
            for (const id of ids) await one.workspace.tokens.revoke(id);
            one.workspace.sessions.end(session);
            await one.mirror.settle();
          };
          await Promise.all([use(), end()]);

          const later = await open(database.server);
          await settle();
          for (const { workspace } of [one, other, later]) {
            const listed = (await workspace.tokens.list()).filter(({ id }) => ids.has(id));
            expect(listed).toHaveLength(tokensAtOnce);
            for (const { revoked, lastUsed } of listed) {
              expect([typeof revoked, typeof lastUsed]).toEqual(['string', 'string']);
            }
            expect(workspace.sessions.list().map(({ id }) => id)).not.toContain(session);
          }
          await close(later);
        }),
        { numRuns: rounds },
      );
    });

    test('refuses, in the database too, a revoked token or an ended session that a program writes back', async () => {
      const { id } = await one.workspace.tokens.mint({ name: 'feed', scopes: ['system/*.rs'] });
      const { id: session } = one.workspace.sessions.begin(grant).principal;
      await settle();
      const text = `SELECT name, key, body FROM chartkeeper.workspace WHERE key = ANY($1) AND name IN ('token', 'sign_in')`;
      const keys = [id, session].map((key) => JSON.stringify([key]));
      const { rows } = await database.admin((client) => client.query<SharedRow>(text, [keys]));
      await one.workspace.tokens.revoke(id);
      one.workspace.sessions.end(session);
      await one.mirror.settle();
      expect(rows.map(({ name }) => name).sort()).toEqual(['sign_in', 'token']);
      for (const { name, key, body } of rows) {
        const back = 'UPDATE chartkeeper.workspace SET body = $3 WHERE name = $1 AND key = $2';
        const written = database.admin((client) => client.query(back, [name, key, body]));
        await expect(written, name).rejects.toMatchObject({ code: '40001' });
      }
    });

    /** By the table of a row: begins one at a server, and answers how it is changed and read. */
    const tables: Readonly<Record<string, (at: Server) => Promise<Begun> | Begun>> = {
      setting({ workspace: { practice } }) {
        practice.save({});
        return {
          change: ({ workspace }, value) => workspace.practice.save({ [exercises[0]]: value }),
          read: ({ workspace }) => workspace.practice.read()[exercises[0]],
        };
      },
      person({ workspace: { people } }) {
        const { id } = people.add('Ada');
        return {
          change: ({ workspace }, value) => workspace.people.rename(id, value),
          read: ({ workspace }) => workspace.people.nameOf(id),
        };
      },
      last_person({ workspace: { people } }) {
        people.keepLast('ward', 'nobody');
        return {
          change: ({ workspace }, value) => workspace.people.keepLast('ward', value),
          read: ({ workspace }) => workspace.people.lastOf('ward'),
        };
      },
      sign_in({ workspace: { sessions } }) {
        const { id } = sessions.begin({ ...grant, name: 'seats' }).principal;
        sessions.seat(id, 'nobody');
        return {
          change: ({ workspace }, value) => workspace.sessions.seat(id, value),
          read: ({ workspace }) => workspace.sessions.seated(id),
        };
      },
      async connection({ workspace: { connections } }) {
        const settings = settingsNamed('Ward');
        const added = await connections.add(settings);
        const id = typeof added === 'string' ? added : added.id;
        return {
          change: ({ workspace }, value) => workspace.connections.change(id, settingsNamed(value)),
          read: async ({ workspace }) => (await workspace.connections.find(id))?.name,
        };
      },
      async saved_search({ workspace: { searches } }) {
        const saved = await searches.save('', 'Active', { type: 'CarePlan', pairs: [] });
        const id = typeof saved === 'string' ? NaN : saved.id;
        return {
          change: ({ workspace }, value) => workspace.searches.rename('', id, value),
          read: async ({ workspace }) =>
            (await workspace.searches.saved('')).find((search) => search.id === id)?.name,
        };
      },
      steward_check({ workspace: { checks } }) {
        const definition: CheckDefinition = {
          ...{ id: 'titled', title: 'A plan has a title', holds: 'title.exists()', active: true },
          ...({ type: 'CarePlan', category: 'completeness', severity: 'warning' } as const),
        };
        checks.put(definition, 'Ada');
        return {
          change: ({ workspace }, title) => workspace.checks.put({ ...definition, title }, 'Ada'),
          read: ({ workspace }) => workspace.checks.list()[0]?.title,
        };
      },
      async draft({ workspace: { drafts } }) {
        const draft = { type: 'CarePlan', recordId: 'a', title: 'A', window: 'w', base: '{}' } as const;
        await drafts.save('', 'one', { ...draft, text: '' });
        return {
          change: ({ workspace }, text) => workspace.drafts.save('', 'one', { ...draft, text }),
          read: async ({ workspace }) => (await workspace.drafts.read('', 'one'))?.text,
        };
      },
      async bulk_target({ workspace: { bulk } }) {
        const id = (await bulk.create('', { label: 'Run', operations: [] }))?.id ?? '';
        const target = { place: 0, state: 'ready', type: 'CarePlan', id: 'a', title: '' } as const;
        await bulk.save(id, [target]);
        return {
          change: ({ workspace }, detail) => workspace.bulk.save(id, [{ ...target, detail }]),
          read: async ({ workspace }) => (await workspace.bulk.target(id, 0))?.detail,
        };
      },
    };

    test.each(Object.keys(tables))(
      'keeps one of two changes of a row of %s, and tells the other server that its own was not kept',
      async (table) => {
        const begun = await tables[table]?.(one);
        if (!begun) throw new Error('No such table');
        const { change, read } = begun;
        await settle();
        await change(one, 'first');
        await change(other, 'second');
        const ends = await Promise.allSettled([one, other].map(async ({ mirror }) => mirror.settle()));
        const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
        expect(refused).toEqual([expect.any(StoreBusyError)]);
        await settle();
        const kept = ends[0]?.status === 'fulfilled' ? 'first' : 'second';
        expect([await read(one), await read(other)]).toEqual([kept, kept]);
        // Who was refused knows the other's now, and may write over it.
        await change(other, 'third');
        await other.mirror.settle();
        await settle();
        expect([await read(one), await read(other)]).toEqual(['third', 'third']);
      },
    );

    test('keeps each of several changes of a row that one server makes without a look between', async () => {
      const { id } = one.workspace.people.add('Grace');
      for (const name of ['Grace H', 'Grace Ho', 'Grace Hop']) {
        const former = one.mirror.settle();
        one.workspace.people.rename(id, name);
        await former;
        await one.mirror.settle();
      }
      await settle();
      expect([one, other].map(({ workspace }) => workspace.people.nameOf(id))).toEqual([
        'Grace Hop',
        'Grace Hop',
      ]);
    });
  },
);
