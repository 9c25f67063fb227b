/**
 * The store of the bare handler: one table, one index by subject, no history. Used by the bare server and the
 * fill. It commits like Chartkeeper's store: WAL, synchronous FULL.
 */
import Database from 'better-sqlite3';
import { parseTargetId } from './subject.ts';

export interface BareRow {
  readonly id: string;
  readonly body: string;
}

export type BareStore = ReturnType<typeof openBareStore>;

/** A record of the bare handler, parsed as Express does. */
export type BareRecord = Record<string, unknown> & {
  id?: string;
  meta?: Record<string, unknown>;
  subject?: { reference?: string };
  encounter?: { reference?: string };
};

export function openBareStore(path: string) {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    CREATE TABLE IF NOT EXISTS record (
      pk INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, encounter TEXT NOT NULL,
      body TEXT NOT NULL,
      UNIQUE (type, id)
    );
    CREATE INDEX IF NOT EXISTS record_by_subject ON record (type, subject);
  `);
  const readStatement = database.prepare<unknown[], BareRow>(
    'SELECT id, body FROM record WHERE type = ? AND id = ?',
  );
  const searchStatement = database.prepare<unknown[], BareRow>(
    'SELECT id, body FROM record WHERE type = ? AND subject = ?',
  );
  const searchPairStatement = database.prepare<unknown[], BareRow>(
    'SELECT id, body FROM record WHERE type = ? AND subject = ? AND encounter = ?',
  );
  const insertStatement = database.prepare(
    'INSERT INTO record (type, id, subject, encounter, body) VALUES (?, ?, ?, ?, ?)',
  );
  const replaceStatement = database.prepare(
    'UPDATE record SET subject = ?, encounter = ?, body = ? WHERE type = ? AND id = ?',
  );
  return {
    database,
    close: () => void database.close(),
    read: (type: string, id: string) => readStatement.get(type, id),
    search: (type: string, subject: string, encounter?: string) =>
      encounter === undefined
        ? searchStatement.all(type, subject)
        : searchPairStatement.all(type, subject, encounter),
    insert: (type: string, id: string, record: BareRecord, body: string) =>
      insertStatement.run(type, id, ...listReferencedIds(record), body),
    /** Returns true if the record existed. */
    replace: (type: string, id: string, record: BareRecord, body: string) =>
      replaceStatement.run(...listReferencedIds(record), body, type, id).changes > 0,
  };
}

/** Returns the ids of the subject and the encounter. */
export function listReferencedIds({ subject, encounter }: BareRecord): [subject: string, encounter: string] {
  return [parseTargetId(subject?.reference ?? ''), parseTargetId(encounter?.reference ?? '')];
}

/** Sets id and meta, as Chartkeeper's responses have them, and serializes the record. */
export function serializeBareRecord(
  record: BareRecord,
  id: string,
  version: number,
  lastUpdated: string,
): string {
  record.id = id;
  record.meta = { ...record.meta, versionId: String(version), lastUpdated };
  return JSON.stringify(record);
}
