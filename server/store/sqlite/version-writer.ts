import type { SealKey } from '../audit-chain.ts';
import { AuditTrail } from './audit-trail.ts';
import { checksumOf, quickSumOf } from '../checksum.ts';
import { findingLife, type FindingLife } from '../finding-life.ts';
import { entryOf } from '../write-entry.ts';
import { dayNumber } from '../../../core/app/days.ts';
import type { IndexBacklog } from './index-backlog.ts';
import {
  indexWriter,
  issueSum,
  issueSumOf,
  sortColumns,
  standingIssues,
  type SortColumns,
} from '../index-tables.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { perType } from '../../../core/fhir/resource.ts';
import { rulesAlone, withElsewhere } from '../derive-scope.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { NewVersion } from '../store.ts';

export type VersionWriter = ReturnType<typeof versionWriter>;

interface RecordRow extends SortColumns {
  readonly pk: number;
  readonly current: number;
  /** Of the issue rows; null where the record was not written since records have one. */
  readonly issues_crc32: number | null;
  readonly judge_again: number | null;
}

const returned = 'pk, current, issues_crc32, judge_again, sort_date, status, title';

/**
 * Writes versions with their issue and audit rows; each call belongs into a transaction of the caller's. Their index rows
 * are left to the backlog.
 */
export function versionWriter(database: SqliteDatabase, backlog: IndexBacklog, key?: SealKey) {
  const addVersion = database.prepare(
    `INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author,
       person, reason, sha256, crc32, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // Both statements name the version's row before it is there, so that neither writes the record twice.
  const nextRow = '(SELECT coalesce(max(pk), 0) + 1 FROM version)';
  const addRecord = perType((type) =>
    database.prepare<unknown[], RecordRow>(
      `INSERT INTO record (type, id, version, last_updated, sort_date, status, title, issues_crc32, judge_again, current)
       SELECT '${type}', ?, ?, ?, ?, ?, ?, ?, ?, ${nextRow}
       WHERE NOT EXISTS (SELECT 1 FROM record WHERE type = '${type}' AND id = ?)
       RETURNING ${returned}`,
    ),
  );
  // The version test stands in the UPDATE's own WHERE: nothing can come between comparing and writing.
  const advance = perType((type) =>
    database.prepare<unknown[], RecordRow>(
      `UPDATE record SET version = ?, last_updated = ?, current = ${nextRow}
       WHERE type = '${type}' AND id = ? AND version = ? RETURNING ${returned}`,
    ),
  );
  const resorts = sortColumns.map(([column, key]) => ({
    ...{ column, key },
    set: database.prepare(`UPDATE record SET ${column} = ? WHERE pk = ?`),
  }));
  const rows = indexWriter(database);
  // A file of an older form, which is only looked at, has no states of findings.
  let life: FindingLife | undefined;
  const standing = standingIssues(database);
  const sumOfIssues = issueSum(database);
  const setSum = database.prepare('UPDATE record SET issues_crc32 = ? WHERE pk = ?');
  const setDay = database.prepare('UPDATE record SET judge_again = ? WHERE pk = ?');
  const trail = new AuditTrail(database, key);

  function store({ pk, current }: RecordRow, next: NewVersion, before?: number): void {
    const { type, id, version, lastUpdated, operation, text } = next;
    const { author, person = null, reason = null } = next;
    const { date, status, title } = next.index.sort;
    const sha256 = checksumOf(text);
    addVersion.run(
      ...[current, pk, type, id, version, lastUpdated, date, status, title],
      ...[operation, author, person, reason, sha256, quickSumOf(text), text],
    );
    trail.add([entryOf(next, before, sha256)]);
    backlog.note(pk, next.index);
  }

  function mendIssues(pk: number, next: NewVersion, issues: readonly IssueRow[]): string[] {
    return rows.mend(pk, { ...next, issues }, rulesAlone, true, dayOfWrite(next));
  }

  return {
    insert(next: NewVersion): 'stored' | 'exists' {
      const { type, id, version, lastUpdated } = next;
      const { date, status, title } = next.index.sort;
      const place = addRecord[type].get(
        ...[id, version, lastUpdated, date, status, title, issueSumOf(next), next.judgeAgain ?? null, id],
      );
      if (!place) return 'exists';
      store(place, next);
      if (next.issues.length > 0) mendIssues(place.pk, next, next.issues);
      return 'stored';
    },

    replace(next: NewVersion, expected: number): 'stored' | 'stale' {
      const { type, id, version, lastUpdated } = next;
      const place = advance[type].get(version, lastUpdated, id, expected);
      if (!place) return 'stale';
      store(place, next, expected);
      for (const { column, key, set } of resorts) {
        const value = next.index.sort[key];
        if (value !== place[column]) set.run(value, place.pk);
      }
      const { movedIssues = [] } = next;
      if (movedIssues.length > 0)
        (life ??= findingLife(database)).moves(place.pk, movedIssues, dayOfWrite(next));
      const issues = withElsewhere(next.issues, standing(place.pk));
      const changed = mendIssues(place.pk, next, issues);
      const isChanged = changed.length > 0 || movedIssues.length > 0;
      if (isChanged || place.issues_crc32 === null) setSum.run(sumOfIssues(place.pk), place.pk);
      const { judgeAgain = null } = next;
      if (judgeAgain !== place.judge_again) setDay.run(judgeAgain, place.pk);
      return 'stored';
    },
  };
}

/** Returns the number of the day on which findings begin and end with a version. */
function dayOfWrite({ lastUpdated }: Pick<NewVersion, 'lastUpdated'>): number {
  return dayNumber(Date.parse(lastUpdated));
}
