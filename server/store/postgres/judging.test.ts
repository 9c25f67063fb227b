/** What judging promises of a store that several servers write: nothing is left out, and nothing is written over. */
import { afterAll, describe, expect, test } from 'vitest';
import { dayNumber } from '../../../core/app/days.ts';
import { derivations } from '../../../core/derive/derivations.ts';
import { indexRows, noIndex } from '../../../core/fhir/index-rows.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { readCriteria } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import { insertText } from '../../testing/late-writer.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { StoreBusyError } from '../store-error.ts';
import {
  askAll,
  issue,
  now,
  rulesOf,
  serversOf,
  settled,
  titled,
  version,
} from '../testing/shared-servers.ts';
import { readAddress } from './address.ts';
import { Postgres } from './connection.ts';
import { PostgresCoverage } from './coverage.ts';
import { migrate } from './migrate.ts';
import type { PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const another = derivations.map((one) => ({ ...one, stamp: `${one.stamp}, otherwise` }));
const bySubject = readCriteria('Composition', [['subject', 'p']]);

describe.skipIf(!database)('judging a shared store (not run where PostgreSQL is not installed)', () => {
  const servers = serversOf(database);

  test('a change that waits for rows which are being made anew finds them as they are then', async () => {
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
    const own: IssueRow = { ...issue, rule: 'ext-1' };
    const changed = store.replace(version('one', 2, [own]), 1);
    await servers.somebodyWaits();
    await end();
    expect(await changed).toBe('stored');
    expect((await rulesOf(store, 'one')).sort()).toEqual(['ext-1', 'my/titled']);
    expect(await servers.rows('SELECT 1 FROM reference WHERE key = 999')).toEqual([]);
    expect(await store.replace(version('one', 3), 1)).toBe('stale');
  });

  test('where a server of another program is started, those of the former write no more, and it makes what they wrote', async () => {
    const former = await servers.open();
    await former.insert(version('one'));
    await former.derived.ready();
    // A write of the former that has its chain, and is not through.
    const end = await servers.held(async (session) => {
      await session.rows({ text: insertText, values: ['late', version('late').text] });
      await session.rows({ text: 'SELECT 1 FROM node FOR UPDATE' });
    });
    const opening = servers.open(another);
    await servers.somebodyWaits();
    await end();
    const store = await opening;
    expect((await store.derived.state()).rebuild?.parts).toHaveLength(another.length);
    await expect(former.insert(version('two'))).rejects.toBeInstanceOf(StoreBusyError);
    await expect(former.replace(version('one', 2), 1)).rejects.toBeInstanceOf(StoreBusyError);
    await expect(former.derived.renew('rules', now)).rejects.toBeInstanceOf(StoreBusyError);
    expect(await former.derived.step({ now, milliseconds: 5 })).toBe(false);
    expect(await former.read('Composition', 'one')).toBeDefined();
    await settled(store);
    expect(await store.total(bySubject)).toBe(2);
    await store.insert(version('two'));
    // What it notes of its own is kept, whoever writes.
    former.audit.note({ time: now, who: 'one', action: 'search', what: '', status: 200, requestId: '' });
    await former.audit.flush();
    // The former is started again: it is the one that writes.
    const again = await servers.open();
    await expect(store.insert(version('three'))).rejects.toBeInstanceOf(StoreBusyError);
    expect(await again.insert(version('three'))).toBe('stored');
  });

  test('two servers that make the same rows at once come to what one alone comes to', async () => {
    const [one, other] = [await servers.open(), await servers.open()];
    const bare = { ...noIndex, sort: { date: 0, status: '', title: '' } };
    for (let at = 0; at < 300; at += 1) await one.insert({ ...version(`r-${at}`), index: bare });
    await one.derived.renew('everything', now);
    await Promise.all([settled(one), settled(other), askAll(one), askAll(other)]);
    for (const store of [one, other]) {
      expect(await store.total(bySubject)).toBe(300);
      expect((await store.derived.state()).rebuild).toBeUndefined();
    }
    const twice = 'SELECT 1 FROM reference GROUP BY record, key, target HAVING count(*) > 1';
    expect(await servers.rows(twice)).toEqual([]);
  });

  test('of a rebuild that two servers were at, one counts; of one that another takes the place of, none', async () => {
    const store = await servers.open();
    await store.insert(version('one'));
    await store.derived.renew('rules', now);
    const session = new Postgres(readAddress(database?.server ?? ''), 1);
    const coverage = new PostgresCoverage(session, derivations);
    const begun = await coverage.read();
    expect(await coverage.advance(session, begun, 1, 0)).toBe(true);
    expect(await coverage.advance(session, begun, 1, 0)).toBe(false);
    await coverage.end(begun, now);
    expect(await coverage.read()).toEqual({ ...begun, done: 1 });
    await store.derived.renew('everything', now);
    expect(await coverage.advance(session, { ...begun, done: 0 }, 1, 0)).toBe(false);
    await session.close();
  });

  test('who judges and who writes wait for each other in no circle', async () => {
    const stores = [await servers.open(), await servers.open()];
    const [first, second] = stores;
    if (!first || !second) return;
    const ids = Array.from({ length: 40 }, (_, at) => `r-${at}`);
    await Promise.all(ids.map((id) => first.insert(version(id, 1, [issue, { ...issue, rule: 'ext-1' }]))));
    const deadlocks = () =>
      servers.rows('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    const before = await deadlocks();
    const write = async (store: PostgresStore, turn: number) => {
      const inTurn = turn % 2 ? ids : [...ids].reverse();
      await Promise.all(
        inTurn.map(async (id, at) => {
          const standing = (await store.read('Composition', id))?.version ?? 0;
          await store.replace(version(id, standing + 1, at % 2 ? [issue] : []), standing);
        }),
      );
    };
    await Promise.all([
      ...[0, 1, 2, 3, 4, 5].map((turn) => write(turn % 3 ? first : second, turn)),
      ...stores.map(async (store) => {
        for (let turn = 0; turn < 6; turn += 1) {
          await store.derived.renew('rules', now);
          await settled(store);
          await store.checks.settle([{ ...titled, stamp: String(turn) }]);
          await askAll(store);
        }
      }),
    ]);
    await servers.close();
    expect(await deadlocks()).toEqual(before);
    const last = await servers.open();
    await last.checks.settle([titled]);
    await askAll(last);
    for (const id of ids)
      expect((await rulesOf(last, id)).filter((rule) => rule === 'my/titled')).toHaveLength(1);
  });

  test('a look at what is between records is of one server, until something is committed that it did not see', async () => {
    const [one, other] = [await servers.open(), await servers.open()];
    const plan = { resourceType: 'CarePlan', id: 'plan', status: 'active', intent: 'plan' };
    const text = JSON.stringify({ ...plan, basedOn: [{ reference: 'CarePlan/gone' }] });
    const index = indexRows('CarePlan', scan(text).root);
    await one.insert({ ...version('plan'), type: 'CarePlan', text, index });
    const found = async () =>
      (await other.issues({ rule: 'store/dangling-reference' }, undefined, 9)).map(({ id }) => id);
    const look = async (store: PostgresStore, anyway: boolean) => {
      const all = await store.relations.find(anyway);
      const by = Map.groupBy(all ?? [], ({ record }) => record);
      await store.relations.write([...by.keys()], by, dayNumber(now));
      await store.relations.ended(false);
      return all?.length;
    };
    const end = await servers.held((session) =>
      session.rows({ text: insertText, values: ['late', version('late').text] }),
    );
    await one.insert(version('one'));
    expect(await look(one, false)).toBe(1);
    expect(await found()).toEqual(['plan']);
    expect(await look(one, false)).toBeUndefined();
    expect(await look(other, false)).toBeUndefined();
    await end();
    expect(await look(other, false)).toBe(1);
    // What is gone, whoever took it away, is written anew by who wrote it before.
    await servers.rows('DELETE FROM issue');
    expect(await look(one, true)).toBe(1);
    expect(await found()).toEqual(['plan']);
  });

  test('a lease is one server’s until it gives it back, or its time is over', async () => {
    const [one, other] = [await servers.open(), await servers.open()];
    const [mine, theirs] = [one.leases.of('work'), other.leases.of('work')];
    expect(await mine.hold()).toBe(true);
    expect(await theirs.hold()).toBe(false);
    expect(await other.leases.of('other work').hold()).toBe(true);
    await theirs.release();
    expect(await mine.hold()).toBe(true);
    await mine.release();
    expect(await theirs.hold()).toBe(true);
    expect(await mine.hold()).toBe(false);
    // Another's clock says nothing: the row's end is the database's.
    await servers.rows("UPDATE lease SET until = now() - interval '1 second'");
    expect(await mine.hold()).toBe(true);
    // Who held it before gives nothing of another's back.
    await theirs.release();
    expect(await theirs.hold()).toBe(false);
  });
});
