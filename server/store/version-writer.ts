import { createHash } from 'node:crypto';
import { indexWriter } from './index-tables.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { NewVersion } from './store.ts';

export type VersionWriter = ReturnType<typeof versionWriter>;

/** Writes versions with their index and issue rows; each call belongs into a transaction of the caller's. */
export function versionWriter(database: SqliteDatabase) {
  const exists = database.prepare('SELECT 1 FROM record WHERE type = ? AND id = ?');
  const addVersion = database.prepare(
    `INSERT INTO version (type, id, version, last_updated, sort_date, status, title, operation, author, sha256, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addRecord = database.prepare(
    `INSERT INTO record (type, id, version, last_updated, sort_date, status, title, current)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // The version test stands in the UPDATE's own WHERE: nothing can come between comparing and writing.
  const advance = database.prepare<unknown[], { pk: number }>(
    `UPDATE record SET version = ?, last_updated = ?, sort_date = ?, status = ?, title = ?
     WHERE type = ? AND id = ? AND version = ? RETURNING pk`,
  );
  const point = database.prepare('UPDATE record SET current = ? WHERE pk = ?');
  const index = indexWriter(database);

  function store(next: NewVersion): number | bigint {
    const { type, id, version, lastUpdated, operation, author, text } = next;
    const { date, status, title } = next.index.sort;
    const sha256 = createHash('sha256').update(text).digest();
    return addVersion.run(
      ...[type, id, version, lastUpdated, date, status, title],
      ...[operation, author, sha256, text],
    ).lastInsertRowid;
  }

  return {
    insert(next: NewVersion): 'stored' | 'exists' {
      const { type, id, version, lastUpdated } = next;
      if (exists.get(type, id)) return 'exists';
      const { date, status, title } = next.index.sort;
      const current = store(next);
      const added = addRecord.run(type, id, version, lastUpdated, date, status, title, current);
      index.add(added.lastInsertRowid, next);
      return 'stored';
    },

    replace(next: NewVersion, expected: number): 'stored' | 'stale' {
      const { type, id, version, lastUpdated } = next;
      const { date, status, title } = next.index.sort;
      const row = advance.get(version, lastUpdated, date, status, title, type, id, expected);
      if (!row) return 'stale';
      point.run(store(next), row.pk);
      index.replace(row.pk, next);
      return 'stored';
    },
  };
}
