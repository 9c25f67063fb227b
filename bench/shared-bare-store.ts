import pg from 'pg';
import { listReferencedIds, type BareRecord, type BareRow } from './bare-store.ts';

/** The same table as in the file of the bare handler. */
export const bareSchema = `
  CREATE TABLE IF NOT EXISTS record (
    pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, type text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL, encounter text COLLATE "C" NOT NULL, body text COLLATE "C" NOT NULL,
    UNIQUE (type, id)
  );
  CREATE INDEX IF NOT EXISTS record_by_subject ON record (type, subject);
`;

/**
 * Opens the store of the bare handler on PostgreSQL: a pool, a prepared statement for each kind of request,
 * each in its own transaction. It commits like Chartkeeper's store: synchronous_commit on.
 *
 * @param most - Highest number of connections, the same as in Chartkeeper's server for requests.
 */
export function openSharedBareStore(address: string, maxConnections = 10) {
  const pool = new pg.Pool({ connectionString: address, max: maxConnections, options: '-c jit=off' });
  const queryRows = async (name: string, text: string, values: readonly string[]) =>
    (await pool.query<BareRow>({ name, text, values: [...values] })).rows;
  return {
    close: () => pool.end(),
    read: async (type: string, id: string) =>
      (await queryRows('read', 'SELECT id, body FROM record WHERE type = $1 AND id = $2', [type, id]))[0],
    search: (type: string, subject: string, encounter?: string) =>
      encounter === undefined
        ? queryRows('search', 'SELECT id, body FROM record WHERE type = $1 AND subject = $2', [type, subject])
        : queryRows(
            'pair',
            'SELECT id, body FROM record WHERE type = $1 AND subject = $2 AND encounter = $3',
            [type, subject, encounter],
          ),
    insert: (type: string, id: string, record: BareRecord, body: string) =>
      queryRows(
        'insert',
        'INSERT INTO record (type, id, subject, encounter, body) VALUES ($1, $2, $3, $4, $5)',
        [type, id, ...listReferencedIds(record), body],
      ),
    /** Returns true if the record existed. */
    replace: async (type: string, id: string, record: BareRecord, body: string) => {
      const text =
        'UPDATE record SET subject = $1, encounter = $2, body = $3 WHERE type = $4 AND id = $5 RETURNING id';
      return (await queryRows('replace', text, [...listReferencedIds(record), body, type, id])).length > 0;
    },
  };
}
