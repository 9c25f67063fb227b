import type { Derivation } from '../../../core/derive/derivations.ts';
import type { SealKey } from '../audit-chain.ts';
import { AuditLogWriter } from './audit-log-writer.ts';
import { checkStatements } from './check-statements.ts';
import type { VersionName } from '../checksum.ts';
import { textCheck, type TextCheck } from './text-check.ts';
import { companionStatements } from './sqlite-companions.ts';
import { damageTexts } from './sqlite-damage.ts';
import { IndexBacklog, createIndexFlusher } from './index-backlog.ts';
import { prepareLookups } from './lookups.ts';
import { readUsedNumber } from './numbering.ts';
import { RecordCounts } from './record-counts.ts';
import { createVersionSummaries } from './version-heads.ts';
import { recordHistory } from './record-history.ts';
import { recordQuality } from './record-quality.ts';
import { RecordRebuild } from './rebuild.ts';
import { recordSearch } from './record-search.ts';
import { relationRows } from './relation-rows.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { makeTypeIndexes } from './type-indexes.ts';
import { versionWriter, type VersionWriter } from './version-writer.ts';
import { WriteQueue } from './write-queue.ts';

/** Objects that use one open database. */
export interface Parts {
  readonly database: SqliteDatabase;
  readonly backlog: IndexBacklog;
  readonly writes: WriteQueue;
  /** Writes pending index rows if the disk accepts them. */
  readonly settle: () => void;
  readonly counts: RecordCounts;
  readonly heads: ReturnType<typeof createVersionSummaries>;
  readonly statements: ReturnType<typeof prepareLookups>;
  readonly trail: AuditLogWriter;
  /** Highest version number used before a restore. */
  usedNumber: number;
  readonly writer: VersionWriter;
  readonly check: TextCheck;
  readonly texts: ReturnType<typeof damageTexts>;
  readonly companions: ReturnType<typeof companionStatements>;
  readonly checks: ReturnType<typeof checkStatements>;
  readonly relationRows: ReturnType<typeof relationRows>;
  readonly searches: ReturnType<typeof recordSearch>;
  readonly histories: ReturnType<typeof recordHistory>;
  readonly quality: ReturnType<typeof recordQuality>;
  readonly rebuild: RecordRebuild;
  readonly rowsChanged: (ended: boolean) => void;
}

/** Callbacks of an open database. */
export interface Listeners {
  /** Reports a disk error. */
  readonly onDiskError: (fault: unknown) => void;
  /** Runs before writes are committed. Returns true if it did other work. */
  readonly beforeCommit: () => boolean;
  readonly onDamage: (name: VersionName) => void;
  /** Invalidates cached counts. `issues` is true if the counts of findings changed too. */
  readonly onRowsChanged: (issues: boolean) => void;
  /** Reports each commit, and each write that found no space. */
  readonly onWrite: (full: boolean) => void;
}

export function partsOf(
  database: SqliteDatabase,
  derivations: readonly Derivation[],
  key: SealKey | undefined,
  { onDiskError, beforeCommit, onDamage, onWrite, onRowsChanged }: Listeners,
): Parts {
  if (!database.readonly) makeTypeIndexes(database);
  const check = textCheck(database.name, onDamage);
  const searches = recordSearch(database, { check });
  const quality = recordQuality(database, Date.now, check);
  const counts = new RecordCounts(database);
  // The first count is slow, so it runs before any request.
  counts.count();
  const backlog = new IndexBacklog(database);
  const writes = new WriteQueue(
    database,
    (isRolledBack) => {
      if (!isRolledBack) {
        settleSoon();
        return;
      }
      searches.forget();
      onRowsChanged(false);
      counts.forget();
      backlog.onRollback();
    },
    onDiskError,
    beforeCommit,
    onWrite,
  );
  const { settle, settleSoon } = createIndexFlusher(backlog, (work) => writes.now(work));
  if (!database.readonly) settle();
  return {
    database,
    backlog,
    writes,
    settle,
    counts,
    check,
    searches,
    quality,
    heads: createVersionSummaries(database),
    statements: prepareLookups(database),
    trail: new AuditLogWriter(database, key),
    usedNumber: readUsedNumber(database),
    writer: versionWriter(database, backlog, key),
    texts: damageTexts(database),
    companions: companionStatements(database),
    checks: checkStatements(database),
    relationRows: relationRows(database),
    histories: recordHistory(database, check),
    rebuild: new RecordRebuild(database, derivations),
    rowsChanged: (ended: boolean) => {
      searches.forget();
      onRowsChanged(ended);
      // During a rebuild, the worklist is not counted again after each batch.
      if (ended) quality.forget();
    },
  };
}
