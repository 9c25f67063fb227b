import { randomUUID } from 'node:crypto';
import {
  AskedRun,
  bulkLimits,
  type BulkPage,
  type BulkRun,
  type NewBulkRun,
  type NewUndo,
  type PlacedTarget,
  type RunState,
  type TargetState,
} from '../../core/app/bulk.ts';
import { is, type Shape } from '../../core/json/shape.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
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

/**
 * What an undo needs: the version before each that was written, the run that a run undoes, and how many records of it
 * were erased. Of what this server wrote before, the version before is the one that was replaced.
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

/** The bulk runs of the workspace, the newest {@link bulkLimits}`.runs` of them. */
export function bulkStore(database: SqliteDatabase, clock: () => number, erased: Pick<Erased, 'has'>) {
  const add = database.prepare(
    'INSERT INTO bulk_run (server, id, request, undoes, state, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)',
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
    `INSERT INTO bulk_target (run, place, type, id, title, state, version, etag, detail, before_version, before_etag)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (run, place) DO UPDATE SET state = excluded.state, version = excluded.version,
       etag = excluded.etag, detail = excluded.detail, before_version = excluded.before_version,
       before_etag = excluded.before_etag`,
  );
  const putWritten = database.prepare(
    `INSERT INTO bulk_target (run, place, type, id, title, state, version, etag, before_version, before_etag)
     SELECT ?, row_number() OVER (ORDER BY place) - 1, type, id, title, 'ready', version, etag, before_version, before_etag
     FROM bulk_target WHERE run = ? AND state = 'done'`,
  );
  const page = database.prepare<unknown[], TargetRow>(
    `SELECT place, type, id, title, state, version, etag, detail, before_version, before_etag FROM bulk_target
     WHERE run = ? AND place > ? ORDER BY place LIMIT ?`,
  );
  const placed = database.prepare<unknown[], TargetRow>(
    `SELECT place, type, id, title, state, version, etag, detail, before_version, before_etag FROM bulk_target
     WHERE run = ? AND place = ?`,
  );
  const undoOf = database.prepare('SELECT id FROM bulk_run WHERE undoes = ?').pluck();

  function countsOf(id: string): BulkRun['counts'] {
    return Object.fromEntries(counts.all(id).map(({ state, total }) => [state, total]));
  }

  /** An undo stands until it is undone itself. */
  function undone(id: string): Pick<BulkRun, 'undo'> {
    const run = undoOf.get(id) as string | undefined;
    if (run === undefined) return {};
    return { undo: { run, done: countsOf(run).done ?? 0, stands: undone(run).undo?.stands !== true } };
  }

  function begin(server: string, asked: Shape<typeof AskedRun>, undoes: string | null): string {
    const id = randomUUID();
    const now = clock();
    add.run(server, id, JSON.stringify(asked), undoes, 'stopped', now, now);
    return id;
  }

  function runOf({ id, request, state, created, updated, undoes, erased: gone }: RunRow): BulkRun[] {
    const asked: unknown = JSON.parse(request);
    if (!is(AskedRun, asked)) return [];
    return [
      {
        ...asked,
        ...(undoes !== null && { undoes }),
        ...undone(id),
        ...(gone > 0 && { erased: gone }),
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
          const run = begin(server, { label, operations }, null);
          trim.run(bulkLimits.runs);
          return run;
        })
        .immediate();
      return this.find(server, id);
    },
    /** The undo of a run, with all that it wrote, or nothing: a run is undone once. */
    undo(server: string, { label, undoes }: NewUndo): Promise<BulkRun | undefined> {
      const id = database
        .transaction(() => {
          if (undoOf.get(undoes) !== undefined) return '';
          const run = begin(server, { label, operations: [] }, undoes);
          putWritten.run(run, undoes);
          trim.run(bulkLimits.runs);
          return run;
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
    /** Whether a run is an undo; asked at each of its steps, so that nothing is counted. */
    isUndo(server: string, id: string): Promise<boolean> {
      return Promise.resolve(typeof one.get(server, id)?.undoes === 'string');
    },
    /** Adds targets, or takes over the new states of known ones. */
    save(id: string, targets: readonly PlacedTarget[]): Promise<void> {
      database
        .transaction(() => {
          const isLocal = serverOf.get(id) === localServer;
          for (const { place, type, id: record, title, state, version, etag, detail, before } of targets) {
            if (isLocal && erased.has({ type, id: record })) continue;
            const was = [before?.version ?? null, before?.etag ?? null];
            const known = [version ?? null, etag ?? null, detail ?? null, ...was];
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
        targets: shown.map(targetOf),
        ...(rows.length > shown.length && last && { next: last.place }),
      });
    },
    /** The target at a place of a run. */
    target(id: string, place: number): Promise<PlacedTarget | undefined> {
      const row = placed.get(id, place);
      return Promise.resolve(row && targetOf(row));
    },
    remove(id: string): Promise<boolean> {
      return Promise.resolve(forget.run(id).changes > 0);
    },
  };
}

function targetOf(row: TargetRow): PlacedTarget {
  const { version, etag, detail, before_version: beforeVersion, before_etag: beforeEtag, ...target } = row;
  const before = heldOf(beforeVersion, beforeEtag);
  return {
    ...target,
    ...heldOf(version, etag),
    ...(detail !== null && { detail }),
    ...((beforeVersion !== null || beforeEtag !== null) && { before }),
  };
}

function heldOf(version: number | null, etag: string | null): Pick<PlacedTarget, 'version' | 'etag'> {
  return { ...(version !== null && { version }), ...(etag !== null && { etag }) };
}
