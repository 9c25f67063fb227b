/**
 * The store of the bare handler: one table, one index by subject, no history. Called by the bare server and by the
 * fill. It commits as Chartkeeper's store does: WAL, synchronous FULL.
 */
import Database from 'better-sqlite3';
import { targetId } from './subject.ts';

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
  const read = database.prepare<unknown[], BareRow>('SELECT id, body FROM record WHERE type = ? AND id = ?');
  const search = database.prepare<unknown[], BareRow>(
    'SELECT id, body FROM record WHERE type = ? AND subject = ?',
  );
  const searchPair = database.prepare<unknown[], BareRow>(
    'SELECT id, body FROM record WHERE type = ? AND subject = ? AND encounter = ?',
  );
  const insert = database.prepare(
    'INSERT INTO record (type, id, subject, encounter, body) VALUES (?, ?, ?, ?, ?)',
  );
  const replace = database.prepare(
    'UPDATE record SET subject = ?, encounter = ?, body = ? WHERE type = ? AND id = ?',
  );
  return {
    database,
    close: () => void database.close(),
    read: (type: string, id: string) => read.get(type, id),
    search: (type: string, subject: string, encounter?: string) =>
      encounter === undefined ? search.all(type, subject) : searchPair.all(type, subject, encounter),
    insert: (type: string, id: string, record: BareRecord, body: string) =>
      insert.run(type, id, ...targetsOf(record), body),
    /** Whether there was such a record. */
    replace: (type: string, id: string, record: BareRecord, body: string) =>
      replace.run(...targetsOf(record), body, type, id).changes > 0,
  };
}

/** The ids that its two references name. */
export function targetsOf({ subject, encounter }: BareRecord): [subject: string, encounter: string] {
  return [targetId(subject?.reference ?? ''), targetId(encounter?.reference ?? '')];
}

/** Sets id and meta, which an answer of Chartkeeper has too, and prints. */
export function stampBare(record: BareRecord, id: string, version: number, lastUpdated: string): string {
  record.id = id;
  record.meta = { ...record.meta, versionId: String(version), lastUpdated };
  return JSON.stringify(record);
}
