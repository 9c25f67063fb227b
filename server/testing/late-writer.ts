/** A writer of a shared store that takes its numbers first and commits last. */
import { readAddress } from '../store/postgres/address.ts';
import { Postgres } from '../store/postgres/connection.ts';

/** Stores a Composition with an id and a title in a transaction that stands open until `commit` is called. */
export async function lateWriter(
  address: string,
  id: string,
  title = '',
): Promise<{ readonly commit: () => Promise<void> }> {
  const database = new Postgres(readAddress(address), 1);
  const begun = Promise.withResolvers<true>();
  const end = Promise.withResolvers<true>();
  const body = JSON.stringify({ resourceType: 'Composition', id, title });
  const work = database.transaction(async (session) => {
    const text = `WITH r AS (INSERT INTO record (type, id, version, current, sort_date, status, title)
        VALUES ('Composition', $1, 1, nextval('version_pk'), 0, '', '') RETURNING pk, current)
      INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author,
        sha256, crc32, body)
      SELECT current, pk, 'Composition', $1, 1, '2026', 0, '', '', 'create', '', '', 0, $2 FROM r`;
    await session.rows({ text, values: [id, body] });
    begun.resolve(true);
    await end.promise;
  });
  await Promise.race([begun.promise, work]);
  return {
    async commit() {
      end.resolve(true);
      await work;
      await database.close();
    },
  };
}
