import type { FindingStateName } from '../../../core/app/findings.ts';
import { dayOf } from '../../../core/derive/derive.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import type { IssueCounts, IssueQuery, RecordIssue } from '../issue-query.ts';
import { flaggedSql, issueCountSql, issuePageSql, statesSql, waivedRecordsSql } from '../issue-sql.ts';
import type { VersionName } from '../checksum.ts';
import { countOf, issueOf } from '../issue-rows.ts';
import { sql, type Sql, type Value } from '../sql.ts';
import { numbered, type Session } from './connection.ts';
import { setBySet } from './dialect.ts';
import { asText, textColumns } from './texts.ts';

/** How often each rule is broken, and by how many records. */
export async function issueCounts(database: Session, query: IssueQuery): Promise<IssueCounts> {
  const day = query.day ?? dayOf(Date.now());
  const ask = (statement: Sql) => database.rows(numbered(statement));
  const [rows, flagged, waived, [[all = 0] = []], [[hidden = 0, assigned = 0] = []]] = await Promise.all([
    ask(issueCountSql(query, undefined, setBySet)),
    ask(flaggedSql).then(byType),
    ask(waivedRecordsSql(day, setBySet)).then(byType),
    ask(sql('SELECT count(*) FROM issue')),
    ask(statesSql(day, setBySet)),
  ]);
  const states: Record<FindingStateName, number> = {
    open: Number(all) - Number(hidden),
    assigned: Number(assigned),
    waived: Number(hidden),
  };
  const open = perType((type) => flagged[type] - waived[type]);
  return { counted: Date.now(), counts: rows.map(countOf), flagged, open, states };
}

/** Records by type, from rows `[type, records]`. */
export function byType(rows: readonly Value[][]): Record<ResourceType, number> {
  const found = perType(() => 0);
  for (const [type, records] of rows) found[String(type) as ResourceType] = Number(records);
  return found;
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

/** The same with the texts of their records. */
export async function issues(
  database: Session,
  noticed: (name: VersionName) => void,
  query: IssueQuery,
  after: string | undefined,
  limit: number,
): Promise<readonly RecordIssue[]> {
  const rows = await issueRows(database, query, after, limit);
  const versions = [...new Set(rows.map((row) => row[4] ?? null))];
  const text = `SELECT v.pk, v.type, v.id, v.version, v.last_updated, ${textColumns} FROM version v
    WHERE v.pk = ANY ($1::bigint[])`;
  const texts = new Map(
    (await database.rows({ text, values: [versions] })).map(([pk, of, id, version, lastUpdated, ...body]) => {
      const facts = { id: String(id), version: Number(version), lastUpdated: String(lastUpdated) };
      const type = String(of) as ResourceType;
      const found = asText(type, facts, body);
      if ('fault' in found) noticed({ type, id: facts.id, version: facts.version });
      return [pk, 'fault' in found ? undefined : found.text];
    }),
  );
  const today = dayOf(Date.now());
  return rows.map((row) => issueOf(row, texts.get(row[4] ?? null), today));
}
