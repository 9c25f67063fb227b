import type { Derivation } from '../../../core/derive/derivations.ts';
import type { SealKey } from '../audit-chain.ts';
import { AuditTrail } from './audit-trail.ts';
import { checkStatements } from './check-statements.ts';
import type { VersionName } from '../checksum.ts';
import { textCheck, type TextCheck } from './text-check.ts';
import { companionStatements } from './sqlite-companions.ts';
import { damageTexts } from './sqlite-damage.ts';
import { IndexBacklog, settler } from './index-backlog.ts';
import { prepareLookups } from './lookups.ts';
import { numbersTaken } from './numbering.ts';
import { RecordCounts } from './record-counts.ts';
import { versionHeads } from './version-heads.ts';
import { recordHistory } from './record-history.ts';
import { recordQuality } from './record-quality.ts';
import { RecordRebuild } from './rebuild.ts';
import { recordSearch } from './record-search.ts';
import { relationRows } from './relation-rows.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { makeTypeIndexes } from './type-indexes.ts';
import { versionWriter, type VersionWriter } from './version-writer.ts';
import { WriteQueue } from './write-queue.ts';

/** All that stands on one open database. */
export interface Parts {
  readonly database: SqliteDatabase;
  readonly backlog: IndexBacklog;
  readonly writes: WriteQueue;
  /** Makes the index rows that wait, as far as the disk takes them. */
  readonly settle: () => void;
  readonly counts: RecordCounts;
  readonly heads: ReturnType<typeof versionHeads>;
  readonly statements: ReturnType<typeof prepareLookups>;
  readonly trail: AuditTrail;
  /** The highest number of a version that was given out before a restore. */
  taken: number;
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

/** What is told of an open database. */
export interface Listeners {
  /** Of a fault of the disk. */
  readonly failed: (fault: unknown) => void;
  /** Before writes are committed; true where it did something else. */
  readonly before: () => boolean;
  readonly noticed: (name: VersionName) => void;
  /** That what was counted holds no more; `issues` among it. */
  readonly changed: (issues: boolean) => void;
  /** With each commit, and with each write that found no room. */
  readonly took: (full: boolean) => void;
}

export function partsOf(
  database: SqliteDatabase,
  of: readonly Derivation[],
  key: SealKey | undefined,
  { failed, before, noticed, took, changed }: Listeners,
): Parts {
  if (!database.readonly) makeTypeIndexes(database);
  const check = textCheck(database.name, noticed);
  const searches = recordSearch(database, { check });
  const quality = recordQuality(database, Date.now, check);
  const counts = new RecordCounts(database);
  // All records are counted before anyone waits for it.
  counts.count();
  const backlog = new IndexBacklog(database);
  const writes = new WriteQueue(
    database,
    (undone) => {
      if (!undone) {
        settleSoon();
        return;
      }
      searches.forget();
      changed(false);
      counts.forget();
      backlog.undone();
    },
    failed,
    before,
    took,
  );
  const { settle, settleSoon } = settler(backlog, (work) => writes.now(work));
  if (!database.readonly) settle();
  return {
    ...{ database, backlog, writes, settle, counts, check, searches, quality },
    heads: versionHeads(database),
    statements: prepareLookups(database),
    trail: new AuditTrail(database, key),
    taken: numbersTaken(database),
    writer: versionWriter(database, backlog, key),
    texts: damageTexts(database),
    companions: companionStatements(database),
    checks: checkStatements(database),
    relationRows: relationRows(database),
    histories: recordHistory(database, check),
    rebuild: new RecordRebuild(database, of),
    rowsChanged: (ended: boolean) => {
      searches.forget();
      changed(ended);
      // While a rebuild runs, the worklist is not counted anew with each slice.
      if (ended) quality.forget();
    },
  };
}
