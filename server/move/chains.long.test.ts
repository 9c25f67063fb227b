/** The audit trail of a store that is moved: each chain stays as it was sealed, wherever it lies. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AuditTrail } from '../store/sqlite/audit-trail.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { closeDatabase, openDatabase } from '../store/sqlite/open-database.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { connect } from '../store/sqlite/sqlite.ts';
import { auditKey, damageIn, eventsOf, Places, served, type Served } from '../testing/moved-store.ts';
import { postgresPrograms } from '../testing/postgres.ts';
import { tamper } from '../testing/tamper.ts';
import { carePlan } from '../testing/test-server.ts';
import { keptOutsideIn } from '../workspace/kept-trail.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const quiet = { say: (sentence: string) => expect.fail(sentence), reached: () => undefined };
const create = ({ ask }: Served) => ask('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p'));
const isWhole = async ({ ask }: Served) =>
  expect(await ask('POST', '/app/audit/verify')).not.toHaveProperty('broken');

/** Servers of a store write in turn, each its chain. */
async function writeAtTwo(address: string): Promise<void> {
  await served(address, (one) =>
    served(address, async (other) => {
      for (let at = 0; at < 3; at += 1) for (const server of [one, other]) await create(server);
      await isWhole(one);
    }),
  );
}

/** The chain and the number in it of each entry, in their order. */
function chainsIn(folder: string): string[] {
  const database = connect(join(folder, 'records.db'), { readonly: true });
  const rows = new AuditTrail(database).chained(0, 10_000);
  database.close();
  return rows.map(({ chain, row }) => `${chain}:${row[0]}`);
}

describe.skipIf(!postgresPrograms())(
  'chains that are moved (not run where PostgreSQL is not installed)',
  () => {
    test('those of several servers come into one folder, go on there and back again, and each is whole', async () => {
      const [first, folder, second] = [await places.store(), places.folder(), await places.store()];
      await writeAtTwo(first.server);
      const before = await served(first.server, (server) => eventsOf(server));
      await move({ from: first.server, to: folder, key: auditKey }, quiet);
      expect(await damageIn(folder)).toEqual([]);
      expect(new Set(chainsIn(folder).map((entry) => entry.split(':')[0]))).toEqual(new Set(['1', '2']));
      await served(folder, async (server) => {
        await create(server);
        await isWhole(server);
        // Those of the last server that looked come in behind.
        expect((await eventsOf(server)).slice(0, before.length)).toEqual(before);
      });
      expect(await damageIn(folder)).toEqual([]);
      await move({ from: folder, to: second.keeper, key: auditKey }, quiet);
      await writeAtTwo(second.server);
      const third = places.folder();
      await move({ from: second.server, to: third, key: auditKey }, quiet);
      expect(await damageIn(third)).toEqual([]);
      const numbers = chainsIn(third);
      for (const chain of ['1', '2']) {
        const own = numbers.filter((entry) => entry.startsWith(`${chain}:`));
        expect(own).toEqual(own.map((_, at) => `${chain}:${at + 1}`));
      }
    });

    test.each([
      [
        'is changed',
        "UPDATE audit SET who = 'nobody' WHERE chain = 2 AND number = 2",
        'in the chain of server 2, it is not as',
      ],
      [
        'is removed',
        'DELETE FROM audit WHERE chain = 2 AND number = 2',
        'in the chain of server 2, it is missing',
      ],
      [
        'is the last and is removed',
        'DELETE FROM audit WHERE chain = 2 AND number = (SELECT max(number) FROM audit WHERE chain = 2)',
        'in the chain of server 2, it is not the one that an entry names as its end',
      ],
      ['is of a chain that is taken away', 'DELETE FROM audit WHERE chain = 2', 'names as its end'],
    ])('an entry of another server’s chain that %s is missed', async (_what, sql, reason) => {
      const [store, folder] = [await places.store(), places.folder()];
      await writeAtTwo(store.server);
      await move({ from: store.server, to: folder, key: auditKey }, quiet);
      tamper(join(folder, 'records.db'), sql);
      expect((await damageIn(folder)).join('\n')).toContain(reason);
    });

    test('the trail says where the chains ended that came, and from where; one that was cut before is named', async () => {
      const [store, folder, other] = [await places.store(), places.folder(), await places.store()];
      await writeAtTwo(store.server);
      await move({ from: store.server, to: folder, key: auditKey }, quiet);
      await served(folder, async ({ ask }) => {
        const [entry] = (await ask('GET', '/app/audit?action=move')).entries;
        expect(entry).toMatchObject({ who: 'owner', status: 0, requestId: '' });
        expect(entry.what).toMatch(
          /^1:\d+:[0-9a-f]{32} 2:\d+:[0-9a-f]{32} from postgres:\/\/127\.0\.0\.1:\d+\/t_\w+$/,
        );
      });
      tamper(join(folder, 'records.db'), 'DELETE FROM audit WHERE seq > 5');
      const said: string[] = [];
      const told = { say: (sentence: string) => said.push(sentence), reached: () => undefined };
      const moved = await move({ from: folder, to: other.keeper, key: auditKey }, told);
      expect(moved?.found).toBe(1);
      expect(said.join()).toMatch(/The audit trail ends at entry 5/);
    });

    test('a chain whose server’s row says more than is there is named, too', async () => {
      const [store, folder] = [await places.store(), places.folder()];
      await writeAtTwo(store.server);
      await store.admin((client) =>
        client.query(
          `SET session_replication_role = replica; SET search_path = chartkeeper;
         DELETE FROM audit WHERE node = 2 AND seq = (SELECT max(seq) FROM audit WHERE node = 2)`,
        ),
      );
      const said: string[] = [];
      const told = { say: (sentence: string) => said.push(sentence), reached: () => undefined };
      expect((await move({ from: store.server, to: folder, key: auditKey }, told))?.found).toBe(1);
      expect(said.join()).toContain('in the chain of server 2, it is missing');
    });

    test('a long trail goes on behind its last entry, and its end is kept outside the folder that it comes into', async () => {
      const [source, store, folder] = [places.folder(), await places.store(), places.folder()];
      await served(source, create);
      const database = openDatabase(join(source, 'records.db'), recordMigrations);
      const entry = { time: 1, who: 'a', action: 'read', what: '/x', status: 200, requestId: '' } as const;
      database
        .transaction(() => new AuditTrail(database, auditKey).add(Array.from({ length: 1234 }, () => entry)))
        .immediate();
      closeDatabase(database);
      await move({ from: source, to: store.keeper, key: auditKey }, quiet);
      await served(store.server, async (server) => {
        await create(server);
        await isWhole(server);
      });
      await move({ from: store.server, to: folder, key: auditKey }, quiet);
      expect(keptOutsideIn(join(folder, 'workspace.db'))?.head?.seq).toBe(chainsIn(folder).length);
    });

    test('a move that is stopped behind its entry in the trail of a folder adds no other', async () => {
      const [store, folder] = [await places.store(), places.folder()];
      await served(store.server, create);
      await move({ from: store.server, to: folder, key: auditKey }, quiet);
      const before = chainsIn(folder);
      renameSync(join(folder, 'moved.json'), join(folder, 'move.json'));
      await move({ from: store.server, to: folder, key: auditKey }, quiet);
      expect(chainsIn(folder)).toEqual(before);
      expect(await damageIn(folder)).toEqual([]);
    });

    test('a trail that is sealed with a key moves with that key alone', async () => {
      const [folder, store] = [places.folder(), await places.store()];
      await served(folder, create);
      const without = move({ from: folder, to: store.keeper }, quiet);
      await expect(without).rejects.toThrow('sealed with a key: name it in --audit-key-file');
      await expect(openPostgresStore(store.server).then((opened) => opened.close())).resolves.toBeUndefined();
    });
  },
);
