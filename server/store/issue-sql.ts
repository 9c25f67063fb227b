import type { FindingStateName } from '../../core/app/findings.ts';
import type { Grouping } from '../../core/app/quality.ts';
import { waivedCheck, type FindingGroup } from '../../core/app/measures.ts';
import { indexKey, keyNumber, searchParameterOf } from '../../core/fhir/search-parameters.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { brokenInWays } from '../../core/fhir/validation/finding.ts';
import type { Dialect } from './dialect.ts';
import type { IssueQuery, TextQuery } from './issue-query.ts';
import { parseIssueCursor } from './row-cursors.ts';
import { subjectNumbers } from './search-plan.ts';
import { isOfBatchSql } from './batch-sql.ts';
import { joinAnd, isOfType, limited, line, joinOr, sql, type Sql, type Value } from './sql.ts';

export const flaggedSql = sql(
  `SELECT r.type, count(*) FROM (SELECT DISTINCT record FROM issue) i JOIN record r ON r.pk = i.record
   GROUP BY r.type`,
);

/** Counts records by type with an issue of a rule folder. The name of a folder ends with a slash. */
export function flaggedBySql(folder: string): Sql {
  return sql(
    `SELECT r.type, count(*) FROM (SELECT DISTINCT record FROM issue WHERE rule >= ? AND rule < ?) i
     JOIN record r ON r.pk = i.record GROUP BY r.type`,
    folder,
    `${folder.slice(0, -1)}0`,
  );
}

/**
 * Counts by rule and type. The inner query counts the issues of each rule and record from the index only; the
 * outer one counts records. Severity and category are the same for all issues of a rule.
 */
export function issueCountSql(query: IssueQuery, dialect: Dialect, toTextCondition = textCondition): Sql {
  return line(
    `SELECT t.rule, (SELECT j.severity FROM issue j WHERE j.rule = t.rule LIMIT 1),
       (SELECT j.category FROM issue j WHERE j.rule = t.rule LIMIT 1), r.type, count(*), sum(t.findings)
     FROM (SELECT i.rule, i.record, count(*) AS findings FROM issue i`,
    query.text || query.type || query.group ? `${dialect.join} record r ON r.pk = i.record` : '',
    'WHERE',
    joinAnd(issueConditions(query, dialect, toTextCondition)),
    `GROUP BY i.rule, i.record) t ${dialect.join} record r ON r.pk = t.record GROUP BY t.rule, r.type ORDER BY 1, 4`,
  );
}

/**
 * Returns the statements of the issue counts: by rule, records with issues, records with only waived issues,
 * findings, and states.
 */
export function issueCountsSql(query: IssueQuery, day: string, dialect: Dialect): readonly Sql[] {
  return [
    issueCountSql(query, dialect),
    flaggedSql,
    waivedRecordsSql(day, dialect),
    sql('SELECT count(*) FROM issue'),
    statesSql(day, dialect),
  ];
}

/** Rules that may have several findings at one element. */
const multipleRules = brokenInWays.map((rule) => `'${rule}'`).join(', ');

/** A page reads the issues of one rule, or all, record by record. CROSS JOIN keeps that order. */
export function issuePageSql(
  query: IssueQuery,
  after: string | undefined,
  limit: number,
  dialect: Dialect,
): Sql {
  const cursorConditions = behindIssue(after, dialect);
  const row = dialect.issueRow;
  return line(
    `SELECT i.record, i.${row}, r.type, r.id, r.current, r.version, ${dialect.lastUpdated('r')},
       i.rule, i.severity, i.category, i.pointer,
       CASE WHEN i.rule IN (${multipleRules}) THEN (SELECT count(*) FROM issue j WHERE j.record = i.record
         AND ${dialect.unindexed('j.rule')} = i.rule AND j.pointer = i.pointer AND j.${row} < i.${row}) ELSE 0 END,
       s.assignee, s.waived, s.until, s.note, s.who, s.time
     FROM issue i ${dialect.join} record r ON r.pk = i.record LEFT JOIN finding_state s
       ON s.record = i.record AND s.rule = i.rule AND s.pointer = i.pointer WHERE`,
    joinAnd([...issueConditions(query, dialect), ...cursorConditions]),
    `ORDER BY i.record, i.${row} ${limited(limit)}`,
  );
}

/** Returns the condition that an issue `i` follows the cursor. */
export function behindIssue(after: string | undefined, { issueRow }: Dialect): Sql[] {
  const cursor = parseIssueCursor(after ?? '');
  return cursor ? [sql(`(i.record, i.${issueRow}) > (?, ?)`, ...cursor)] : [];
}

/** Returns the conditions on an issue `i` of a record `r`. */
export function issueConditions(
  { rule, severity, category, type, text, state, assignee, group, batch, day = '' }: IssueQuery,
  dialect: Dialect,
  toTextCondition = textCondition,
): Sql[] {
  return [
    ...(rule === undefined ? [] : [sql('i.rule = ?', rule)]),
    ...(severity === undefined ? [] : [sql('i.severity = ?', severity)]),
    ...(category === undefined ? [] : [sql('i.category = ?', category)]),
    ...(type === undefined ? [] : [sql(isOfType('r', type))]),
    ...(text === undefined ? [] : [toTextCondition(text, dialect)]),
    ...(state === undefined ? [] : stateConditions(state, day)),
    ...(assignee === undefined ? [] : [hasState('AND f.assignee = ?', assignee)]),
    ...(batch === undefined ? [] : [isOfBatchSql('i.record', batch)]),
    ...(group === undefined ? [] : [sql(`${groupKey(group.grouping, dialect)} = ?`, group.key)]),
  ];
}

const isWaivedSql = 'f.waived IS NOT NULL AND (f.until IS NULL OR f.until >= ?)';

/** Returns the condition that issue `i` has a state with this condition. */
function hasState(condition: string, ...values: string[]): Sql {
  return sql(
    `EXISTS (SELECT 1 FROM finding_state f WHERE f.record = i.record AND f.rule = i.rule AND f.pointer = i.pointer
       ${condition})`,
    ...values,
  );
}

function stateConditions(state: FindingStateName, day: string): Sql[] {
  const isWaived = hasState(`AND ${isWaivedSql}`, day);
  if (state === 'waived') return [isWaived];
  const isOpen = sql(`NOT ${isWaived.text}`, ...isWaived.values);
  return state === 'open' ? [isOpen] : [isOpen, hasState('AND f.assignee IS NOT NULL')];
}

/** Counts waived findings and assigned ones among the others. States are few, so they drive the query. */
function statesSql(day: string, { join, unindexed }: Dialect): Sql {
  return sql(
    `SELECT count(*) FILTER (WHERE waived), count(*) FILTER (WHERE NOT waived AND assigned) FROM (
       SELECT ${isWaivedSql} AS waived, f.assignee IS NOT NULL AS assigned
       FROM finding_state f ${join} issue i ON ${isFinding('i', 'f', unindexed)}) s`,
    day,
  );
}

/** Counts records by type whose issues are all waived. Few are, so they are tested one by one. */
function waivedRecordsSql(day: string, dialect: Dialect): Sql {
  const isWaived = hasState(`AND ${isWaivedSql}`, day);
  return sql(
    `SELECT r.type, count(*) FROM (SELECT DISTINCT f.record FROM finding_state f WHERE ${isWaivedSql}) w
       ${dialect.join} record r ON r.pk = w.record
     WHERE EXISTS (SELECT 1 FROM issue i WHERE i.record = r.pk)
       AND NOT EXISTS (SELECT 1 FROM issue i WHERE i.record = r.pk AND NOT ${isWaived.text}) GROUP BY r.type`,
    day,
    ...isWaived.values,
  );
}

/** Counts records and findings by category without the waived ones, and the waived ones. */
export function wholeSql(day: string, { join, unindexed }: Dialect): Sql {
  const isWaived = hasState(`AND ${isWaivedSql}`, day);
  return sql(
    `SELECT i.category, r.type, count(*), sum(i.findings) FROM
       (SELECT i.category, i.record, count(*) AS findings FROM issue i WHERE NOT ${isWaived.text}
        GROUP BY i.category, i.record) i JOIN record r ON r.pk = i.record GROUP BY i.category, r.type
     UNION ALL
     SELECT '${waivedCheck}', r.type, count(DISTINCT r.pk), count(*) FROM finding_state f
       ${join} issue i ON ${isFinding('i', 'f', unindexed)}
       ${join} record r ON r.pk = f.record WHERE ${isWaivedSql} GROUP BY r.type`,
    ...isWaived.values,
    day,
  );
}

/** Few combinations exist, however many records there are. */
export const checkResultSql = sql(
  'SELECT applied, skipped, count(*) FROM check_result GROUP BY applied, skipped',
);

export const standingSql = sql(
  `SELECT i.rule, r.type, i.since, count(*) FROM issue i JOIN record r ON r.pk = i.record
   GROUP BY i.rule, r.type, i.since`,
);

/** Counts only the waived findings. */
export function standingWaivedSql(day: string, { join, unindexed }: Dialect): Sql {
  return sql(
    `SELECT i.rule, r.type, i.since, count(*) FROM finding_state f
       ${join} issue i ON ${isFinding('i', 'f', unindexed)}
       ${join} record r ON r.pk = f.record WHERE ${isWaivedSql} GROUP BY i.rule, r.type, i.since`,
    day,
  );
}

const sourceNumbers = resourceTypes.flatMap((type) => {
  const source = searchParameterOf(type, '_source');
  return source ? [keyNumber(indexKey(type, source))] : [];
});

/** Returns the SQL of the group of issue `i` of record `r`. */
function groupKey(groupBy: Grouping, { byRecord, belongsToRecordSql, lastUpdated }: Dialect): string {
  const belongsToOwnRecordSql = belongsToRecordSql('f', 'r');
  switch (groupBy) {
    case 'record':
      return "r.type || '/' || r.id";
    case 'patient':
      return `coalesce((SELECT min(f.target) FROM reference f${byRecord} WHERE ${belongsToOwnRecordSql}
        AND f.key IN ${subjectNumbers}), '')`;
    case 'rule':
      return 'i.rule';
    case 'source':
      return `coalesce((SELECT min(f.exact) FROM string f${byRecord} WHERE ${belongsToOwnRecordSql}
        AND f.key IN (${sourceNumbers.join(', ')})), '')`;
    case 'author':
      return '(SELECT coalesce(f.person, f.author) FROM version f WHERE f.pk = r.current)';
    case 'month':
      return `substr(${lastUpdated('r')}, 1, 7)`;
  }
}

/** Returns the condition that a state belongs to an issue. */
function isFinding(issue: string, state: string, unindexed: Dialect['unindexed']): string {
  const rule = `${unindexed(`${issue}.rule`)} = ${state}.rule`;
  return `${issue}.record = ${state}.record AND ${rule} AND ${issue}.pointer = ${state}.pointer`;
}

export interface GroupsAsked {
  readonly query: IssueQuery;
  readonly groupBy: Grouping;
  readonly limit: number;
  /** True to count all records of each group, which reads every record of the store. */
  readonly isSized: boolean;
}

/**
 * Selects the rows `[key, records, findings]` of the groups with most findings, and the size of groups shared
 * by records without findings.
 */
export function issueGroupSql({ query, groupBy, limit, isSized }: GroupsAsked, dialect: Dialect): Sql {
  const key = groupKey(groupBy, dialect);
  const groups = line(
    `SELECT t.key, count(*) AS records, sum(t.findings) AS findings FROM (
       SELECT ${key} AS key, count(*) AS findings
       FROM issue i ${dialect.join} record r ON r.pk = i.record WHERE`,
    joinAnd(issueConditions(query, dialect)),
    `GROUP BY 1, i.record) t GROUP BY t.key ORDER BY 3 DESC, 1 ${limited(limit)}`,
  );
  if (!isSized || !isShared(groupBy)) return groups;
  return line(
    'WITH g AS MATERIALIZED (',
    groups,
    `) SELECT g.key, g.records, g.findings, a.records FROM g JOIN (SELECT ${key} AS key, count(*) AS records FROM record r`,
    query.type ? line('WHERE', sql(isOfType('r', query.type))) : '',
    'GROUP BY 1) a ON a.key = g.key ORDER BY 3 DESC, 1',
  );
}

/** Returns true if the group also has records without findings. */
function isShared(groupBy: Grouping): boolean {
  return groupBy !== 'record' && groupBy !== 'rule';
}

/** Converts a row of {@link issueGroupSql}. */
export function findingGroupOf([key, records, findings, recordCount]: readonly Value[]): FindingGroup {
  return {
    key: String(key),
    records: Number(records),
    findings: Number(findings),
    ...(recordCount !== undefined && { all: Number(recordCount) }),
  };
}

/** Tests all issues: no index serves these conditions, and records give the order. */
function textCondition({ part, title, rules }: TextQuery, dialect: Dialect): Sql {
  const { byRecord, contains, belongsToRecordSql, unindexed } = dialect;
  return joinOr([
    ...(rules.length === 0
      ? []
      : [sql(`${unindexed('i.rule')} IN (${rules.map(() => '?').join(', ')})`, ...rules)]),
    contains('r.title', title),
    contains('lower(r.id)', part),
    contains('lower(i.pointer)', part),
    line(
      `EXISTS (SELECT 1 FROM reference f${byRecord} WHERE ${belongsToRecordSql('f', 'r')} AND f.key IN ${subjectNumbers} AND`,
      contains('lower(f.target)', part),
      ')',
    ),
  ]);
}
