/** Documents of imports in PostgreSQL, in the table `document`. */
import { parseDocumentEntries, type DocumentStore } from '../../store/documents.ts';
import type { Session } from './connection.ts';
import type { Writes } from './writes.ts';

const readSql = 'SELECT head, entries FROM document WHERE type = $1 AND id = $2';
const storeSql = `INSERT INTO document (type, id, head, entries) VALUES ($1, $2, $3, $4)
  ON CONFLICT (type, id) DO UPDATE SET head = excluded.head, entries = excluded.entries`;

export function createPostgresDocuments(database: Session, writes: Writes): DocumentStore {
  return {
    async read({ type, id }) {
      const [row] = await database.rows({ text: readSql, values: [type, id] });
      if (!row) return undefined;
      const [head, entries] = row.map(String);
      return { type, id, head: head ?? '', entries: parseDocumentEntries(entries ?? '[]') };
    },

    async store({ type, id, head, entries }) {
      const values = [type, id, head, JSON.stringify(entries)];
      await writes.add(({ session }) => session.rows({ text: storeSql, values }));
    },
  };
}
