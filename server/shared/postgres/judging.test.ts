/** Validation in a store that several servers write: complete, without lost updates. */
import { afterAll, describe, expect, test } from 'vitest';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { derivations } from '../../../core/derive/derivations.ts';
import { indexRows, noIndex } from '../../../core/derive/derive.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { readCriteria } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import { insertSql } from '../../testing/late-writer.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { StoreBusyError } from '../../store/store-error.ts';
import {
  askAll,
  issue,
  now,
  rulesOf,
  serversOf,
  completeRebuild,
  titled,
  version,
} from '../../store/testing/shared-servers.ts';
import { readAddress } from './address.ts';
import { Postgres } from './connection.ts';
import { PostgresDerivationStatus } from './coverage.ts';
import { migrate } from './migrate.ts';
import type { PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const otherDerivations = derivations.map((derivation) => ({
  ...derivation,
  stamp: `${derivation.stamp}, otherwise`,
}));
const bySubject = readCriteria('Composition', [['subject', 'p']]);

describe.skipIf(!database)('validation of a shared store (not run where PostgreSQL is not installed)', () => {
  const servers = serversOf(database);

  test('applies a change to the rows that a concurrent rebuild has made', async () => {
    const store = await servers.open();
    await store.insert({
      ...version('one'),
      index: { ...noIndex, sort: { date: 0, status: '', title: '' } },
    });
    const end = await servers.held(async (session) => {
      const run = (text: string) => session.rows({ text });
      await run('UPDATE record SET judge_again = NULL');
      await run(`INSERT INTO reference SELECT pk, 999, 'gone', NULL, NULL FROM record`);
      await run(`INSERT INTO issue SELECT pk, 0, 'my/titled', 'warning', 'completeness', '', 1 FROM record`);
    });
    const newIssue: IssueRow = { ...issue, rule: 'ext-1' };
    const replacing = store.replace(version('one', 2, [newIssue]), 1);
    await servers.somebodyWaits();
    await end();
    expect(await replacing).toBe('stored');
    expect((await rulesOf(store, 'one')).sort()).toEqual(['ext-1', 'my/titled']);
    expect(await servers.rows('SELECT 1 FROM reference WHERE key = 999')).toEqual([]);
    expect(await store.replace(version('one', 3), 1)).toBe('stale');
  });

  test('stops writes of a previous program and rebuilds its rows when another one starts', async () => {
    const previousServer = await servers.open();
    await previousServer.insert(version('one'));
    await previousServer.derived.ready();
    // A write of the previous server that has locked its chain and is not committed.
    const end = await servers.held(async (session) => {
      await session.rows({ text: insertSql, values: ['late', version('late').text] });
      await session.rows({ text: 'SELECT 1 FROM node FOR UPDATE' });
    });
    const opening = servers.open(otherDerivations);
    await servers.somebodyWaits();
    await end();
    const store = await opening;
    expect((await store.derived.state()).rebuild?.parts).toHaveLength(otherDerivations.length);
    await expect(previousServer.insert(version('two'))).rejects.toBeInstanceOf(StoreBusyError);
    await expect(previousServer.replace(version('one', 2), 1)).rejects.toBeInstanceOf(StoreBusyError);
    await expect(previousServer.derived.startRebuild('rules', now)).rejects.toBeInstanceOf(StoreBusyError);
    expect(await previousServer.derived.runSlice({ now, milliseconds: 5 })).toBe(false);
    expect(await previousServer.read('Composition', 'one')).toBeDefined();
    await completeRebuild(store);
    expect(await store.total(bySubject)).toBe(2);
    await store.insert(version('two'));
    // The previous server may write audit entries.
    previousServer.audit.note({
      time: now,
      who: 'one',
      action: 'search',
      what: '',
      status: 200,
      requestId: '',
    });
    await previousServer.audit.flush();
    // The previous program starts again and writes from now on.
    const restartedServer = await servers.open();
    await expect(store.insert(version('three'))).rejects.toBeInstanceOf(StoreBusyError);
    expect(await restartedServer.insert(version('three'))).toBe('stored');
  });

  test('builds the same rows by two concurrent servers as by one', async () => {
    const [firstServer, secondServer] = [await servers.open(), await servers.open()];
    const emptyIndex = { ...noIndex, sort: { date: 0, status: '', title: '' } };
    for (let index = 0; index < 300; index += 1)
      await firstServer.insert({ ...version(`r-${index}`), index: emptyIndex });
    await firstServer.derived.startRebuild('everything', now);
    await Promise.all([
      completeRebuild(firstServer),
      completeRebuild(secondServer),
      askAll(firstServer),
      askAll(secondServer),
    ]);
    for (const store of [firstServer, secondServer]) {
      expect(await store.total(bySubject)).toBe(300);
      expect((await store.derived.state()).rebuild).toBeUndefined();
    }
    const repeatedReferencesSql = 'SELECT 1 FROM reference GROUP BY record, key, target HAVING count(*) > 1';
    expect(await servers.rows(repeatedReferencesSql)).toEqual([]);
  });

  test('counts a step of a rebuild once and rejects steps of a replaced rebuild', async () => {
    const store = await servers.open();
    await store.insert(version('one'));
    await store.derived.startRebuild('rules', now);
    const session = new Postgres(readAddress(database?.address ?? ''), 1);
    const derivationStatus = new PostgresDerivationStatus(session, derivations);
    const startStatus = await derivationStatus.read();
    expect(await derivationStatus.advance(session, startStatus, 1, 0)).toBe(true);
    expect(await derivationStatus.advance(session, startStatus, 1, 0)).toBe(false);
    await derivationStatus.end(startStatus, now);
    expect(await derivationStatus.read()).toEqual({ ...startStatus, done: 1 });
    await store.derived.startRebuild('everything', now);
    expect(await derivationStatus.advance(session, { ...startStatus, done: 0 }, 1, 0)).toBe(false);
    await session.close();
  });

  test('causes no deadlocks between validation and writes', async () => {
    const stores = [await servers.open(), await servers.open()];
    const [firstServer, secondServer] = stores;
    if (!firstServer || !secondServer) return;
    const ids = Array.from({ length: 40 }, (_, index) => `r-${index}`);
    await Promise.all(
      ids.map((id) => firstServer.insert(version(id, 1, [issue, { ...issue, rule: 'ext-1' }]))),
    );
    const deadlocks = () =>
      servers.rows('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    const before = await deadlocks();
    const write = async (store: PostgresStore, turn: number) => {
      const inTurn = turn % 2 ? ids : [...ids].reverse();
      await Promise.all(
        inTurn.map(async (id, index) => {
          const currentVersion = (await store.read('Composition', id))?.version ?? 0;
          await store.replace(version(id, currentVersion + 1, index % 2 ? [issue] : []), currentVersion);
        }),
      );
    };
    await Promise.all([
      ...[0, 1, 2, 3, 4, 5].map((turn) => write(turn % 3 ? firstServer : secondServer, turn)),
      ...stores.map(async (store) => {
        for (let turn = 0; turn < 6; turn += 1) {
          await store.derived.startRebuild('rules', now);
          await completeRebuild(store);
          await store.checks.settle([{ ...titled, stamp: String(turn) }]);
          await askAll(store);
        }
      }),
    ]);
    await servers.close();
    expect(await deadlocks()).toEqual(before);
    const finalServer = await servers.open();
    await finalServer.checks.settle([titled]);
    await askAll(finalServer);
    for (const id of ids)
      expect((await rulesOf(finalServer, id)).filter((rule) => rule === 'my/titled')).toHaveLength(1);
  });

  test('scans relations at one server until a commit that the scan did not see', async () => {
    const [firstServer, secondServer] = [await servers.open(), await servers.open()];
    const plan = { resourceType: 'CarePlan', id: 'plan', status: 'active', intent: 'plan' };
    const text = JSON.stringify({ ...plan, basedOn: [{ reference: 'CarePlan/gone' }] });
    const index = indexRows('CarePlan', scan(text).root);
    await firstServer.insert({ ...version('plan'), type: 'CarePlan', text, index });
    const listFlagged = async () =>
      (await secondServer.issues({ rule: 'store/dangling-reference' }, undefined, 9)).map(({ id }) => id);
    const scanRelations = async (store: PostgresStore, isForced: boolean) => {
      const relations = await store.relations.find(isForced);
      const byRecord = Map.groupBy(relations ?? [], ({ record }) => record);
      await store.relations.write([...byRecord.keys()], byRecord, dayNumber(now));
      await store.relations.completeScan(false);
      return relations?.length;
    };
    const end = await servers.held((session) =>
      session.rows({ text: insertSql, values: ['late', version('late').text] }),
    );
    await firstServer.insert(version('one'));
    expect(await scanRelations(firstServer, false)).toBe(1);
    expect(await listFlagged()).toEqual(['plan']);
    expect(await scanRelations(firstServer, false)).toBeUndefined();
    expect(await scanRelations(secondServer, false)).toBeUndefined();
    await end();
    expect(await scanRelations(secondServer, false)).toBe(1);
    // The server that wrote the findings writes them again if another one has removed them.
    await servers.rows('DELETE FROM issue');
    expect(await scanRelations(firstServer, true)).toBe(1);
    expect(await listFlagged()).toEqual(['plan']);
  });

  test('holds a lease until it is released or expires', async () => {
    const [firstServer, secondServer] = [await servers.open(), await servers.open()];
    const [firstLease, secondLease] = [
      firstServer.leases.getLease('work'),
      secondServer.leases.getLease('work'),
    ];
    expect(await firstLease.hold()).toBe(true);
    expect(await secondLease.hold()).toBe(false);
    expect(await secondServer.leases.getLease('other work').hold()).toBe(true);
    await secondLease.release();
    expect(await firstLease.hold()).toBe(true);
    await firstLease.release();
    expect(await secondLease.hold()).toBe(true);
    expect(await firstLease.hold()).toBe(false);
    // The expiry follows the clock of the database.
    await servers.rows("UPDATE lease SET until = now() - interval '1 second'");
    expect(await firstLease.hold()).toBe(true);
    // The previous holder cannot release the lease of another server.
    await secondLease.release();
    expect(await secondLease.hold()).toBe(false);
  });
});
