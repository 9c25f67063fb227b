import { dayOf } from '../../../core/derive/derive.ts';
import type { PartnerQuery } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { slotCounts } from '../check-progress.ts';
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
import { sqliteDialect } from '../../sqlite/dialect.ts';
import { partnerIds, partnerSql } from '../partner-sql.ts';
import { relationQuestions } from '../relation-sql.ts';
import { CountCache } from '../count-cache.ts';
import { byType, issueCountsOf, issueOf, toOpenFindings, toWholeCount } from '../issue-rows.ts';
import { sql, type Value } from '../sql.ts';
import { Statements } from './statements.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Creates the queries of the quality worklist over issue rows. */
export function recordQuality(
  database: SqliteDatabase,
  clock: () => number = Date.now,
  check = textCheck(database.name),
) {
  const statements = new Statements(database);
  const countCache = new CountCache(clock);

  function body(current: Value, [, , type, id, , version]: Value[]): string | undefined {
    const [row] = statements.rows(sql(`SELECT ${textColumns()} FROM version WHERE pk = ?`, Number(current)));
    const name = { type: String(type) as ResourceType, id: String(id), version: Number(version) };
    const content = check(row?.[0], row?.[1], name);
    return Buffer.isBuffer(content) ? content.toString() : undefined;
  }

  return {
    counts(query: IssueQuery): IssueCounts {
      const latestVersion = statements.number(sql('SELECT max(pk) FROM version'));
      return countCache.get(query, latestVersion, () => {
        const queries = issueCountsSql(query, query.day ?? dayOf(clock()), sqliteDialect);
        const rows = queries.map((statement) => statements.rows(statement));
        return issueCountsOf(rows, clock());
      });
    },

    /** Discards cached counts. Call it if issues changed without a write. */
    forget: () => countCache.forget(),

    /** Counts records with at least one issue of a rule folder, for example `profile/`. */
    flaggedBy: (folder: string) => byType(statements.rows(flaggedBySql(folder))),

    /** Counts open and waived findings per category on a day. */
    wholes: (day: string) => statements.rows(wholeSql(day, sqliteDialect)).map(toWholeCount),

    /** Counts findings per rule, type and start day, and the waived ones on a day. */
    standing: (day: string) =>
      toOpenFindings(statements.rows(standingSql), statements.rows(standingWaivedSql(day, sqliteDialect))),

    /** Finds issues between records by their index rows. */
    relations: () =>
      relationQuestions(sqliteDialect).flatMap(({ query, toRelations }) =>
        toRelations(statements.rows(query)),
      ),

    /** Returns the ids of the other records of each finding. */
    partners: (questions: readonly PartnerQuery[], limit: number): readonly (readonly string[])[] =>
      questions.map((question) => {
        const query = partnerSql(question, limit, sqliteDialect);
        return query ? partnerIds(statements.rows(query)) : [];
      }),

    /** Counts the results of custom checks by slot. */
    checkCounts: () => slotCounts(statements.rows(checkResultSql)),

    /** Returns the largest groups of findings, largest first. */
    groups: (groupQuery: GroupsAsked): Value[][] => statements.rows(issueGroupSql(groupQuery, sqliteDialect)),

    /** Returns up to `limit` issue rows after `after`, in the order of their records, without texts. */
    rows: (query: IssueQuery, after: string | undefined, limit: number): Value[][] =>
      statements.rows(issuePageSql(query, after, limit, sqliteDialect)),

    /** Converts issue rows, with the texts of their records. */
    readIssues(rows: readonly Value[][]): readonly RecordIssue[] {
      let lastBody: { readonly current: Value; readonly text: string | undefined } | undefined;
      const today = dayOf(clock());
      return rows.map((row) => {
        const current = row[4] ?? null;
        if (lastBody?.current !== current) lastBody = { current, text: body(current, row) };
        return issueOf(row, lastBody.text, today);
      });
    },
  };
}
