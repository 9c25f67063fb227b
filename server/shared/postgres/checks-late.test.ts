/** Checks of versions that are committed late, after versions with higher numbers. */
import { afterAll, describe, expect, test } from 'vitest';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { insertSql } from '../../testing/late-writer.ts';
import { testDatabase } from '../../testing/postgres.ts';
import {
  askAll,
  brokenVerdict,
  now,
  rulesOf,
  serversOf,
  titled,
  version,
} from '../../store/testing/shared-servers.ts';
import { migrate } from './migrate.ts';
import type { PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const isAtEnd = async (store: PostgresStore) => {
  const [progress] = await store.checks.progress();
  return progress?.done === progress?.total;
};

describe.skipIf(!database)('checks of a shared store (not run where PostgreSQL is not installed)', () => {
  const servers = serversOf(database);

  test('checks a record whose commit is later than records with higher numbers', async () => {
    const store = await servers.open();
    await store.checks.settle([titled]);
    const end = await servers.held((session) =>
      session.rows({ text: insertSql, values: ['late', version('late').text] }),
    );
    await store.insert(version('one'));
    await store.insert(version('two'));
    // Open transactions block nothing: all committed records are done.
    expect(await askAll(store)).toEqual(['one', 'two']);
    expect(await isAtEnd(store)).toBe(true);
    await end();
    expect(await isAtEnd(store)).toBe(false);
    expect(await askAll(store)).toEqual(['late']);
    expect(await rulesOf(store, 'late')).toEqual(['my/titled']);
    expect(await isAtEnd(store)).toBe(true);
  });

  test('checks next a record that is committed during a batch', async () => {
    const store = await servers.open();
    await store.insert(version('one'));
    await store.checks.settle([titled]);
    const end = await servers.held((session) =>
      session.rows({ text: insertSql, values: ['late', version('late').text] }),
    );
    const slice = await store.checks.next();
    await end();
    if (slice) await store.checks.write(slice, [[brokenVerdict]], new Set(), dayNumber(now));
    expect(await askAll(store)).toEqual(['late']);
  });

  test('removes findings of a disabled check from a record that changes concurrently', async () => {
    const store = await servers.open();
    await store.insert(version('one'));
    await store.checks.settle([titled]);
    await askAll(store);
    await store.checks.settle([]);
    const end = await servers.held((session) =>
      session.rows({
        text: `WITH r AS (UPDATE record SET version = 2, current = nextval('version_pk'),
            changed = pg_current_xact_id() WHERE id = 'one' RETURNING pk, current)
          INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation,
            author, sha256, crc32, body)
          SELECT r.current, r.pk, 'Composition', 'one', 2, '2026', 0, '', '', 'update', '', sha256($1::text::bytea),
            0, $1 FROM r`,
        values: [version('one', 2).text],
      }),
    );
    const checking = askAll(store);
    await servers.somebodyWaits();
    await end();
    await checking;
    expect(await rulesOf(store, 'one')).toEqual([]);
    expect(await servers.rows('SELECT 1 FROM check_slot')).toEqual([]);
  });
});
