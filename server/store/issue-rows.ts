import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { stateOf } from './finding-states.ts';
import type { IssueCount, RecordIssue } from './issue-query.ts';
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
