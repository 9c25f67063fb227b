import { noIndex } from '../../../core/derive/derive.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { findingsOnly } from '../index-tables.ts';
import { indexWriter, issueSum, listExistingIssues } from './index-writer.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

export interface FoundIssues {
  readonly record: number;
  /** New issues that replace the issues selected by `theirs`. */
  readonly foundIssues: readonly IssueRow[];
  readonly theirs: (issue: IssueRow) => boolean;
  /** Number of the day on which changed findings start and end. */
  readonly day: number;
}

/**
 * Creates a function that writes the issues of a record that do not come from its own rules. The caller opens the
 * transaction. Returns true if an issue changed.
 */
export function foundIssueWriter(database: SqliteDatabase): (issues: FoundIssues) => boolean {
  const listExisting = listExistingIssues(database);
  const setSum = database.prepare('UPDATE record SET issues_crc32 = ? WHERE pk = ?');
  const rows = indexWriter(database);
  const sumOf = issueSum(database);
  return ({ record, foundIssues: issuesFound, theirs, day }) => {
    const issues = [...listExisting(record).filter((issue) => !theirs(issue)), ...issuesFound];
    const changed = rows.reconcile(record, { index: noIndex, issues }, findingsOnly, true, day).length > 0;
    if (changed) setSum.run(sumOf(record), record);
    return changed;
  };
}
