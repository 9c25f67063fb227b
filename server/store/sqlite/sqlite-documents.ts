/** Documents of imports in SQLite, in the table `document`. */
import { prepare, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { parseDocumentEntries, type DocumentStore } from '../documents.ts';
import type { WriteQueue } from './write-queue.ts';

interface DocumentRow {
  readonly head: string;
  readonly entries: string;
}

/** Objects of the current connection. */
interface Dependencies {
  readonly database: SqliteDatabase;
  readonly writes: WriteQueue;
}

export function createSqliteDocuments(getDependencies: () => Dependencies): DocumentStore {
  return {
    async read({ type, id }) {
      const row = prepare<DocumentRow>(
        getDependencies().database,
        'SELECT head, entries FROM document WHERE type = ? AND id = ?',
      ).get(type, id);
      return row && { type, id, head: row.head, entries: parseDocumentEntries(row.entries) };
    },

    async store({ type, id, head, entries }) {
      const { database, writes } = getDependencies();
      await writes.add(() =>
        prepare(
          database,
          `INSERT INTO document (type, id, head, entries) VALUES (?, ?, ?, ?)
           ON CONFLICT (type, id) DO UPDATE SET head = excluded.head, entries = excluded.entries`,
        ).run(type, id, head, JSON.stringify(entries)),
      );
    },
  };
}
