import { activityLimits } from '../../../core/app/activity.ts';
import type { ActivityLog, NewRequest } from '../../store/activity-log.ts';
import {
  activityColumns,
  activityNames,
  entryOf,
  pageOf,
  pageSql,
  rowOfJob,
  rowOfRequest,
} from '../../store/activity-rows.ts';
import { EntryQueue } from '../../store/entry-queue.ts';
import type { Value } from '../../store/sql.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
import { setBySet } from './dialect.ts';
import { locks } from './locks.ts';
import { lockAgainstMoves } from './moving.ts';
import { toColumns, placeholders } from './version-rows.ts';

const addSql = `INSERT INTO activity (${activityNames}) SELECT * FROM unnest(${placeholders(activityColumns)})
  RETURNING seq, ${activityNames}`;
const evictSql = 'DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - $1::bigint';

/**
 * The activity log of all servers. Keeps the latest entries, whichever server wrote them.
 *
 * @param limit - Entries that are retained.
 */
export function postgresActivity(
  database: Postgres,
  clock = Date.now,
  limit: number = activityLimits.entries,
): ActivityLog & { settle(): Promise<void> } {
  const queue = new EntryQueue<NewRequest>(async (requests) => {
    await write(requests.map(rowOfRequest));
  });

  function write(rows: readonly (readonly Value[])[]): Promise<Value[][]> {
    return database.transaction(async (session) => {
      await lockAgainstMoves(session, 'transaction');
      const insertedRows = await addActivity(session, rows);
      await session.rows({ text: evictSql, values: [limit] });
      return insertedRows;
    });
  }

  return {
    note: (request) => queue.note(request),

    async add(job) {
      await queue.flush();
      const [storedRow] = await write([rowOfJob(job, clock())]);
      return entryOf(storedRow ?? []);
    },

    async list(filter, place) {
      await queue.flush();
      const { page, total } = pageSql(filter, place, setBySet);
      const rows = await database.rows(numbered(page));
      const [[matching = 0] = []] = await database.rows(numbered(total));
      return pageOf(rows, Number(matching), place.count);
    },

    async clear() {
      await queue.flush();
      const text = 'WITH d AS (DELETE FROM activity RETURNING 1) SELECT count(*) FROM d';
      const [[deletedCount = 0] = []] = await database.rows({ text });
      return Number(deletedCount);
    },

    flush: () => void queue.flush(),

    /** Resolves after the queued entries were written or have failed. */
    settle: () => queue.flush(),
  };
}

/**
 * Inserts rows within a transaction. The lock makes `seq` grow in the order of commits, so no reader skips an
 * entry.
 */
export async function addActivity(session: Session, rows: readonly (readonly Value[])[]): Promise<Value[][]> {
  await session.rows({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [locks.activity] });
  return session.rows({ text: addSql, values: toColumns(rows, activityColumns.length) });
}
