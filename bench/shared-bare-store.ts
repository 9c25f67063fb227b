import pg from 'pg';
import { targetsOf, type BareRecord, type BareRow } from './bare-store.ts';

/** As the bare handler's file has it. */
export const bareSchema = `
  CREATE TABLE IF NOT EXISTS record (
    pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, type text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL, encounter text COLLATE "C" NOT NULL, body text COLLATE "C" NOT NULL,
    UNIQUE (type, id)
  );
  CREATE INDEX IF NOT EXISTS record_by_subject ON record (type, subject);
`;

/**
 * The store of the bare handler on PostgreSQL: a pool, a prepared statement for each kind of request, each a transaction by
 * itself. It commits as Chartkeeper's store does: synchronous_commit on.
 *
 * @param most - Connections at once, as many as Chartkeeper's server has for its requests.
 */
export function openSharedBareStore(address: string, most = 10) {
  const pool = new pg.Pool({ connectionString: address, max: most, options: '-c jit=off' });
  const rows = async (name: string, text: string, values: readonly string[]) =>
    (await pool.query<BareRow>({ name, text, values: [...values] })).rows;
  return {
    close: () => pool.end(),
    read: async (type: string, id: string) =>
      (await rows('read', 'SELECT id, body FROM record WHERE type = $1 AND id = $2', [type, id]))[0],
    search: (type: string, subject: string, encounter?: string) =>
      encounter === undefined
        ? rows('search', 'SELECT id, body FROM record WHERE type = $1 AND subject = $2', [type, subject])
        : rows('pair', 'SELECT id, body FROM record WHERE type = $1 AND subject = $2 AND encounter = $3', [
            type,
            subject,
            encounter,
          ]),
    insert: (type: string, id: string, record: BareRecord, body: string) =>
      rows('insert', 'INSERT INTO record (type, id, subject, encounter, body) VALUES ($1, $2, $3, $4, $5)', [
        type,
        id,
        ...targetsOf(record),
        body,
      ]),
    /** Whether there was such a record. */
    replace: async (type: string, id: string, record: BareRecord, body: string) => {
      const text =
        'UPDATE record SET subject = $1, encounter = $2, body = $3 WHERE type = $4 AND id = $5 RETURNING id';
      return (await rows('replace', text, [...targetsOf(record), body, type, id])).length > 0;
    },
  };
}
