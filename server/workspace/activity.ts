import {
  activityLimits,
  type ActivityEntry,
  type ActivityFilter,
  type ActivityKind,
  type ActivityPage,
  type NewJob,
  type RequestEntry,
} from '../../core/app/activity.ts';
import type { SqliteDatabase } from '../store/sqlite.ts';
import { entryOf, type ActivityRow } from './activity-row.ts';

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

/** A request as it is handed over; what it holds has been redacted. */
export type NewRequest = Omit<RequestEntry, 'seq'>;

/** Where a page starts: older than `before`, or newer than `after`. */
export interface ActivityPlace {
  readonly before?: number;
  readonly after?: number;
  readonly count: number;
}

export interface ActivityStore {
  /** Takes a request; it is written with others within {@link delay}, so that no answer waits for the disk. */
  note(request: NewRequest): void;
  add(job: NewJob): Promise<ActivityEntry>;
  /** Newest first; what was noted before is in it. */
  list(filter: ActivityFilter, place: ActivityPlace): Promise<ActivityPage>;
  /** Removes every entry, from the file too; says how many there were. */
  clear(): Promise<number>;
  flush(): void;
}

/** Milliseconds that an entry may wait for its write. */
const delay = 250;

/** Entries that are held where they cannot be written, a disk being full; the oldest are dropped first. */
const mostHeld = 1000;

const columns = [
  'time',
  'kind',
  'connection',
  'method',
  'path',
  'status',
  'ms',
  'request_bytes',
  'answer_bytes',
  'request_id',
  'record_type',
  'record_id',
  'version_before',
  'version_after',
  'note',
  'counts',
];

/** Keeps the newest `limit` entries. */
export function activityStore(
  database: SqliteDatabase,
  clock: () => number,
  limit: number = activityLimits.entries,
): ActivityStore {
  const insert = database.prepare(
    `INSERT INTO activity (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const forget = database.prepare('DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - ?');
  const clear = database.prepare('DELETE FROM activity');
  let held: NewRequest[] = [];
  let timer: NodeJS.Timeout | undefined;

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
      const stored = database
        .prepare<unknown[], ActivityRow>('SELECT * FROM activity ORDER BY seq DESC LIMIT 1')
        .get();
      if (!stored) throw new Error('The entry that was just written is not there');
      return Promise.resolve(entryOf(stored));
    },
    list(filter, { before, after, count }) {
      flush();
      const { where, values } = conditionsOf(filter);
      const total = database
        .prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM activity WHERE ${where}`)
        .get(...values);
      const place = [...(before === undefined ? [] : [before]), ...(after === undefined ? [] : [after])];
      const rows = database
        .prepare<unknown[], ActivityRow>(
          `SELECT * FROM activity WHERE ${where}${before === undefined ? '' : ' AND seq < ?'}${
            after === undefined ? '' : ' AND seq > ?'
          } ORDER BY seq DESC LIMIT ?`,
        )
        .all(...values, ...place, count + 1);
      const shown = rows.slice(0, count);
      const last = rows.length > count ? shown.at(-1) : undefined;
      return Promise.resolve({
        entries: shown.map(entryOf),
        total: total?.n ?? 0,
        ...(last && { next: last.seq }),
      });
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

function rowOfRequest(entry: NewRequest): readonly unknown[] {
  const { time, kind, connection, method, path, status, ms, requestBytes, answerBytes, requestId, record } =
    entry;
  return [
    Date.parse(time),
    kind,
    connection,
    method,
    path,
    status,
    ms,
    requestBytes,
    answerBytes,
    requestId,
    record?.type ?? null,
    record?.id ?? null,
    record?.before ?? null,
    record?.after ?? null,
    '',
    '{}',
  ];
}

function rowOfJob({ kind, note, counts, connection = localName }: NewJob, now: number): readonly unknown[] {
  const none = [null, null, null, null];
  return [now, kind, connection, '', '', 0, 0, 0, 0, '', ...none, note, JSON.stringify(counts)];
}

/** Name of the server's own records among the connections. */
export const localName = 'Local';

interface Conditions {
  readonly where: string;
  readonly values: readonly (string | number)[];
}

function conditionsOf({ text, method, status, kind, since }: ActivityFilter): Conditions {
  const parts: (readonly [sql: string, ...values: (string | number)[]])[] = [['1']];
  if (text !== undefined && text !== '') {
    const like = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    parts.push([
      `(path LIKE ? ESCAPE '\\' OR note LIKE ? ESCAPE '\\' OR request_id LIKE ? ESCAPE '\\')`,
      like,
      like,
      like,
    ]);
  }
  if (method !== undefined) parts.push(['method = ?', method]);
  if (status !== undefined) {
    const hundreds = Number(status[0]) * 100;
    parts.push(['status BETWEEN ? AND ?', hundreds, hundreds + 99]);
  }
  if (kind !== undefined) parts.push(['kind = ?', kind satisfies ActivityKind]);
  if (since !== undefined) parts.push(['time >= ?', Date.parse(since)]);
  return {
    where: parts.map(([sql]) => sql).join(' AND '),
    values: parts.flatMap(([, ...values]) => values),
  };
}
