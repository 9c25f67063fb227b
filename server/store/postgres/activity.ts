import {
  activityLimits,
  type ActivityEntry,
  type ActivityFilter,
  type ActivityPage,
  type NewJob,
} from '../../../core/app/activity.ts';
import type { ActivityLog, ActivityPlace, NewRequest } from '../activity-log.ts';
import {
  activityColumns,
  activityNames,
  entryOf,
  pageOf,
  pageSql,
  rowOfJob,
  rowOfRequest,
} from '../activity-rows.ts';
import { EntryQueue } from '../entry-queue.ts';
import type { Value } from '../sql.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
import { setBySet } from './dialect.ts';
import { locks } from './locks.ts';
import { writeBesideMoves } from './moving.ts';
import { listsOf } from './version-rows.ts';

const lists = activityColumns.map(([, type], at) => `$${at + 1}::${type}[]`).join(', ');
const addText = `INSERT INTO activity (${activityNames}) SELECT * FROM unnest(${lists}) RETURNING seq, ${activityNames}`;
const forgetText = 'DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - $1::bigint';

/** The activity log of all servers: the newest entries, whichever of them was asked. */
export class PostgresActivity implements ActivityLog {
  private readonly database: Postgres;
  private readonly clock: () => number;
  private readonly limit: number;
  private readonly queue: EntryQueue<NewRequest>;

  /** @param limit - Entries that are kept. */
  constructor(database: Postgres, clock = Date.now, limit: number = activityLimits.entries) {
    this.database = database;
    this.clock = clock;
    this.limit = limit;
    this.queue = new EntryQueue(async (requests) => {
      await this.write(requests.map(rowOfRequest));
    });
  }

  note(request: NewRequest): void {
    this.queue.note(request);
  }

  async add(job: NewJob): Promise<ActivityEntry> {
    await this.queue.flush();
    const [stored] = await this.write([rowOfJob(job, this.clock())]);
    return entryOf(stored ?? []);
  }

  async list(filter: ActivityFilter, place: ActivityPlace): Promise<ActivityPage> {
    await this.queue.flush();
    const { page, total } = pageSql(filter, place, setBySet);
    const rows = await this.database.rows(numbered(page));
    const [[matching = 0] = []] = await this.database.rows(numbered(total));
    return pageOf(rows, Number(matching), place.count);
  }

  async clear(): Promise<number> {
    await this.queue.flush();
    const text = 'WITH d AS (DELETE FROM activity RETURNING 1) SELECT count(*) FROM d';
    const [[cleared = 0] = []] = await this.database.rows({ text, values: [] });
    return Number(cleared);
  }

  flush(): void {
    void this.queue.flush();
  }

  /** Resolves once what was noted is written, or cannot be now. */
  settle(): Promise<void> {
    return this.queue.flush();
  }

  private write(rows: readonly (readonly Value[])[]): Promise<Value[][]> {
    return this.database.transaction(async (session) => {
      await writeBesideMoves(session, 'transaction');
      const added = await addActivity(session, rows);
      await session.rows({ text: forgetText, values: [this.limit] });
      return added;
    });
  }
}

/** Adds rows within a transaction; who has seen one of them misses none before it. */
export async function addActivity(session: Session, rows: readonly (readonly Value[])[]): Promise<Value[][]> {
  await session.rows({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [locks.activity] });
  return session.rows({ text: addText, values: listsOf(rows, activityColumns.length) });
}
