import { searchLimits, SearchQuery, type SavedSearch } from '../../core/app/searches.ts';
import { is } from '../../core/json/shape.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** What was searched for lately, and the searches that have a name; names differ by more than case. */
export const searchMigration = `
  CREATE TABLE recent_search (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    query TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE saved_search (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    query TEXT NOT NULL
  ) STRICT;
`;

/** Why a saved search was not stored. */
export type SavedRefusal = 'name-taken' | 'full' | 'unknown';

interface SavedRow {
  readonly id: number;
  readonly name: string;
  readonly query: string;
}

export type SearchStore = ReturnType<typeof searchStore>;

/** The kept searches of a workspace database. `server` is that of server-key.ts; a search of another server is as none. */
export function searchStore(database: SqliteDatabase) {
  const insert = database.prepare('INSERT INTO recent_search (server, query) VALUES (?, ?)');
  const forgetOne = database.prepare('DELETE FROM recent_search WHERE server = ? AND query = ?');
  const trim = database.prepare(
    `DELETE FROM recent_search WHERE server = @server AND seq NOT IN
       (SELECT seq FROM recent_search WHERE server = @server ORDER BY seq DESC LIMIT @limit)`,
  );
  const forgetAll = database.prepare('DELETE FROM recent_search WHERE server = ?');
  const recent = database.prepare<unknown[], Pick<SavedRow, 'query'>>(
    'SELECT query FROM recent_search WHERE server = ? ORDER BY seq DESC',
  );
  const list = database.prepare<unknown[], SavedRow>(
    'SELECT id, name, query FROM saved_search WHERE server = ? ORDER BY name',
  );
  const one = database.prepare<unknown[], SavedRow>(
    'SELECT id, name, query FROM saved_search WHERE server = ? AND id = ?',
  );
  const named = database.prepare<unknown[], { id: number }>(
    'SELECT id FROM saved_search WHERE server = ? AND name = ?',
  );
  const count = database.prepare<unknown[], { n: number }>(
    'SELECT count(*) AS n FROM saved_search WHERE server = ?',
  );
  const add = database.prepare('INSERT INTO saved_search (server, name, query) VALUES (?, ?, ?)');
  const put = database.prepare(
    `INSERT INTO saved_search (server, name, query) VALUES (?, ?, ?)
       ON CONFLICT (server, name) DO UPDATE SET name = excluded.name, query = excluded.query`,
  );
  const setName = database.prepare('UPDATE saved_search SET name = ? WHERE server = ? AND id = ?');
  const drop = database.prepare('DELETE FROM saved_search WHERE server = ? AND id = ?');

  const note = database.transaction((server: string, query: string) => {
    forgetOne.run(server, query);
    insert.run(server, query);
    trim.run({ server, limit: searchLimits.recent });
  });

  const read = (server: string, id: number | bigint): SavedSearch | SavedRefusal => {
    const row = one.get(server, id);
    return (row && savedOf(row)) ?? 'unknown';
  };

  return {
    /** Puts a search before all others; the oldest beyond the limit are dropped. */
    noteRecent(server: string, { type, pairs }: SearchQuery) {
      note.immediate(server, JSON.stringify({ type, pairs }));
      return Promise.resolve();
    },
    /** Newest first. */
    recents: (server: string) =>
      Promise.resolve(recent.all(server).flatMap(({ query }) => queryOf(query) ?? [])),
    forgetRecents(server: string) {
      forgetAll.run(server);
      return Promise.resolve();
    },
    saved: (server: string) => Promise.resolve(list.all(server).flatMap((row) => savedOf(row) ?? [])),
    save(server: string, name: string, { type, pairs }: SearchQuery): Promise<SavedSearch | SavedRefusal> {
      if (named.get(server, name)) return Promise.resolve('name-taken');
      if ((count.get(server)?.n ?? 0) >= searchLimits.saved) return Promise.resolve('full');
      const { lastInsertRowid } = add.run(server, name, JSON.stringify({ type, pairs }));
      return Promise.resolve(read(server, lastInsertRowid));
    },
    /** Keeps a search under its name, in the place of another of that name; a limit is the caller's to mind. */
    put(server: string, name: string, { type, pairs }: SearchQuery) {
      put.run(server, name, JSON.stringify({ type, pairs }));
      return Promise.resolve();
    },
    rename(server: string, id: number, name: string): Promise<SavedSearch | SavedRefusal> {
      const holder = named.get(server, name);
      if (holder && holder.id !== id) return Promise.resolve('name-taken');
      setName.run(name, server, id);
      return Promise.resolve(read(server, id));
    },
    remove: (server: string, id: number) => Promise.resolve(drop.run(server, id).changes > 0),
  };
}

function savedOf({ id, name, query }: SavedRow): SavedSearch | undefined {
  const read = queryOf(query);
  return read && { ...read, id, name };
}

function queryOf(kept: string): SearchQuery | undefined {
  const read: unknown = JSON.parse(kept);
  return is(SearchQuery, read) ? read : undefined;
}
