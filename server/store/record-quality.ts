import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { perType, type ResourceType } from '../../core/fhir/resource.ts';
import { textCheck, textColumns, type TextCheck } from './checksum.ts';
import { isRowOf } from './row-key.ts';
import { subjectNumbers } from './search-plan.ts';
import { every, isOfType, limited, line, some, sql, type Sql } from './sql.ts';
import { Statements, type Value } from './statements.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Which issues are asked for; what is absent does not narrow. */
export interface IssueQuery {
  readonly rule?: string;
  readonly severity?: IssueRow['severity'];
  readonly category?: IssueRow['category'];
  readonly type?: ResourceType;
  /** What title, id, subject or pointer holds, or one of `rules`. */
  readonly text?: TextQuery;
}

export interface TextQuery {
  /** In lower case. */
  readonly part: string;
  /** As `fold` makes it, which is how a record's title is kept. */
  readonly title: string;
  readonly rules: readonly string[];
}

/** How often a rule is broken in the records of a type. */
export interface IssueCount extends Omit<IssueRow, 'pointer'> {
  readonly type: ResourceType;
  readonly records: number;
  readonly findings: number;
}

/** The place of an issue in the list of all. */
export interface IssuePlace {
  readonly record: number;
  readonly row: number;
}

/** An issue with its record. */
export interface RecordIssue extends IssueRow {
  readonly place: IssuePlace;
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  readonly lastUpdated: string;
  /** How many issues of the same rule at the same element stand before it. */
  readonly ordinal: number;
  /** The record's exact JSON, the same string for each issue of a record; undefined where it is damaged. */
  readonly text: string | undefined;
}

export interface IssueCounts {
  /** When it was counted, in milliseconds since the epoch. */
  readonly counted: number;
  readonly counts: readonly IssueCount[];
  /** Records with at least one issue. */
  readonly flagged: Readonly<Record<ResourceType, number>>;
}

/** Counts that are kept, of as many queries. */
const mostCounts = 50;

/** Milliseconds from which a count is dear: it is then kept over writes, for so many times as long as it took. */
const dear = 250;
const kept = 20;

interface Known {
  readonly counts: IssueCounts;
  /** Number of the last write that was counted. */
  readonly written: number;
  readonly took: number;
}

/** Counts by query: a write makes them anew, unless they are dear. */
export class KeptCounts {
  private readonly clock: () => number;
  private readonly known = new Map<string, Known>();

  constructor(clock: () => number) {
    this.clock = clock;
  }

  get(query: IssueQuery, written: number, count: () => IssueCounts): IssueCounts {
    const key = JSON.stringify(query);
    const found = this.known.get(key);
    if (found && (found.written === written || this.isHeld(found))) return found.counts;
    const begun = this.clock();
    const counts = count();
    if (this.known.size >= mostCounts) this.known.clear();
    this.known.set(key, { counts, written, took: counts.counted - begun });
    return counts;
  }

  forget(): void {
    this.known.clear();
  }

  private isHeld({ took, counts }: Known): boolean {
    return took >= dear && this.clock() - counts.counted < took * kept;
  }
}

/** Answers the quality worklist from the issue rows. */
export class RecordQuality {
  private readonly statements: Statements;
  private readonly clock: () => number;
  private readonly check: TextCheck;
  private readonly known: KeptCounts;

  constructor(database: SqliteDatabase, clock: () => number = Date.now, check = textCheck(database.name)) {
    this.statements = new Statements(database);
    this.clock = clock;
    this.check = check;
    this.known = new KeptCounts(clock);
  }

  counts(query: IssueQuery): IssueCounts {
    const written = this.statements.number(sql('SELECT max(pk) FROM version'));
    return this.known.get(query, written, () => this.count(query));
  }

  /** To be told where issues changed without a write. */
  forget(): void {
    this.known.forget();
  }

  private count(query: IssueQuery): IssueCounts {
    const flagged = perType(() => 0);
    for (const [type, records] of this.statements.rows(flaggedSql)) {
      flagged[String(type) as ResourceType] = Number(records);
    }
    const counts = this.statements.rows(issueCountSql(query)).map(countOf);
    return { counted: this.clock(), counts, flagged };
  }

  /** Issues in the order of their records, those behind `after`; at most `limit`. */
  page(query: IssueQuery, after: IssuePlace | undefined, limit: number): readonly RecordIssue[] {
    return this.issuesAt(this.rows(query, after, limit));
  }

  /** The rows of such issues, which say nothing of the records' texts. */
  rows(query: IssueQuery, after: IssuePlace | undefined, limit: number): Value[][] {
    return this.statements.rows(issuePageSql(query, after, limit));
  }

  /** The issues of such rows, with the texts of their records. */
  issuesAt(rows: readonly Value[][]): readonly RecordIssue[] {
    let last: { readonly current: Value; readonly text: string | undefined } | undefined;
    return rows.map((row) => {
      const current = row[4] ?? null;
      if (last?.current !== current) last = { current, text: this.body(current, row) };
      return issueOf(row, last.text);
    });
  }

  private body(current: Value, [, , type, id, , version]: Value[]): string | undefined {
    const [row] = this.statements.rows(
      sql(`SELECT ${textColumns()} FROM version WHERE pk = ?`, Number(current)),
    );
    const name = { type: String(type) as ResourceType, id: String(id), version: Number(version) };
    const content = this.check(row?.[0], row?.[1], name);
    return Buffer.isBuffer(content) ? content.toString() : undefined;
  }
}

export const flaggedSql = sql(
  `SELECT r.type, count(*) FROM (SELECT DISTINCT record FROM issue) i JOIN record r ON r.pk = i.record
   GROUP BY r.type`,
);

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
export function issuePageSql(query: IssueQuery, after: IssuePlace | undefined, limit: number): Sql {
  const place = after ? [sql('(i.record, i.rowid) > (?, ?)', after.record, after.row)] : [];
  return line(
    `SELECT i.record, i.rowid, r.type, r.id, r.current, r.version, r.last_updated,
       i.rule, i.severity, i.category, i.pointer,
       CASE WHEN i.rule = 'schema-required' THEN (SELECT count(*) FROM issue j WHERE j.record = i.record
         AND +j.rule = i.rule AND j.pointer = i.pointer AND j.rowid < i.rowid) ELSE 0 END
     FROM issue i CROSS JOIN record r ON r.pk = i.record WHERE`,
    every([...issueConditions(query), ...place]),
    `ORDER BY i.record, i.rowid ${limited(limit)}`,
  );
}

/** Conditions on an issue `i` of a record `r`. */
export function issueConditions(
  { rule, severity, category, type, text }: IssueQuery,
  ofText = textCondition,
): Sql[] {
  return [
    ...(rule === undefined ? [] : [sql('i.rule = ?', rule)]),
    ...(severity === undefined ? [] : [sql('i.severity = ?', severity)]),
    ...(category === undefined ? [] : [sql('i.category = ?', category)]),
    ...(type === undefined ? [] : [sql(isOfType('r', type))]),
    ...(text === undefined ? [] : [ofText(text)]),
  ];
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

/** A row of {@link issueCountSql}. */
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

function issueOf(row: Value[], text: string | undefined): RecordIssue {
  const [record, at, type, id, , version, lastUpdated, rule, severity, category, pointer, ordinal] = row;
  return {
    place: { record: Number(record), row: Number(at) },
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
  };
}
