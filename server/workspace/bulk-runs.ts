import { randomUUID } from 'node:crypto';
import {
  RequestedRun,
  bulkLimits,
  type BulkPage,
  type BulkRun,
  type NewBulkRun,
  type NewUndo,
  type PlacedTarget,
  type RunState,
  type TargetState,
} from '../../core/app/bulk.ts';
import { matchesSchema, type Shape } from '../../core/json/shape.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';
import type { ErasedRecords } from '../store/store.ts';
import { localServer } from './server-key.ts';

/** Tables of bulk runs and the result of each record. Times are milliseconds since the epoch. */
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

/**
 * Columns for an undo: the previous version of each write, the run that a run undoes, and the number of erased records.
 * For writes of this server before this migration, the previous version is the version number minus one.
 */
export const undoMigration = `
  ALTER TABLE bulk_run ADD COLUMN undoes TEXT;
  ALTER TABLE bulk_run ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX bulk_run_by_undoes ON bulk_run (undoes) WHERE undoes IS NOT NULL;
  ALTER TABLE bulk_target ADD COLUMN before_version INTEGER;
  ALTER TABLE bulk_target ADD COLUMN before_etag TEXT;
  UPDATE bulk_target SET before_version = version - 1, before_etag = 'W/"' || (version - 1) || '"'
    WHERE state = 'done' AND version > 1 AND run IN (SELECT id FROM bulk_run WHERE server = '');
`;

interface RunRow {
  readonly id: string;
  readonly request: string;
  readonly state: RunState;
  readonly created: number;
  readonly updated: number;
  readonly undoes: string | null;
  readonly erased: number;
}

type TargetRow = Omit<PlacedTarget, 'version' | 'etag' | 'detail' | 'before'> & {
  readonly etag: string | null;
  readonly version: number | null;
  readonly detail: string | null;
  readonly before_version: number | null;
  readonly before_etag: string | null;
};

export type BulkStore = ReturnType<typeof bulkStore>;

/** Creates the store of the latest {@link bulkLimits}`.runs` bulk runs of the workspace. */
export function bulkStore(
  database: SqliteDatabase,
  clock: () => number,
  erasures: Pick<ErasedRecords, 'has'>,
) {
  const insertRun = database.prepare(
    'INSERT INTO bulk_run (server, id, request, undoes, state, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const trim = database.prepare(
    `DELETE FROM bulk_run WHERE rowid NOT IN (SELECT rowid FROM bulk_run ORDER BY created DESC, rowid DESC LIMIT ?)`,
  );
  const listRuns = database.prepare<unknown[], RunRow>(
    'SELECT * FROM bulk_run WHERE server = ? ORDER BY created DESC, rowid DESC',
  );
  const findRun = database.prepare<unknown[], RunRow>('SELECT * FROM bulk_run WHERE server = ? AND id = ?');
  const setState = database.prepare('UPDATE bulk_run SET state = ?, updated = ? WHERE id = ?');
  const serverOf = database.prepare('SELECT server FROM bulk_run WHERE id = ?').pluck();
  const setUpdated = database.prepare('UPDATE bulk_run SET updated = ? WHERE id = ?');
  const deleteRun = database.prepare('DELETE FROM bulk_run WHERE id = ?');
  const countTargets = database.prepare<unknown[], { state: TargetState; total: number }>(
    'SELECT state, count(*) AS total FROM bulk_target WHERE run = ? GROUP BY state',
  );
  const upsertTarget = database.prepare(
    `INSERT INTO bulk_target (run, place, type, id, title, state, version, etag, detail, before_version, before_etag)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (run, place) DO UPDATE SET state = excluded.state, version = excluded.version,
       etag = excluded.etag, detail = excluded.detail, before_version = excluded.before_version,
       before_etag = excluded.before_etag`,
  );
  const insertUndoTargets = database.prepare(
    `INSERT INTO bulk_target (run, place, type, id, title, state, version, etag, before_version, before_etag)
     SELECT ?, row_number() OVER (ORDER BY place) - 1, type, id, title, 'ready', version, etag, before_version, before_etag
     FROM bulk_target WHERE run = ? AND state = 'done'`,
  );
  const listTargets = database.prepare<unknown[], TargetRow>(
    `SELECT place, type, id, title, state, version, etag, detail, before_version, before_etag FROM bulk_target
     WHERE run = ? AND place > ? ORDER BY place LIMIT ?`,
  );
  const findTarget = database.prepare<unknown[], TargetRow>(
    `SELECT place, type, id, title, state, version, etag, detail, before_version, before_etag FROM bulk_target
     WHERE run = ? AND place = ?`,
  );
  const undoOf = database.prepare('SELECT id FROM bulk_run WHERE undoes = ?').pluck();

  function countsOf(id: string): BulkRun['counts'] {
    return Object.fromEntries(countTargets.all(id).map(({ state, total }) => [state, total]));
  }

  /** Returns the undo of a run. It is active until it is undone itself. */
  function findUndo(id: string): Pick<BulkRun, 'undo'> {
    const run = undoOf.get(id) as string | undefined;
    if (run === undefined) return {};
    return { undo: { run, done: countsOf(run).done ?? 0, stands: findUndo(run).undo?.stands !== true } };
  }

  function insertNewRun(
    server: string,
    requestedRun: Shape<typeof RequestedRun>,
    undoes: string | null,
  ): string {
    const id = randomUUID();
    const now = clock();
    insertRun.run(server, id, JSON.stringify(requestedRun), undoes, 'stopped', now, now);
    return id;
  }

  function runOf({ id, request, state, created, updated, undoes, erased: erasedCount }: RunRow): BulkRun[] {
    const requestedRun: unknown = JSON.parse(request);
    if (!matchesSchema(RequestedRun, requestedRun)) return [];
    return [
      {
        ...requestedRun,
        ...(undoes !== null && { undoes }),
        ...findUndo(id),
        ...(erasedCount > 0 && { erased: erasedCount }),
        id,
        state,
        created: new Date(created).toISOString(),
        updated: new Date(updated).toISOString(),
        counts: countsOf(id),
      },
    ];
  }

  return {
    create(server: string, { label, operations }: NewBulkRun): Promise<BulkRun | undefined> {
      const id = database
        .transaction(() => {
          const run = insertNewRun(server, { label, operations }, null);
          trim.run(bulkLimits.runs);
          return run;
        })
        .immediate();
      return this.find(server, id);
    },
    /** Creates the undo of a run with all its written records. Creates nothing if the run was already undone. */
    undo(server: string, { label, undoes }: NewUndo): Promise<BulkRun | undefined> {
      const id = database
        .transaction(() => {
          if (undoOf.get(undoes) !== undefined) return '';
          const run = insertNewRun(server, { label, operations: [] }, undoes);
          insertUndoTargets.run(run, undoes);
          trim.run(bulkLimits.runs);
          return run;
        })
        .immediate();
      return this.find(server, id);
    },
    /** Returns the runs, newest first. */
    list(server: string): Promise<readonly BulkRun[]> {
      return Promise.resolve(listRuns.all(server).flatMap(runOf));
    },
    find(server: string, id: string): Promise<BulkRun | undefined> {
      const row = findRun.get(server, id);
      return Promise.resolve(row && runOf(row)[0]);
    },
    /** Returns true if a run is an undo. Called at each step, so it counts nothing. */
    isUndo(server: string, id: string): Promise<boolean> {
      return Promise.resolve(typeof findRun.get(server, id)?.undoes === 'string');
    },
    /** Adds targets, or updates the states of known ones. */
    save(id: string, targets: readonly PlacedTarget[]): Promise<void> {
      database
        .transaction(() => {
          const isLocal = serverOf.get(id) === localServer;
          for (const { place, type, id: record, title, state, version, etag, detail, before } of targets) {
            if (isLocal && erasures.has({ type, id: record })) continue;
            const previousValues = [before?.version ?? null, before?.etag ?? null];
            const stateValues = [version ?? null, etag ?? null, detail ?? null, ...previousValues];
            upsertTarget.run(id, place, type, record, title, state, ...stateValues);
          }
          setUpdated.run(clock(), id);
        })
        .immediate();
      return Promise.resolve();
    },
    turn(id: string, state: RunState): Promise<void> {
      setState.run(state, clock(), id);
      return Promise.resolve();
    },
    targets(id: string, after: number): Promise<BulkPage> {
      const rows = listTargets.all(id, after, bulkLimits.page + 1);
      const targetRows = rows.slice(0, bulkLimits.page);
      const lastRow = targetRows.at(-1);
      return Promise.resolve({
        targets: targetRows.map(targetOf),
        ...(rows.length > targetRows.length && lastRow && { next: lastRow.place }),
      });
    },
    target(id: string, place: number): Promise<PlacedTarget | undefined> {
      const row = findTarget.get(id, place);
      return Promise.resolve(row && targetOf(row));
    },
    remove(id: string): Promise<boolean> {
      return Promise.resolve(deleteRun.run(id).changes > 0);
    },
  };
}

function targetOf(row: TargetRow): PlacedTarget {
  const { version, etag, detail, before_version: beforeVersion, before_etag: beforeEtag, ...target } = row;
  const before = buildVersionMembers(beforeVersion, beforeEtag);
  return {
    ...target,
    ...buildVersionMembers(version, etag),
    ...(detail !== null && { detail }),
    ...((beforeVersion !== null || beforeEtag !== null) && { before }),
  };
}

function buildVersionMembers(
  version: number | null,
  etag: string | null,
): Pick<PlacedTarget, 'version' | 'etag'> {
  return { ...(version !== null && { version }), ...(etag !== null && { etag }) };
}
