import type { FindingStateName } from '../../core/app/findings.ts';
import type { Grouping } from '../../core/app/quality.ts';
import { waivedCheck, type FindingGroup } from '../../core/app/measures.ts';
import { indexKey, keyNumber, searchParameterOf } from '../../core/fhir/search-parameters.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { brokenInWays } from '../../core/fhir/validation/finding.ts';
import { sqliteDialect, type Dialect } from './dialect.ts';
import type { IssueQuery, TextQuery } from './issue-query.ts';
import { readIssuePlace } from './places.ts';
import { subjectNumbers } from './search-plan.ts';
import { every, isOfType, limited, line, some, sql, type Sql, type Value } from './sql.ts';

export const flaggedSql = sql(
  `SELECT r.type, count(*) FROM (SELECT DISTINCT record FROM issue) i JOIN record r ON r.pk = i.record
   GROUP BY r.type`,
);

/** Records by type with an issue of a rule that begins so: a folder of rules, whose name ends with a slash. */
export function flaggedBySql(folder: string): Sql {
  return sql(
    `SELECT r.type, count(*) FROM (SELECT DISTINCT record FROM issue WHERE rule >= ? AND rule < ?) i
     JOIN record r ON r.pk = i.record GROUP BY r.type`,
    ...[folder, `${folder.slice(0, -1)}0`],
  );
}

/**
 * Counts by rule and type: first the issues of each rule and record, in the order of the index and from it alone, then
 * their records. Severity and category belong to the rule: one of its issues tells them.
 */
export function issueCountSql(query: IssueQuery, ofText = textCondition, dialect = sqliteDialect): Sql {
  return line(
    `SELECT t.rule, (SELECT j.severity FROM issue j WHERE j.rule = t.rule LIMIT 1),
       (SELECT j.category FROM issue j WHERE j.rule = t.rule LIMIT 1), r.type, count(*), sum(t.findings)
     FROM (SELECT i.rule, i.record, count(*) AS findings FROM issue i`,
    query.text || query.type || query.group ? `${dialect.join} record r ON r.pk = i.record` : '',
    'WHERE',
    every(issueConditions(query, ofText, dialect)),
    `GROUP BY i.rule, i.record) t ${dialect.join} record r ON r.pk = t.record GROUP BY t.rule, r.type ORDER BY 1, 4`,
  );
}

/** What the counts of issues are made of: by rule, records with issues, and with waived ones alone, findings, and their states. */
export function issueCountsSql(query: IssueQuery, day: string, dialect = sqliteDialect): readonly Sql[] {
  return [
    ...[issueCountSql(query, textCondition, dialect), flaggedSql, waivedRecordsSql(day, dialect)],
    ...[sql('SELECT count(*) FROM issue'), statesSql(day, dialect)],
  ];
}

/** Rules of which several findings may stand at one element. */
const inWays = brokenInWays.map((rule) => `'${rule}'`).join(', ');

/** A page walks the issues of one rule, or all, record by record; CROSS JOIN keeps that order. */
export function issuePageSql(
  query: IssueQuery,
  after: string | undefined,
  limit: number,
  dialect = sqliteDialect,
): Sql {
  const place = behindIssue(after, dialect);
  const row = dialect.issueRow;
  return line(
    `SELECT i.record, i.${row}, r.type, r.id, r.current, r.version, ${dialect.lastUpdated('r')},
       i.rule, i.severity, i.category, i.pointer,
       CASE WHEN i.rule IN (${inWays}) THEN (SELECT count(*) FROM issue j WHERE j.record = i.record
         AND ${dialect.unindexed('j.rule')} = i.rule AND j.pointer = i.pointer AND j.${row} < i.${row}) ELSE 0 END,
       s.assignee, s.waived, s.until, s.note, s.who, s.time
     FROM issue i ${dialect.join} record r ON r.pk = i.record LEFT JOIN finding_state s
       ON s.record = i.record AND s.rule = i.rule AND s.pointer = i.pointer WHERE`,
    every([...issueConditions(query, textCondition, dialect), ...place]),
    `ORDER BY i.record, i.${row} ${limited(limit)}`,
  );
}

/** That an issue `i` stands behind a place. */
export function behindIssue(after: string | undefined, { issueRow } = sqliteDialect): Sql[] {
  const place = readIssuePlace(after ?? '');
  return place ? [sql(`(i.record, i.${issueRow}) > (?, ?)`, ...place)] : [];
}

/** Conditions on an issue `i` of a record `r`. */
export function issueConditions(
  { rule, severity, category, type, text, state, assignee, group, day = '' }: IssueQuery,
  ofText = textCondition,
  dialect = sqliteDialect,
): Sql[] {
  return [
    ...(rule === undefined ? [] : [sql('i.rule = ?', rule)]),
    ...(severity === undefined ? [] : [sql('i.severity = ?', severity)]),
    ...(category === undefined ? [] : [sql('i.category = ?', category)]),
    ...(type === undefined ? [] : [sql(isOfType('r', type))]),
    ...(text === undefined ? [] : [ofText(text, dialect)]),
    ...(state === undefined ? [] : stateConditions(state, day)),
    ...(assignee === undefined ? [] : [stated('AND f.assignee = ?', assignee)]),
    ...(group === undefined ? [] : [sql(`${groupKey(group.by, dialect)} = ?`, group.key)]),
  ];
}

const waivedOn = 'f.waived IS NOT NULL AND (f.until IS NULL OR f.until >= ?)';

/** People said something of issue `i` for which this holds. */
function stated(condition: string, ...values: string[]): Sql {
  return sql(
    `EXISTS (SELECT 1 FROM finding_state f WHERE f.record = i.record AND f.rule = i.rule AND f.pointer = i.pointer
       ${condition})`,
    ...values,
  );
}

function stateConditions(state: FindingStateName, day: string): Sql[] {
  const waived = stated(`AND ${waivedOn}`, day);
  if (state === 'waived') return [waived];
  const open = sql(`NOT ${waived.text}`, ...waived.values);
  return state === 'open' ? [open] : [open, stated('AND f.assignee IS NOT NULL')];
}

/** Waived findings, and those of the others that are somebody's: few are, so they are looked at first. */
function statesSql(day: string, { join, unindexed } = sqliteDialect): Sql {
  return sql(
    `SELECT count(*) FILTER (WHERE waived), count(*) FILTER (WHERE NOT waived AND assigned) FROM (
       SELECT ${waivedOn} AS waived, f.assignee IS NOT NULL AS assigned
       FROM finding_state f ${join} issue i ON ${isFinding('i', 'f', unindexed)}) s`,
    day,
  );
}

/** Records of which every issue is waived, by type: few are, so they are looked at one by one. */
function waivedRecordsSql(day: string, dialect = sqliteDialect): Sql {
  const waived = stated(`AND ${waivedOn}`, day);
  return sql(
    `SELECT r.type, count(*) FROM (SELECT DISTINCT f.record FROM finding_state f WHERE ${waivedOn}) w
       ${dialect.join} record r ON r.pk = w.record
     WHERE EXISTS (SELECT 1 FROM issue i WHERE i.record = r.pk)
       AND NOT EXISTS (SELECT 1 FROM issue i WHERE i.record = r.pk AND NOT ${waived.text}) GROUP BY r.type`,
    day,
    ...waived.values,
  );
}

/** Records and findings of each category that are not waived, and those that are. */
export function wholeSql(day: string, { join, unindexed } = sqliteDialect): Sql {
  const waived = stated(`AND ${waivedOn}`, day);
  return sql(
    `SELECT i.category, r.type, count(*), sum(i.findings) FROM
       (SELECT i.category, i.record, count(*) AS findings FROM issue i WHERE NOT ${waived.text}
        GROUP BY i.category, i.record) i JOIN record r ON r.pk = i.record GROUP BY i.category, r.type
     UNION ALL
     SELECT '${waivedCheck}', r.type, count(DISTINCT r.pk), count(*) FROM finding_state f
       ${join} issue i ON ${isFinding('i', 'f', unindexed)}
       ${join} record r ON r.pk = f.record WHERE ${waivedOn} GROUP BY r.type`,
    ...waived.values,
    day,
  );
}

/** Few combinations are, however many records there be. */
export const checkResultSql = sql(
  'SELECT applied, skipped, count(*) FROM check_result GROUP BY applied, skipped',
);

export const standingSql = sql(
  `SELECT i.rule, r.type, i.since, count(*) FROM issue i JOIN record r ON r.pk = i.record
   GROUP BY i.rule, r.type, i.since`,
);

/** The same of the waived ones alone. */
export function standingWaivedSql(day: string, { join, unindexed } = sqliteDialect): Sql {
  return sql(
    `SELECT i.rule, r.type, i.since, count(*) FROM finding_state f
       ${join} issue i ON ${isFinding('i', 'f', unindexed)}
       ${join} record r ON r.pk = f.record WHERE ${waivedOn} GROUP BY i.rule, r.type, i.since`,
    day,
  );
}

const sourceNumbers = resourceTypes.flatMap((type) => {
  const source = searchParameterOf(type, '_source');
  return source ? [keyNumber(indexKey(type, source))] : [];
});

/** What issue `i` of record `r` is counted under. */
function groupKey(by: Grouping, { byRecord, isRowOf, lastUpdated }: Dialect): string {
  const own = isRowOf('f', 'r');
  switch (by) {
    case 'record':
      return "r.type || '/' || r.id";
    case 'patient':
      return `coalesce((SELECT min(f.target) FROM reference f${byRecord} WHERE ${own}
        AND f.key IN ${subjectNumbers}), '')`;
    case 'rule':
      return 'i.rule';
    case 'source':
      return `coalesce((SELECT min(f.exact) FROM string f${byRecord} WHERE ${own}
        AND f.key IN (${sourceNumbers.join(', ')})), '')`;
    case 'author':
      return '(SELECT coalesce(f.person, f.author) FROM version f WHERE f.pk = r.current)';
    case 'month':
      return `substr(${lastUpdated('r')}, 1, 7)`;
  }
}

/** That an issue is the finding of which people said something. */
function isFinding(issue: string, state: string, unindexed: Dialect['unindexed']): string {
  const rule = `${unindexed(`${issue}.rule`)} = ${state}.rule`;
  return `${issue}.record = ${state}.record AND ${rule} AND ${issue}.pointer = ${state}.pointer`;
}

export interface GroupsAsked {
  readonly query: IssueQuery;
  readonly by: Grouping;
  readonly limit: number;
  /** Whether all records of each group are counted, which looks at every record of the store. */
  readonly sized: boolean;
}

/** The rows `[key, records, findings]` of the groups with most findings, and of records that share more: how many do. */
export function issueGroupSql({ query, by, limit, sized }: GroupsAsked, dialect = sqliteDialect): Sql {
  const key = groupKey(by, dialect);
  const groups = line(
    `SELECT t.key, count(*) AS records, sum(t.findings) AS findings FROM (
       SELECT ${key} AS key, count(*) AS findings
       FROM issue i ${dialect.join} record r ON r.pk = i.record WHERE`,
    every(issueConditions(query, textCondition, dialect)),
    `GROUP BY 1, i.record) t GROUP BY t.key ORDER BY 3 DESC, 1 ${limited(limit)}`,
  );
  if (!sized || !isShared(by)) return groups;
  return line(
    'WITH g AS MATERIALIZED (',
    groups,
    `) SELECT g.key, g.records, g.findings, a.records FROM g JOIN (SELECT ${key} AS key, count(*) AS records FROM record r`,
    query.type ? line('WHERE', sql(isOfType('r', query.type))) : '',
    'GROUP BY 1) a ON a.key = g.key ORDER BY 3 DESC, 1',
  );
}

/** Records stand in such a group whether anything was found of them or not. */
function isShared(by: Grouping): boolean {
  return by !== 'record' && by !== 'rule';
}

/** A row of {@link issueGroupSql}. */
export function findingGroupOf([key, records, findings, all]: readonly Value[]): FindingGroup {
  return {
    ...{ key: String(key), records: Number(records), findings: Number(findings) },
    ...(all !== undefined && { all: Number(all) }),
  };
}

/** No index serves the rules: the order is the records'. */
function textCondition({ part, title, rules }: TextQuery, dialect: Dialect): Sql {
  const { byRecord, holds, isRowOf, unindexed } = dialect;
  return some([
    ...(rules.length === 0
      ? []
      : [sql(`${unindexed('i.rule')} IN (${rules.map(() => '?').join(', ')})`, ...rules)]),
    holds('r.title', title),
    holds('lower(r.id)', part),
    holds('lower(i.pointer)', part),
    line(
      `EXISTS (SELECT 1 FROM reference f${byRecord} WHERE ${isRowOf('f', 'r')} AND f.key IN ${subjectNumbers} AND`,
      holds('lower(f.target)', part),
      ')',
    ),
  ]);
}
