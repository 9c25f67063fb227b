import { noIndex } from '../../../core/fhir/index-rows.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { rulesAlone } from '../derive-scope.ts';
import { indexWriter, issueSum, standingIssues } from '../index-tables.ts';
import type { SqliteDatabase } from './sqlite.ts';

export interface FoundIssues {
  readonly record: number;
  /** What is to stand there now of the issues that are `theirs`. */
  readonly found: readonly IssueRow[];
  readonly theirs: (issue: IssueRow) => boolean;
  /** The number of the day on which findings begin and end. */
  readonly day: number;
}

/**
 * Writes the issues of a record that it does not tell by itself; within the caller's transaction. Answers whether any
 * changed.
 */
export function foundIssueWriter(database: SqliteDatabase): (issues: FoundIssues) => boolean {
  const standing = standingIssues(database);
  const setSum = database.prepare('UPDATE record SET issues_crc32 = ? WHERE pk = ?');
  const rows = indexWriter(database);
  const sumOf = issueSum(database);
  return ({ record, found, theirs, day }) => {
    const issues = [...standing(record).filter((issue) => !theirs(issue)), ...found];
    const changed = rows.mend(record, { index: noIndex, issues }, rulesAlone, true, day).length > 0;
    if (changed) setSum.run(sumOf(record), record);
    return changed;
  };
}
