import { randomUUID } from 'node:crypto';
import {
  bulkLimits,
  NewBulkRun,
  type BulkPage,
  type BulkRun,
  type PlacedTarget,
  type RunState,
  type TargetState,
} from '../../core/app/bulk.ts';
import { is } from '../../core/json/shape.ts';
import type { SqliteDatabase } from '../store/sqlite.ts';
import type { Erased } from '../store/store.ts';
import { localServer } from './server-key.ts';

/** Runs of bulk replacement and what became of each record; times are milliseconds since the epoch. */
export const bulkMigration = `
  CREATE TABLE bulk_run (
    id TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    state TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE bulk_target (
    run TEXT NOT NULL REFERENCES bulk_run (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    version INTEGER,
    detail TEXT,
    PRIMARY KEY (run, place)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bulk_target_by_state ON bulk_target (run, state);
`;

interface RunRow {
  readonly id: string;
  readonly request: string;
  readonly state: RunState;
  readonly created: number;
  readonly updated: number;
}

type TargetRow = Omit<PlacedTarget, 'version' | 'etag' | 'detail'> & {
  readonly etag: string | null;
  readonly version: number | null;
  readonly detail: string | null;
};

export type BulkStore = ReturnType<typeof bulkStore>;

/** The bulk runs of the workspace, the newest {@link bulkLimits}`.runs` of them. */
export function bulkStore(database: SqliteDatabase, clock: () => number, erased: Pick<Erased, 'has'>) {
  const add = database.prepare(
    'INSERT INTO bulk_run (server, id, request, state, created, updated) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const trim = database.prepare(
    `DELETE FROM bulk_run WHERE rowid NOT IN (SELECT rowid FROM bulk_run ORDER BY created DESC, rowid DESC LIMIT ?)`,
  );
  const all = database.prepare<unknown[], RunRow>(
    'SELECT * FROM bulk_run WHERE server = ? ORDER BY created DESC, rowid DESC',
  );
  const one = database.prepare<unknown[], RunRow>('SELECT * FROM bulk_run WHERE server = ? AND id = ?');
  const turn = database.prepare('UPDATE bulk_run SET state = ?, updated = ? WHERE id = ?');
  const serverOf = database.prepare('SELECT server FROM bulk_run WHERE id = ?').pluck();
  const touch = database.prepare('UPDATE bulk_run SET updated = ? WHERE id = ?');
  const forget = database.prepare('DELETE FROM bulk_run WHERE id = ?');
  const counts = database.prepare<unknown[], { state: TargetState; total: number }>(
    'SELECT state, count(*) AS total FROM bulk_target WHERE run = ? GROUP BY state',
  );
  const put = database.prepare(
    `INSERT INTO bulk_target (run, place, type, id, title, state, version, etag, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (run, place) DO UPDATE SET state = excluded.state, version = excluded.version,
       etag = excluded.etag, detail = excluded.detail`,
  );
  const page = database.prepare<unknown[], TargetRow>(
    `SELECT place, type, id, title, state, version, etag, detail FROM bulk_target
     WHERE run = ? AND place > ? ORDER BY place LIMIT ?`,
  );

  function runOf({ id, request, state, created, updated }: RunRow): BulkRun[] {
    const asked: unknown = JSON.parse(request);
    if (!is(NewBulkRun, asked)) return [];
    return [
      {
        ...asked,
        id,
        state,
        created: new Date(created).toISOString(),
        updated: new Date(updated).toISOString(),
        counts: Object.fromEntries(counts.all(id).map(({ state: one, total }) => [one, total])),
      },
    ];
  }

  return {
    create(server: string, { label, operations }: NewBulkRun): Promise<BulkRun | undefined> {
      const id = randomUUID();
      const now = clock();
      database
        .transaction(() => {
          add.run(server, id, JSON.stringify({ label, operations }), 'stopped', now, now);
          trim.run(bulkLimits.runs);
        })
        .immediate();
      return this.find(server, id);
    },
    /** Newest first. */
    list(server: string): Promise<readonly BulkRun[]> {
      return Promise.resolve(all.all(server).flatMap(runOf));
    },
    find(server: string, id: string): Promise<BulkRun | undefined> {
      const row = one.get(server, id);
      return Promise.resolve(row && runOf(row)[0]);
    },
    /** Adds targets, or takes over the new states of known ones. */
    save(id: string, targets: readonly PlacedTarget[]): Promise<void> {
      database
        .transaction(() => {
          const isLocal = serverOf.get(id) === localServer;
          for (const { place, type, id: record, title, state, version, etag, detail } of targets) {
            if (isLocal && erased.has({ type, id: record })) continue;
            const known = [version ?? null, etag ?? null, detail ?? null];
            put.run(id, place, type, record, title, state, ...known);
          }
          touch.run(clock(), id);
        })
        .immediate();
      return Promise.resolve();
    },
    turn(id: string, state: RunState): Promise<void> {
      turn.run(state, clock(), id);
      return Promise.resolve();
    },
    targets(id: string, after: number): Promise<BulkPage> {
      const rows = page.all(id, after, bulkLimits.page + 1);
      const shown = rows.slice(0, bulkLimits.page);
      const last = shown.at(-1);
      return Promise.resolve({
        targets: shown.map(({ version, etag, detail, ...target }) => ({
          ...target,
          ...(version !== null && { version }),
          ...(etag !== null && { etag }),
          ...(detail !== null && { detail }),
        })),
        ...(rows.length > shown.length && last && { next: last.place }),
      });
    },
    remove(id: string): Promise<boolean> {
      return Promise.resolve(forget.run(id).changes > 0);
    },
  };
}
