/**
 * Counts writes since an instant. Each query reads only these versions and records, by an index of instants.
 */
import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { Dialect } from './dialect.ts';
import { isOfType, join, limited, line, sql, type Sql, type Value } from './sql.ts';
import type { WriterHead } from './store.ts';

/** Counts the records written since an instant, each once. */
export function changedSql(since: string, { updated }: Dialect): Sql {
  const ofTypes = resourceTypes.map((type) => updated(type, (column) => sql(`${column} >= ?`, since)).having);
  return line('SELECT count(*) FROM (', join(ofTypes, ' UNION ALL '), ') c');
}

/** Counts versions and distinct records by writer and operation. Each row has its latest version. */
export function writersSql(since: string, limit: number): Sql {
  const ofTypes = resourceTypes.map((type) =>
    sql(
      `SELECT v.pk, v.record, v.operation, v.author, v.person FROM version v
       WHERE ${isOfType('v', type)} AND v.last_updated >= ?`,
      since,
    ),
  );
  return line(
    `SELECT n.type, n.id, n.version, n.last_updated, n.operation, n.author, n.person, g.records, g.versions FROM (
       SELECT max(w.pk) AS newest, count(DISTINCT w.record) AS records, count(*) AS versions FROM (`,
    join(ofTypes, ' UNION ALL '),
    `) w GROUP BY w.operation, w.author, w.person ORDER BY 1 DESC ${limited(limit)}) g
     JOIN version n ON n.pk = g.newest ORDER BY g.newest DESC`,
  );
}

/** Converts a row of {@link writersSql}. */
export function writerHeadOf(row: readonly Value[]): WriterHead {
  const [type, id, version, lastUpdated, operation, author, person, records, versions] = row;
  return {
    type: String(type) as ResourceType,
    id: String(id),
    version: Number(version),
    lastUpdated: String(lastUpdated),
    operation: String(operation) as WriteOperation,
    ...authorshipIn({ author: String(author), person: typeof person === 'string' ? person : null }),
    records: Number(records),
    versions: Number(versions),
  };
}
