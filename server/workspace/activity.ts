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
import { sqliteDialect } from '../store/dialect.ts';
import { sql, type Sql, type Value } from '../store/sql.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** The requests of the workbench and the jobs that it ran; time is milliseconds since the epoch. */
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

/** Milliseconds that an entry may wait for its write. */
const delay = 250;

/** Entries that are held where they cannot be written, a disk being full; the oldest are dropped first. */
const mostHeld = 1000;

/** Keeps the newest `limit` entries. */
export function activityStore(
  database: SqliteDatabase,
  clock: () => number,
  limit: number = activityLimits.entries,
): ActivityLog {
  const insert = database.prepare(
    `INSERT INTO activity (${activityNames}) VALUES (${activityColumns.map(() => '?').join(', ')})`,
  );
  const forget = database.prepare('DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - ?');
  const clear = database.prepare('DELETE FROM activity');
  let held: NewRequest[] = [];
  let timer: NodeJS.Timeout | undefined;

  const rowsOf = ({ text, values }: Sql) =>
    database
      .prepare<unknown[], Value[]>(text)
      .raw()
      .all(...values);
  const writeAll = database.transaction((rows: readonly (readonly unknown[])[]) => {
    for (const row of rows) insert.run(...row);
    forget.run(limit);
  });
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length === 0) return;
    try {
      writeAll.immediate(held.map(rowOfRequest));
      held = [];
    } catch {
      // A full disk must not end the server over its log; the next batch tries again.
      held = held.slice(-mostHeld);
    }
  };

  return {
    note(request) {
      held.push(request);
      timer ??= setTimeout(flush, delay).unref();
    },
    add(job) {
      flush();
      const row = rowOfJob(job, clock());
      writeAll.immediate([row]);
      const [stored] = rowsOf(sql(`SELECT seq, ${activityNames} FROM activity ORDER BY seq DESC LIMIT 1`));
      if (!stored) throw new Error('The entry that was just written is not there');
      return Promise.resolve(entryOf(stored));
    },
    list(filter, place) {
      flush();
      const { page, total } = pageSql(filter, place, sqliteDialect);
      const [[matching = 0] = []] = rowsOf(total);
      return Promise.resolve(pageOf(rowsOf(page), Number(matching), place.count));
    },
    clear() {
      flush();
      const { changes } = clear.run();
      // The write-ahead log still holds the pages as they were.
      database.pragma('wal_checkpoint(TRUNCATE)');
      return Promise.resolve(changes);
    },
    flush,
  };
}
