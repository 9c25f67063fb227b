import type { FindingKey } from '../../core/app/findings.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { perType, type ResourceType } from '../../core/fhir/resource.ts';
import { stateOf } from './finding-states.ts';
import type { IssueCount, IssueCounts, RecordIssue, StandingFindings, WholeCount } from './issue-query.ts';
import { formatIssueCursor } from './row-cursors.ts';
import type { Value } from './sql.ts';

/** Converts a row of issueCountSql. */
export function countOf([rule, severity, category, type, records, findings]: Value[]): IssueCount {
  return {
    rule: String(rule),
    severity: String(severity) as IssueRow['severity'],
    category: String(category) as IssueRow['category'],
    type: String(type) as ResourceType,
    records: Number(records),
    findings: Number(findings),
  };
}

/**
 * Converts the rows of all statements of issueCountsSql. `counted` is the current time in milliseconds since
 * the epoch.
 */
export function issueCountsOf(rows: readonly Value[][][], countedAtMs: number): IssueCounts {
  const [
    counts = [],
    flaggedRows = [],
    waivedRows = [],
    [[findingCount] = []] = [],
    [[waivedCount, assignedCount] = []] = [],
  ] = rows;
  const [flaggedByType, waivedByType] = [byType(flaggedRows), byType(waivedRows)];
  return {
    countedAtMs,
    counts: counts.map(countOf),
    flagged: flaggedByType,
    open: perType((type) => flaggedByType[type] - waivedByType[type]),
    states: {
      open: Number(findingCount) - Number(waivedCount),
      assigned: Number(assignedCount),
      waived: Number(waivedCount),
    },
  };
}

/** Converts a row of issuePageSql. `today` is a date, as YYYY-MM-DD. */
export function issueOf(row: Value[], text: string | undefined, today: string): RecordIssue {
  const [record, rowNumber, type, id, , version, lastUpdated, rule, severity, category, pointer, ordinal] =
    row;
  return {
    place: formatIssueCursor(record, rowNumber),
    type: String(type) as ResourceType,
    id: String(id),
    version: Number(version),
    lastUpdated: String(lastUpdated),
    rule: String(rule),
    severity: String(severity) as IssueRow['severity'],
    category: String(category) as IssueRow['category'],
    pointer: String(pointer),
    ordinal: Number(ordinal),
    text,
    ...stateOf(row.slice(12), today),
  };
}

/** Converts rows of issuePageSql to finding keys, with the cursor of the last if others may follow. */
export function findingKeysOf(rows: readonly Value[][], limit: number) {
  const keys = rows.map((row): FindingKey => ({
    type: String(row[2]) as ResourceType,
    id: String(row[3]),
    rule: String(row[7]),
    pointer: String(row[10]),
  }));
  const lastRow = rows.length < limit ? undefined : rows.at(-1);
  return { keys, next: lastRow && formatIssueCursor(lastRow[0], lastRow[1]) };
}

/** Converts a row of wholeSql. */
export function toWholeCount([check, type, violatedCount, findings]: Value[]): WholeCount {
  return {
    check: String(check) as WholeCount['check'],
    type: String(type) as ResourceType,
    violated: Number(violatedCount),
    findings: Number(findings),
  };
}

/** Combines the rows of standingSql and standingWaivedSql. */
export function toOpenFindings(
  openRows: readonly Value[][],
  waivedRows: readonly Value[][],
): StandingFindings[] {
  const keyOf = (row: Value[]) => row.slice(0, 3).join(' ');
  const waivedByKey = new Map(waivedRows.map((row) => [keyOf(row), Number(row[3])]));
  return openRows.map((row) => ({
    rule: String(row[0]),
    type: String(row[1]) as ResourceType,
    since: Number(row[2]),
    findings: Number(row[3]),
    waived: waivedByKey.get(keyOf(row)) ?? 0,
  }));
}

/** Converts rows `[type, records]` to counts by type. */
export function byType(rows: readonly Value[][]): Record<ResourceType, number> {
  const counts = perType(() => 0);
  for (const [type, records] of rows) counts[String(type) as ResourceType] = Number(records);
  return counts;
}
