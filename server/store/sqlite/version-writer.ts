import type { SealKey } from '../audit-chain.ts';
import { AuditLogWriter } from './audit-log-writer.ts';
import { checksumOf, quickSumOf } from '../checksum.ts';
import { findingLife, type FindingLife } from './finding-life.ts';
import { entryOf } from '../write-entry.ts';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import type { IndexBacklog } from './index-backlog.ts';
import { issueSumOf, sortColumns, type SortColumns } from '../index-tables.ts';
import { indexWriter, issueSum, listExistingIssues } from './index-writer.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { perType } from '../../../core/fhir/resource.ts';
import { findingsOnly, mergeForeignIssues } from '../derive-scope.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { NewVersion } from '../store.ts';

export type VersionWriter = ReturnType<typeof versionWriter>;

interface RecordRow extends SortColumns {
  readonly pk: number;
  readonly current: number;
  /** Checksum of the issue rows. Null if the record was not written since the column exists. */
  readonly issues_crc32: number | null;
  readonly judge_again: number | null;
}

const returnedColumns = 'pk, current, issues_crc32, judge_again, sort_date, status, title';

/** Writes versions with their issue and audit rows. The caller opens the transaction. Index rows go to the backlog. */
export function versionWriter(database: SqliteDatabase, backlog: IndexBacklog, key?: SealKey) {
  const addVersion = database.prepare(
    `INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author,
       person, reason, sha256, crc32, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // Both statements name the row of the version before it exists, so that the record is written once.
  const nextRow = '(SELECT coalesce(max(pk), 0) + 1 FROM version)';
  const addRecord = perType((type) =>
    database.prepare<unknown[], RecordRow>(
      `INSERT INTO record (type, id, version, last_updated, sort_date, status, title, issues_crc32, judge_again, current)
       SELECT '${type}', ?, ?, ?, ?, ?, ?, ?, ?, ${nextRow}
       WHERE NOT EXISTS (SELECT 1 FROM record WHERE type = '${type}' AND id = ?)
       RETURNING ${returnedColumns}`,
    ),
  );
  // The WHERE clause of the UPDATE compares the version, so no write can come in between.
  const advanceRecord = perType((type) =>
    database.prepare<unknown[], RecordRow>(
      `UPDATE record SET version = ?, last_updated = ?, current = ${nextRow}
       WHERE type = '${type}' AND id = ? AND version = ? RETURNING ${returnedColumns}`,
    ),
  );
  const sortUpdates = sortColumns.map(([column, key]) => ({
    column,
    key,
    set: database.prepare(`UPDATE record SET ${column} = ? WHERE pk = ?`),
  }));
  const rows = indexWriter(database);
  // A file of an older format, opened for inspection, has no states of findings.
  let findingHistory: FindingLife | undefined;
  const listExisting = listExistingIssues(database);
  const sumOfIssues = issueSum(database);
  const setSum = database.prepare('UPDATE record SET issues_crc32 = ? WHERE pk = ?');
  const setDay = database.prepare('UPDATE record SET judge_again = ? WHERE pk = ?');
  const trail = new AuditLogWriter(database, key);

  function store({ pk, current }: RecordRow, next: NewVersion, before?: number): void {
    const { type, id, version, lastUpdated, operation, text } = next;
    const { author, person = null, reason = null } = next;
    const { date, status, title } = next.index.sort;
    const sha256 = checksumOf(text);
    addVersion.run(
      current,
      pk,
      type,
      id,
      version,
      lastUpdated,
      date,
      status,
      title,
      operation,
      author,
      person,
      reason,
      sha256,
      quickSumOf(text),
      text,
    );
    trail.add([entryOf(next, before, sha256)]);
    backlog.addRows(pk, next.index);
  }

  function writeIssues(pk: number, next: NewVersion, issues: readonly IssueRow[]): string[] {
    return rows.reconcile(pk, { ...next, issues }, findingsOnly, true, dayOfWrite(next));
  }

  return {
    insert(next: NewVersion): 'stored' | 'exists' {
      const { type, id, version, lastUpdated } = next;
      const { date, status, title } = next.index.sort;
      const recordRow = addRecord[type].get(
        id,
        version,
        lastUpdated,
        date,
        status,
        title,
        issueSumOf(next),
        next.revalidateAtMs ?? null,
        id,
      );
      if (!recordRow) return 'exists';
      store(recordRow, next);
      if (next.issues.length > 0) writeIssues(recordRow.pk, next, next.issues);
      return 'stored';
    },

    replace(next: NewVersion, expected: number): 'stored' | 'stale' {
      const { type, id, version, lastUpdated } = next;
      const recordRow = advanceRecord[type].get(version, lastUpdated, id, expected);
      if (!recordRow) return 'stale';
      store(recordRow, next, expected);
      for (const { column, key, set } of sortUpdates) {
        const value = next.index.sort[key];
        if (value !== recordRow[column]) set.run(value, recordRow.pk);
      }
      const { movedIssues = [] } = next;
      if (movedIssues.length > 0)
        (findingHistory ??= findingLife(database)).moves(recordRow.pk, movedIssues, dayOfWrite(next));
      const issues = mergeForeignIssues(next.issues, listExisting(recordRow.pk));
      const changedTables = writeIssues(recordRow.pk, next, issues);
      const isChanged = changedTables.length > 0 || movedIssues.length > 0;
      if (isChanged || recordRow.issues_crc32 === null) setSum.run(sumOfIssues(recordRow.pk), recordRow.pk);
      const { revalidateAtMs = null } = next;
      if (revalidateAtMs !== recordRow.judge_again) setDay.run(revalidateAtMs, recordRow.pk);
      return 'stored';
    },
  };
}

/** Returns the number of the day on which findings start and end with a version. */
function dayOfWrite({ lastUpdated }: Pick<NewVersion, 'lastUpdated'>): number {
  return dayNumber(Date.parse(lastUpdated));
}
