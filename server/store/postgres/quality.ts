import { dayOf } from '../../../core/derive/derive.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { IssueQuery } from '../issue-query.ts';
import { issueCountsSql, issuePageSql } from '../issue-sql.ts';
import type { VersionName } from '../checksum.ts';
import { issueCountsOf, issueOf } from '../issue-rows.ts';
import type { Value } from '../sql.ts';
import type { SharedStore } from '../store.ts';
import { numbered, type Session } from './connection.ts';
import { setBySet } from './dialect.ts';
import { asText, textColumns } from './texts.ts';

/** Answers the quality worklist from the issue rows; `noticed` is told of texts that are damaged. */
export function qualityIn(
  database: Session,
  noticed: (name: VersionName) => void,
): Pick<SharedStore, 'issueCounts' | 'issues'> {
  return {
    async issueCounts(query) {
      const asked = issueCountsSql(query, query.day ?? dayOf(Date.now()), setBySet);
      const rows = await Promise.all(asked.map((one) => database.rows(numbered(one))));
      return issueCountsOf(rows, Date.now());
    },

    async issues(query, after, limit) {
      const rows = await issueRows(database, query, after, limit);
      const versions = [...new Set(rows.map((row) => row[4] ?? null))];
      const text = `SELECT v.pk, v.type, v.id, v.version, v.last_updated, ${textColumns} FROM version v
        WHERE v.pk = ANY ($1::bigint[])`;
      const texts = new Map(
        (await database.rows({ text, values: [versions] })).map(
          ([pk, of, id, version, lastUpdated, ...body]) => {
            const facts = { id: String(id), version: Number(version), lastUpdated: String(lastUpdated) };
            const type = String(of) as ResourceType;
            const found = asText(type, facts, body);
            if ('fault' in found) noticed({ type, id: facts.id, version: facts.version });
            return [pk, 'fault' in found ? undefined : found.text];
          },
        ),
      );
      const today = dayOf(Date.now());
      return rows.map((row) => issueOf(row, texts.get(row[4] ?? null), today));
    },
  };
}

/** Rows of issues in the order of their records, those behind `after`. */
export function issueRows(
  database: Session,
  query: IssueQuery,
  after: string | undefined,
  limit: number,
): Promise<Value[][]> {
  return database.rows(numbered(issuePageSql(query, after, limit, setBySet)));
}
