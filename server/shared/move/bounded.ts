/** Limits of one batch: rows, and bytes of texts unless a single text is longer. */
export const batch = { rows: 500, bytes: 4_000_000 };

/**
 * Returns SQL for the first batch of ordered rows in PostgreSQL.
 *
 * @param rows - SQL after FROM, including conditions. The rows have a text in `body`.
 * @param key - Column of the order.
 */
export function boundedSql(rows: string, key: string): string {
  return `(SELECT * FROM (SELECT w.*, row_number() OVER (ORDER BY w.${key}) AS at,
      sum(octet_length(w.body)) OVER (ORDER BY w.${key}) AS through
    FROM (SELECT * FROM ${rows} ORDER BY ${key} LIMIT ${batch.rows}) w) w
    WHERE w.at = 1 OR w.through <= ${batch.bytes})`;
}

/** Yields rows in batches. */
export function* batches<Row>(
  source: Iterable<Row>,
  sizeOf: (row: Row) => number,
): Generator<readonly Row[]> {
  let rows: Row[] = [];
  let size = 0;
  for (const row of source) {
    rows.push(row);
    size += sizeOf(row);
    if (rows.length < batch.rows && size < batch.bytes) continue;
    yield rows;
    rows = [];
    size = 0;
  }
  if (rows.length > 0) yield rows;
}
