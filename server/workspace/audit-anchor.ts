import type { Loss } from '../../core/app/losses.ts';
import type { AuditLoss, ChainHead } from '../store/audit-log.ts';
import { readDatabaseFile, type SqliteDatabase } from '../sqlite/sqlite.ts';

/** Tables of the last known head of the audit chain, and of detected losses. */
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

export type AnchorStore = ReturnType<typeof createAnchorStore>;

/** Stores the head of the audit chain outside the records database. */
export function createAnchorStore(database: SqliteDatabase, clock: () => number) {
  const upsertHead = database.prepare(
    'INSERT OR REPLACE INTO trail_head (single, seq, seal, version) VALUES (1, ?, ?, ?)',
  );
  const deleteHead = database.prepare('DELETE FROM trail_head');
  const addLoss = database.prepare('INSERT INTO loss (noticed, at_least, cause) VALUES (?, ?, ?)');
  const markRead = database.prepare('UPDATE loss SET read = 1 WHERE id = ?');
  let changedRows = 0;
  const storeHead = (head: ChainHead | undefined) => {
    changedRows += (head ? upsertHead.run(head.seq, head.seal, head.version) : deleteHead.run()).changes;
  };
  const recordLoss = database.transaction(({ atLeast, cause }: AuditLoss, head: ChainHead | undefined) => {
    addLoss.run(clock(), atLeast, cause);
    storeHead(head);
  });
  return {
    readLatest: (): ChainHead | undefined => headOf(database),
    /** Returns the number of rows changed by the anchor. They contain no data of a person. */
    moved: () => changedRows,
    /** Stores a head, or none. A restored file has another one. */
    keep: storeHead,
    /** Records a loss and continues from the current head, so that it is reported once. */
    noteLoss: (loss: AuditLoss, head: ChainHead | undefined): void => recordLoss.immediate(loss, head),
    losses: (): readonly Loss[] => lossesOf(database),
    /** Marks a loss as read. Returns false if there is no such loss. */
    readLoss: (id: number): boolean => markRead.run(id).changes > 0,
  };
}

/**
 * Reads the anchor and the losses of a workspace.db that no server has open. Returns undefined if the file can't be
 * read or its schema is older.
 */
export function keptOutsideIn(path: string) {
  return readDatabaseFile(path, (database) => ({ head: headOf(database), losses: lossesOf(database) }));
}

function headOf(database: SqliteDatabase): ChainHead | undefined {
  return database.prepare<unknown[], ChainHead>('SELECT seq, seal, version FROM trail_head').get();
}

function lossesOf(database: SqliteDatabase): readonly Loss[] {
  const rows = database.prepare<unknown[], LossRow>('SELECT * FROM loss ORDER BY id DESC').all();
  return rows.map(({ id, noticed: noticedMs, at_least: atLeast, cause, read: isRead }) => ({
    id,
    noticed: new Date(noticedMs).toISOString(),
    atLeast,
    cause,
    read: isRead === 1,
  }));
}
