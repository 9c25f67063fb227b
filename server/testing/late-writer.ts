/** A writer of a shared store that gets its sequence numbers first and commits last. */
import { openTransaction } from './held-transaction.ts';

/** SQL that stores a record without index rows, as another instance does: `$1` is its id, `$2` its text. */
export const insertSql = `WITH r AS (INSERT INTO record (type, id, version, current, sort_date, status, title)
    VALUES ('Composition', $1, 1, nextval('version_pk'), 0, '', '') RETURNING pk, current),
  u AS (INSERT INTO updated SELECT pk, 'Composition', '2026', $1 FROM r)
  INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author,
    sha256, crc32, body)
  SELECT current, pk, 'Composition', $1, 1, '2026', 0, '', '', 'create', '', sha256($2::text::bytea), 0, $2 FROM r`;

/** Stores a Composition in a transaction and leaves it open; the returned function commits it. */
export function lateWriter(address: string, id: string, title = ''): Promise<() => Promise<void>> {
  const body = JSON.stringify({ resourceType: 'Composition', id, title });
  return openTransaction(address, (session) => session.rows({ text: insertSql, values: [id, body] }));
}
