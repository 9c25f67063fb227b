/** How much is read and written together: so many rows, and bytes of texts unless a single one is longer. */
export const batch = { rows: 500, bytes: 4_000_000 };

/**
 * The first of the rows that PostgreSQL has in an order, as many as are read together.
 *
 * @param rows - What follows FROM, up to the conditions, of rows with a text in `body`.
 * @param key - What they are ordered by.
 */
export function bounded(rows: string, key: string): string {
  return `(SELECT * FROM (SELECT w.*, row_number() OVER (ORDER BY w.${key}) AS at,
      sum(octet_length(w.body)) OVER (ORDER BY w.${key}) AS through
    FROM (SELECT * FROM ${rows} ORDER BY ${key} LIMIT ${batch.rows}) w) w
    WHERE w.at = 1 OR w.through <= ${batch.bytes})`;
}

/** Rows as they come, as many together. */
export function* batches<Row>(found: Iterable<Row>, sizeOf: (row: Row) => number): Generator<readonly Row[]> {
  let rows: Row[] = [];
  let size = 0;
  for (const row of found) {
    rows.push(row);
    size += sizeOf(row);
    if (rows.length < batch.rows && size < batch.bytes) continue;
    yield rows;
    rows = [];
    size = 0;
  }
  if (rows.length > 0) yield rows;
}
