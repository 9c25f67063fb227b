import type { FindingKey } from '../../core/app/findings.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { perType, type ResourceType } from '../../core/fhir/resource.ts';
import { stateOf } from './finding-states.ts';
import type { IssueCount, IssueCounts, RecordIssue, StandingFindings, WholeCount } from './issue-query.ts';
import { issuePlace } from './places.ts';
import type { Value } from './sql.ts';

/** A row of issueCountSql. */
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

/** What rows of each of issueCountsSql say; `counted` is now, in milliseconds since the epoch. */
export function issueCountsOf(rows: readonly Value[][][], counted: number): IssueCounts {
  const [counts = [], flagged = [], waived = [], [[all] = []] = [], [[hidden, assigned] = []] = []] = rows;
  const [found, wholly] = [byType(flagged), byType(waived)];
  return {
    ...{ counted, counts: counts.map(countOf), flagged: found },
    open: perType((type) => found[type] - wholly[type]),
    states: { open: Number(all) - Number(hidden), assigned: Number(assigned), waived: Number(hidden) },
  };
}

/** A row of issuePageSql; `today` is a day, as YYYY-MM-DD. */
export function issueOf(row: Value[], text: string | undefined, today: string): RecordIssue {
  const [record, at, type, id, , version, lastUpdated, rule, severity, category, pointer, ordinal] = row;
  return {
    place: issuePlace(record, at),
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

/** The findings that rows of issuePageSql name, of which `limit` were asked for, and the place of the last, where others may follow. */
export function findingKeysOf(rows: readonly Value[][], limit: number) {
  const keys = rows.map((row): FindingKey => ({
    ...{ type: String(row[2]) as ResourceType, id: String(row[3]) },
    ...{ rule: String(row[7]), pointer: String(row[10]) },
  }));
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { keys, next: last && issuePlace(last[0], last[1]) };
}

/** A row of wholeSql. */
export function wholeOf([check, type, violated, findings]: Value[]): WholeCount {
  return {
    ...{ check: String(check) as WholeCount['check'], type: String(type) as ResourceType },
    ...{ violated: Number(violated), findings: Number(findings) },
  };
}

/** What rows of standingSql, and of standingWaivedSql, say together. */
export function standingOf(standing: readonly Value[][], waived: readonly Value[][]): StandingFindings[] {
  const keyOf = (row: Value[]) => row.slice(0, 3).join(' ');
  const byKey = new Map(waived.map((row) => [keyOf(row), Number(row[3])]));
  return standing.map((row) => ({
    ...{ rule: String(row[0]), type: String(row[1]) as ResourceType, since: Number(row[2]) },
    ...{ findings: Number(row[3]), waived: byKey.get(keyOf(row)) ?? 0 },
  }));
}

/** Numbers of records by type, of rows `[type, records]`. */
export function byType(rows: readonly Value[][]): Record<ResourceType, number> {
  const found = perType(() => 0);
  for (const [type, records] of rows) found[String(type) as ResourceType] = Number(records);
  return found;
}
