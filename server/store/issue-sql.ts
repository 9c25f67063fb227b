import type { FindingStateName } from '../../core/app/findings.ts';
import type { Grouping } from '../../core/app/measures.ts';
import type { IssueQuery, TextQuery } from './issue-query.ts';
import { readIssuePlace } from './places.ts';
import { isRowOf } from './row-key.ts';
import { subjectNumbers } from './search-plan.ts';
import { every, isOfType, limited, line, some, sql, type Sql } from './sql.ts';

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
export function issueCountSql(query: IssueQuery, ofText = textCondition): Sql {
  return line(
    `SELECT t.rule, (SELECT j.severity FROM issue j WHERE j.rule = t.rule LIMIT 1),
       (SELECT j.category FROM issue j WHERE j.rule = t.rule LIMIT 1), r.type, count(*), sum(t.findings)
     FROM (SELECT i.rule, i.record, count(*) AS findings FROM issue i`,
    query.text || query.type ? 'CROSS JOIN record r ON r.pk = i.record' : '',
    'WHERE',
    every(issueConditions(query, ofText)),
    'GROUP BY i.rule, i.record) t CROSS JOIN record r ON r.pk = t.record GROUP BY t.rule, r.type',
  );
}

/** A page walks the issues of one rule, or all, record by record; CROSS JOIN keeps that order. */
export function issuePageSql(query: IssueQuery, after: string | undefined, limit: number): Sql {
  const place = behindIssue(after);
  return line(
    `SELECT i.record, i.rowid, r.type, r.id, r.current, r.version, r.last_updated,
       i.rule, i.severity, i.category, i.pointer,
       CASE WHEN i.rule = 'schema-required' THEN (SELECT count(*) FROM issue j WHERE j.record = i.record
         AND +j.rule = i.rule AND j.pointer = i.pointer AND j.rowid < i.rowid) ELSE 0 END,
       s.assignee, s.waived, s.until, s.note, s.who, s.time
     FROM issue i CROSS JOIN record r ON r.pk = i.record LEFT JOIN finding_state s
       ON s.record = i.record AND s.rule = i.rule AND s.pointer = i.pointer WHERE`,
    every([...issueConditions(query), ...place]),
    `ORDER BY i.record, i.rowid ${limited(limit)}`,
  );
}

/** That an issue `i` stands behind a place. */
export function behindIssue(after: string | undefined): Sql[] {
  const place = readIssuePlace(after ?? '');
  return place ? [sql('(i.record, i.rowid) > (?, ?)', ...place)] : [];
}

/** Conditions on an issue `i` of a record `r`. */
export function issueConditions(
  { rule, severity, category, type, text, state, assignee, day = '' }: IssueQuery,
  ofText = textCondition,
): Sql[] {
  return [
    ...(rule === undefined ? [] : [sql('i.rule = ?', rule)]),
    ...(severity === undefined ? [] : [sql('i.severity = ?', severity)]),
    ...(category === undefined ? [] : [sql('i.category = ?', category)]),
    ...(type === undefined ? [] : [sql(isOfType('r', type))]),
    ...(text === undefined ? [] : [ofText(text)]),
    ...(state === undefined ? [] : stateConditions(state, day)),
    ...(assignee === undefined ? [] : [stated('AND f.assignee = ?', assignee)]),
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
export function statesSql(day: string): Sql {
  return sql(
    `SELECT coalesce(sum(waived), 0), coalesce(sum(NOT waived AND assigned), 0) FROM (
       SELECT ${waivedOn} AS waived, f.assignee IS NOT NULL AS assigned
       FROM finding_state f CROSS JOIN issue i ON i.record = f.record AND +i.rule = f.rule AND i.pointer = f.pointer)`,
    day,
  );
}

export const categorySql = sql(
  `SELECT i.category, r.type, count(*) FROM (SELECT DISTINCT category, record FROM issue) i
   JOIN record r ON r.pk = i.record GROUP BY i.category, r.type`,
);

/** Few combinations are, however many records there be. */
export const checkResultSql = sql(
  'SELECT applied, skipped, count(*) FROM check_result GROUP BY applied, skipped',
);

export const standingSql = sql(
  `SELECT i.rule, r.type, i.since, count(*) FROM issue i JOIN record r ON r.pk = i.record
   GROUP BY i.rule, r.type, i.since`,
);

const groupKeys: Readonly<Record<Grouping, string>> = {
  record: "r.type || '/' || r.id",
  patient: `coalesce((SELECT min(f.target) FROM reference f NOT INDEXED WHERE ${isRowOf('f', 'r')}
    AND f.key IN ${subjectNumbers}), '')`,
  rule: 'i.rule',
  month: 'substr(r.last_updated, 1, 7)',
};

export function issueGroupSql(query: IssueQuery, by: Grouping, limit: number): Sql {
  return line(
    `SELECT t.key, count(*), sum(t.findings) FROM (
       SELECT ${groupKeys[by]} AS key, count(*) AS findings
       FROM issue i CROSS JOIN record r ON r.pk = i.record WHERE`,
    every(issueConditions(query)),
    `GROUP BY 1, i.record) t GROUP BY t.key ORDER BY 3 DESC, 1 ${limited(limit)}`,
  );
}

/** With a plus sign no index serves the rules: the order is the records'. */
function textCondition({ part, title, rules }: TextQuery): Sql {
  return some([
    ...(rules.length === 0 ? [] : [sql(`+i.rule IN (${rules.map(() => '?').join(', ')})`, ...rules)]),
    sql('instr(r.title, ?) > 0', title),
    sql('instr(lower(r.id), ?) > 0', part),
    sql('instr(lower(i.pointer), ?) > 0', part),
    sql(
      `EXISTS (SELECT 1 FROM reference f NOT INDEXED WHERE ${isRowOf('f', 'r')} AND f.key IN ${subjectNumbers}
         AND instr(lower(f.target), ?) > 0)`,
      part,
    ),
  ]);
}
