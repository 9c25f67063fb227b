import { sql, type Sql } from './sql.ts';

/** Returns the condition that an import batch brought a record. Its current version may be another one. */
export function isOfBatchSql(record: string, ...batches: readonly string[]): Sql {
  return sql(
    `EXISTS (SELECT 1 FROM batch_line l JOIN batch b ON b.pk = l.batch WHERE l.record = ${record}
       AND l.result = 'stored' AND b.id IN (${batches.map(() => '?').join(', ')}))`,
    ...batches,
  );
}

/** Selects the keys of the records of a type that import batches brought. */
export function recordsOfBatchSql(isOfType: string, ...batches: readonly string[]): Sql {
  return sql(
    `SELECT r.pk FROM batch b JOIN batch_line l ON l.batch = b.pk JOIN record r ON r.pk = l.record
     WHERE b.id IN (${batches.map(() => '?').join(', ')}) AND l.result = 'stored' AND ${isOfType}`,
    ...batches,
  );
}
