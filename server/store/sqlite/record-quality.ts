import { dayOf } from '../../../core/derive/derive.ts';
import type { PartnerQuestion } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { slotCounts } from '../check-slots.ts';
import { textColumns } from '../checksum.ts';
import { textCheck } from './text-check.ts';
import type { IssueCounts, IssueQuery, RecordIssue } from '../issue-query.ts';
import {
  checkResultSql,
  flaggedBySql,
  issueCountsSql,
  issueGroupSql,
  type GroupsAsked,
  issuePageSql,
  standingSql,
  standingWaivedSql,
  wholeSql,
} from '../issue-sql.ts';
import { sqliteDialect } from '../dialect.ts';
import { partnerIds, partnerSql } from '../partner-sql.ts';
import { relationQuestions } from '../relation-sql.ts';
import { KeptCounts } from '../kept-counts.ts';
import { byType, issueCountsOf, issueOf, standingOf, wholeOf } from '../issue-rows.ts';
import { sql, type Value } from '../sql.ts';
import { Statements } from './statements.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Answers the quality worklist from the issue rows. */
export function recordQuality(
  database: SqliteDatabase,
  clock: () => number = Date.now,
  check = textCheck(database.name),
) {
  const statements = new Statements(database);
  const known = new KeptCounts(clock);

  function body(current: Value, [, , type, id, , version]: Value[]): string | undefined {
    const [row] = statements.rows(sql(`SELECT ${textColumns()} FROM version WHERE pk = ?`, Number(current)));
    const name = { type: String(type) as ResourceType, id: String(id), version: Number(version) };
    const content = check(row?.[0], row?.[1], name);
    return Buffer.isBuffer(content) ? content.toString() : undefined;
  }

  return {
    counts(query: IssueQuery): IssueCounts {
      const written = statements.number(sql('SELECT max(pk) FROM version'));
      return known.get(query, written, () => {
        const asked = issueCountsSql(query, query.day ?? dayOf(clock()));
        const rows = asked.map((one) => statements.rows(one));
        return issueCountsOf(rows, clock());
      });
    },

    /** To be told where issues changed without a write. */
    forget: () => known.forget(),

    /** Records with at least one issue of a folder of rules: `profile/`. */
    flaggedBy: (folder: string) => byType(statements.rows(flaggedBySql(folder))),

    /** What is open of each category, and what is waived, on a day. */
    wholes: (day: string) => statements.rows(wholeSql(day)).map(wholeOf),

    /** How many findings of each rule and type stand since which day, and how many of them are waived on a day. */
    standing: (day: string) =>
      standingOf(statements.rows(standingSql), statements.rows(standingWaivedSql(day))),

    /** What is wrong between records, by their index rows. */
    relations: () =>
      relationQuestions(sqliteDialect).flatMap(({ query, found }) => found(statements.rows(query))),

    /** Ids of the other records of each finding. */
    partners: (questions: readonly PartnerQuestion[], limit: number): readonly (readonly string[])[] =>
      questions.map((question) => {
        const query = partnerSql(question, limit, sqliteDialect);
        return query ? partnerIds(statements.rows(query)) : [];
      }),

    /** What a steward's own checks came to, by their slots. */
    checkCounts: () => slotCounts(statements.rows(checkResultSql)),

    /** The largest groups of findings, those with most findings first. */
    groups: (asked: GroupsAsked): Value[][] => statements.rows(issueGroupSql(asked)),

    /** The rows of issues in the order of their records, those behind `after`, at most `limit`; they say nothing of texts. */
    rows: (query: IssueQuery, after: string | undefined, limit: number): Value[][] =>
      statements.rows(issuePageSql(query, after, limit)),

    /** The issues of such rows, with the texts of their records. */
    issuesAt(rows: readonly Value[][]): readonly RecordIssue[] {
      let last: { readonly current: Value; readonly text: string | undefined } | undefined;
      const today = dayOf(clock());
      return rows.map((row) => {
        const current = row[4] ?? null;
        if (last?.current !== current) last = { current, text: body(current, row) };
        return issueOf(row, last.text, today);
      });
    },
  };
}
