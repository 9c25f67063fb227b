import type { Derivation } from '../../../core/derive/derivations.ts';
import type { SealKey } from '../audit-chain.ts';
import { AuditLogWriter } from './audit-log-writer.ts';
import { checkStatements } from './check-statements.ts';
import { isIntact, searchedColumns, type VersionName } from '../checksum.ts';
import { textCheck, type TextCheck } from './text-check.ts';
import { prepareBatches, type BatchStatements } from './batch-statements.ts';
import { prepareRemoved } from './removed-records.ts';
import { prepareStatements } from './sqlite-companions.ts';
import { damageTexts } from './sqlite-damage.ts';
import { prepareLookups } from './lookups.ts';
import { readUsedNumber } from './numbering.ts';
import { recordHistory } from './record-history.ts';
import { recordQuality } from './record-quality.ts';
import { RecordRebuild } from './rebuild.ts';
import { recordSearch } from './record-search.ts';
import { preparePluck, prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { makeTypeIndexes } from '../../sqlite/type-indexes.ts';
import { versionWriter, IndexBacklog, createIndexFlusher, type VersionWriter } from './version-writer.ts';
import { WriteQueue } from './write-queue.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { isOfType } from '../sql.ts';
import { authorshipIn } from '../../../core/app/authorship.ts';
import type { PlacedVersion, VersionHeads } from '../store.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { isRelation, relationIssues } from '../../../core/fhir/relations.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { foundIssueWriter } from './found-issues.ts';
import { isConfirmed, type FoundRelation } from '../relation-sql.ts';
import { objectIn } from '../../../core/json/scan.ts';

/** Objects that use one open database connection. */
export interface ConnectionParts {
  readonly database: SqliteDatabase;
  readonly backlog: IndexBacklog;
  readonly writes: WriteQueue;
  /** Writes pending index rows if the disk accepts them. */
  readonly writeBacklog: () => void;
  readonly counts: RecordCounts;
  readonly versionSummaries: ReturnType<typeof createVersionSummaries>;
  readonly statements: ReturnType<typeof prepareLookups>;
  readonly auditLog: AuditLogWriter;
  /** Highest version number used before a restore. */
  highestUsedVersion: number;
  readonly writer: VersionWriter;
  readonly verifyText: TextCheck;
  readonly texts: ReturnType<typeof damageTexts>;
  readonly supportingResourceStatements: ReturnType<typeof prepareStatements>;
  readonly batches: BatchStatements;
  readonly removed: ReturnType<typeof prepareRemoved>;
  readonly checks: ReturnType<typeof checkStatements>;
  readonly relationRows: ReturnType<typeof relationRows>;
  readonly searches: ReturnType<typeof recordSearch>;
  readonly histories: ReturnType<typeof recordHistory>;
  readonly quality: ReturnType<typeof recordQuality>;
  readonly rebuild: RecordRebuild;
  readonly notifyRowsChanged: (ended: boolean) => void;
}

/** Callbacks of an open database. */
export interface Listeners {
  readonly onDiskError: (fault: unknown) => void;
  /** Runs before writes are committed. Returns true if it did other work. */
  readonly beforeCommit: () => boolean;
  readonly onDamage: (name: VersionName) => void;
  /** Invalidates cached counts. `issues` is true if the counts of findings changed too. */
  readonly onRowsChanged: (issues: boolean) => void;
  /** Reports each commit, and each write that found no space. */
  readonly onWrite: (full: boolean) => void;
}

export function createConnectionParts(
  database: SqliteDatabase,
  derivations: readonly Derivation[],
  key: SealKey | undefined,
  { onDiskError, beforeCommit, onDamage, onWrite, onRowsChanged }: Listeners,
): ConnectionParts {
  if (!database.readonly) makeTypeIndexes(database);
  const verifyText = textCheck(database.name, onDamage);
  const searches = recordSearch(database, { check: verifyText });
  const quality = recordQuality(database, Date.now, verifyText);
  const counts = new RecordCounts(database);
  // The first count is slow, so it runs before any request.
  counts.count();
  const backlog = new IndexBacklog(database);
  const writes = new WriteQueue(
    database,
    (isRolledBack) => {
      if (!isRolledBack) {
        scheduleWrite();
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
  const { writeBacklog, scheduleWrite } = createIndexFlusher(backlog, (work) => writes.now(work));
  if (!database.readonly) writeBacklog();
  return {
    database,
    backlog,
    writes,
    writeBacklog,
    counts,
    verifyText,
    searches,
    quality,
    versionSummaries: createVersionSummaries(database),
    statements: prepareLookups(database),
    auditLog: new AuditLogWriter(database, key),
    highestUsedVersion: readUsedNumber(database),
    writer: versionWriter(database, backlog, key),
    texts: damageTexts(database),
    supportingResourceStatements: prepareStatements(database),
    batches: prepareBatches(database),
    removed: prepareRemoved(database),
    checks: checkStatements(database),
    relationRows: relationRows(database),
    histories: recordHistory(database, verifyText),
    rebuild: new RecordRebuild(database, derivations),
    notifyRowsChanged: (ended: boolean) => {
      searches.forget();
      onRowsChanged(ended);
      // During a rebuild, the worklist is not counted again after each batch.
      if (ended) quality.forget();
    },
  };
}

/**
 * Counts records by type without a scan of all records. Records are only removed together, so only new ones are
 * counted.
 */
class RecordCounts {
  private readonly newest: () => number;
  private readonly since: Readonly<Record<ResourceType, (pk: number) => number>>;
  private cachedCounts: { readonly latest: number; readonly totals: Readonly<Record<ResourceType, number>> };

  constructor(database: SqliteDatabase) {
    const newest = preparePluck<number>(database, 'SELECT coalesce(max(pk), 0) FROM record');
    this.newest = () => newest.get() ?? 0;
    this.since = perType((type) => {
      const countAll = `SELECT count(*) FROM record r WHERE ${isOfType('r', type)}`;
      // A full count uses the narrowest index, a short one the table.
      const [countAllStatement, countLaterStatement] = [countAll, `${countAll} AND pk > ?`].map((text) =>
        preparePluck<number>(database, text),
      );
      return (pk) => (pk === 0 ? countAllStatement?.get() : countLaterStatement?.get(pk)) ?? 0;
    });
    this.cachedCounts = { latest: 0, totals: perType(() => 0) };
  }

  count(): Record<ResourceType, number> {
    const { latest: previousLatest, totals } = this.cachedCounts;
    const latest = this.newest();
    if (latest !== previousLatest) {
      this.cachedCounts = {
        latest,
        totals: perType((type) => totals[type] + this.since[type](previousLatest)),
      };
    }
    return { ...this.cachedCounts.totals };
  }

  /** Discards the counts after a removal of records or a rollback. */
  forget(): void {
    this.cachedCounts = { latest: 0, totals: perType(() => 0) };
  }
}

interface HeadRow extends Omit<PlacedVersion, 'person' | 'reason'> {
  readonly person: string | null;
  readonly reason: string | null;
}

const columns =
  'pk AS place, type, id, version, last_updated AS lastUpdated, operation, author, person, reason';

/** Creates the queries of the main thread. Reader threads run `writers` and `changed`. */
function createVersionSummaries(database: SqliteDatabase): Omit<VersionHeads, 'countChanged' | 'writers'> {
  // In the order of writing, so that no index by time is needed.
  const newest = database.prepare<unknown[], HeadRow>(
    `SELECT * FROM (SELECT ${columns} FROM version ORDER BY pk DESC LIMIT @limit)
     WHERE lastUpdated >= @since ORDER BY place DESC`,
  );
  const listAll = database.prepare<unknown[], HeadRow>(
    `SELECT ${columns} FROM version WHERE pk > @after ORDER BY pk LIMIT @limit`,
  );
  const listOfRecord = perType((type) =>
    database.prepare<unknown[], HeadRow>(
      `SELECT ${columns} FROM version
       WHERE record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = @id) AND pk > @after
       ORDER BY version LIMIT @limit`,
    ),
  );
  return {
    newest: async (since, limit) => newest.all({ since, limit }).map(headOf),
    listAuthorship: async (record, after, limit) =>
      (record
        ? listOfRecord[record.type].all({ id: record.id, after, limit })
        : listAll.all({ after, limit })
      ).map(headOf),
  };
}

function headOf({ author, person, reason, ...head }: HeadRow): PlacedVersion {
  return { ...head, ...authorshipIn({ author, person, reason }) };
}

type TextRow = [type: ResourceType, version: number, body: unknown, sum: unknown];

/** Reads and writes the findings between records of an open database. */
function relationRows(database: SqliteDatabase) {
  const textOf = prepareRaw<TextRow>(
    database,
    `SELECT r.type, v.pk, ${searchedColumns('v')} FROM record r CROSS JOIN version v ON v.pk = r.current WHERE r.pk = ?`,
  );
  const writeFound = foundIssueWriter(database);
  const theirs = ({ rule }: IssueRow) => isRelation(rule);
  /** Last written findings and version, by record. */
  const writtenKeys = new Map<number, string>();

  function rootOf(
    record: number,
  ): { readonly version: number; readonly root: JsonObject | undefined } | undefined {
    const row = textOf.get(record);
    if (!row) return undefined;
    const [, version, body, sum] = row;
    return { version, root: isIntact(body, sum) ? objectIn(body.toString()) : undefined };
  }

  return {
    standing: preparePluck<number>(
      database,
      'SELECT DISTINCT record FROM issue WHERE rule IN (SELECT value FROM json_each(?))',
    ),

    /** Writes the findings of a record. Returns true if one changed. */
    write(record: number, relations: readonly FoundRelation[], day: number): boolean {
      const recordVersion = rootOf(record);
      // The known findings of a damaged record stay.
      if (!recordVersion?.root) return false;
      const key = `${recordVersion.version} ${JSON.stringify(relations)}`;
      if (
        writtenKeys.get(record) === key &&
        relations.every(({ otherRecord: relatedRecord }) => relatedRecord === undefined)
      )
        return false;
      if (relations.length > 0) writtenKeys.set(record, key);
      else writtenKeys.delete(record);
      const issues = relationIssues(
        recordVersion.root,
        relations.filter((relation) => isConfirmed(relation, (relatedRecord) => rootOf(relatedRecord)?.root)),
      );
      return writeFound({ record, foundIssues: issues, theirs, day });
    },
  };
}
