import type { Loss } from '../../core/app/losses.ts';
import type { TrailHead } from '../store/sqlite/audit-trail.ts';
import type { TrailLoss } from '../store/sqlite/trail-loss.ts';
import { readIn, type SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** Where the audit trail of the records ended when it was last looked at, and what was found missing behind such a place. */
export const keptTrailMigration = `
  CREATE TABLE trail_head (
    single INTEGER PRIMARY KEY CHECK (single = 1),
    seq INTEGER NOT NULL,
    seal BLOB NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE loss (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    noticed INTEGER NOT NULL,
    at_least INTEGER NOT NULL,
    cause TEXT NOT NULL,
    read INTEGER NOT NULL DEFAULT 0
  ) STRICT;
`;

interface LossRow {
  readonly id: number;
  readonly noticed: number;
  readonly at_least: number;
  readonly cause: string;
  readonly read: number;
}

export type KeptTrail = ReturnType<typeof keptTrail>;

/** The end of the trail, kept outside the file that it is the end of. */
export function keptTrail(database: SqliteDatabase, clock: () => number) {
  const put = database.prepare(
    'INSERT OR REPLACE INTO trail_head (single, seq, seal, version) VALUES (1, ?, ?, ?)',
  );
  const drop = database.prepare('DELETE FROM trail_head');
  const addLoss = database.prepare('INSERT INTO loss (noticed, at_least, cause) VALUES (?, ?, ?)');
  const markRead = database.prepare('UPDATE loss SET read = 1 WHERE id = ?');
  let moved = 0;
  const keep = (head: TrailHead | undefined) => {
    moved += (head ? put.run(head.seq, head.seal, head.version) : drop.run()).changes;
  };
  const noteLoss = database.transaction(({ atLeast, cause }: TrailLoss, head: TrailHead | undefined) => {
    addLoss.run(clock(), atLeast, cause);
    keep(head);
  });
  return {
    head: (): TrailHead | undefined => headOf(database),
    /** Rows that were changed by that: nothing of them is the person's. */
    moved: () => moved,
    /** Keeps an end, or none: a file that takes the place of the records has another. */
    keep,
    /** Notes a loss and goes on from the end that is there: it is told once. */
    noteLoss: (loss: TrailLoss, head: TrailHead | undefined): void => noteLoss.immediate(loss, head),
    losses: (): readonly Loss[] => lossesOf(database),
    /** False where there is no such loss. */
    readLoss: (id: number): boolean => markRead.run(id).changes > 0,
  };
}

/**
 * What a workspace.db that no server holds says of the records beside it; undefined where the file cannot be read, or is older
 * than that.
 */
export function keptOutsideIn(path: string) {
  return readIn(path, (database) => ({ head: headOf(database), losses: lossesOf(database) }));
}

function headOf(database: SqliteDatabase): TrailHead | undefined {
  return database.prepare<unknown[], TrailHead>('SELECT seq, seal, version FROM trail_head').get();
}

function lossesOf(database: SqliteDatabase): readonly Loss[] {
  const rows = database.prepare<unknown[], LossRow>('SELECT * FROM loss ORDER BY id DESC').all();
  return rows.map(({ id, noticed, at_least: atLeast, cause, read }) => ({
    ...{ id, noticed: new Date(noticed).toISOString(), atLeast, cause, read: read === 1 },
  }));
}
