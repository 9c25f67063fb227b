import { activityLimits } from '../../core/app/activity.ts';
import type { ActivityLog, NewRequest } from '../store/activity-log.ts';
import {
  activityColumns,
  activityNames,
  entryOf,
  pageOf,
  pageSql,
  rowOfJob,
  rowOfRequest,
} from '../store/activity-rows.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { sql, type Sql, type Value } from '../store/sql.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/** Table of the requests of the workbench and its jobs. Times are milliseconds since the epoch. */
export const activityMigration = `
  CREATE TABLE activity (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    connection TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    ms REAL NOT NULL,
    request_bytes INTEGER NOT NULL,
    answer_bytes INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    record_type TEXT,
    record_id TEXT,
    version_before INTEGER,
    version_after INTEGER,
    note TEXT NOT NULL,
    counts TEXT NOT NULL
  ) STRICT;
`;

/** Longest delay of a write in milliseconds. */
const writeDelayMs = 250;

/** Maximum number of unwritten entries in memory, for example on a full disk. The oldest are dropped first. */
const maxPendingEntries = 1000;

/** Creates a log of the latest `limit` entries. */
export function activityStore(
  database: SqliteDatabase,
  clock: () => number,
  limit: number = activityLimits.entries,
): ActivityLog {
  const insert = database.prepare(
    `INSERT INTO activity (${activityNames}) VALUES (${activityColumns.map(() => '?').join(', ')})`,
  );
  const removeOldest = database.prepare(
    'DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - ?',
  );
  const clear = database.prepare('DELETE FROM activity');
  let pendingEntries: NewRequest[] = [];
  let timer: NodeJS.Timeout | undefined;

  const rowsOf = ({ text, values }: Sql) =>
    database
      .prepare<unknown[], Value[]>(text)
      .raw()
      .all(...values);
  const writeAll = database.transaction((rows: readonly (readonly unknown[])[]) => {
    for (const row of rows) insert.run(...row);
    removeOldest.run(limit);
  });
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pendingEntries.length === 0) return;
    try {
      writeAll.immediate(pendingEntries.map(rowOfRequest));
      pendingEntries = [];
    } catch {
      // A full disk must not end the server because of its log. The next batch tries again.
      pendingEntries = pendingEntries.slice(-maxPendingEntries);
    }
  };

  return {
    note(request) {
      pendingEntries.push(request);
      timer ??= setTimeout(flush, writeDelayMs).unref();
    },
    add(job) {
      flush();
      const row = rowOfJob(job, clock());
      writeAll.immediate([row]);
      const [storedRow] = rowsOf(sql(`SELECT seq, ${activityNames} FROM activity ORDER BY seq DESC LIMIT 1`));
      if (!storedRow) throw new Error('The entry that was just written is not there');
      return Promise.resolve(entryOf(storedRow));
    },
    list(filter, position) {
      flush();
      const { page, total } = pageSql(filter, position, sqliteDialect);
      const [[matching = 0] = []] = rowsOf(total);
      return Promise.resolve(pageOf(rowsOf(page), Number(matching), position.count));
    },
    clear() {
      flush();
      const { changes } = clear.run();
      // The WAL still contains the removed pages.
      database.pragma('wal_checkpoint(TRUNCATE)');
      return Promise.resolve(changes);
    },
    flush,
  };
}
