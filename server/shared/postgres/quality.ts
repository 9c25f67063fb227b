import { dayOf } from '../../../core/derive/derive.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { IssueQuery } from '../../store/issue-query.ts';
import { issueCountsSql, issuePageSql } from '../../store/issue-sql.ts';
import type { VersionName } from '../../store/checksum.ts';
import { issueCountsOf, issueOf } from '../../store/issue-rows.ts';
import type { Value } from '../../store/sql.ts';
import type { SharedStore } from '../../store/store.ts';
import { numbered, type Session } from './connection.ts';
import { setBySet } from './dialect.ts';
import { asText, textColumns } from './texts.ts';

/** Creates the queries of the quality worklist. Reports damaged texts to `onDamaged`. */
export function createQualityQueries(
  database: Session,
  onDamaged: (name: VersionName) => void,
): Pick<SharedStore, 'issueCounts' | 'issues'> {
  return {
    async issueCounts(query) {
      const statements = issueCountsSql(query, query.day ?? dayOf(Date.now()), setBySet);
      const rows = await Promise.all(statements.map((statement) => database.rows(numbered(statement))));
      return issueCountsOf(rows, Date.now());
    },

    async issues(query, after, limit) {
      const rows = await issueRows(database, query, after, limit);
      const versions = [...new Set(rows.map((row) => row[4] ?? null))];
      const text = `SELECT v.pk, v.type, v.id, v.version, v.last_updated, ${textColumns} FROM version v
        WHERE v.pk = ANY ($1::bigint[])`;
      const texts = new Map(
        (await database.rows({ text, values: [versions] })).map(
          ([pk, versionType, id, version, lastUpdated, ...body]) => {
            const metadata = { id: String(id), version: Number(version), lastUpdated: String(lastUpdated) };
            const type = String(versionType) as ResourceType;
            const storedVersion = asText(type, metadata, body);
            if ('fault' in storedVersion) onDamaged({ type, id: metadata.id, version: metadata.version });
            return [pk, 'fault' in storedVersion ? undefined : storedVersion.text];
          },
        ),
      );
      const today = dayOf(Date.now());
      return rows.map((row) => issueOf(row, texts.get(row[4] ?? null), today));
    },
  };
}

/** Returns rows of issues in the order of their records, after the cursor. */
export function issueRows(
  database: Session,
  query: IssueQuery,
  after: string | undefined,
  limit: number,
): Promise<Value[][]> {
  return database.rows(numbered(issuePageSql(query, after, limit, setBySet)));
}
