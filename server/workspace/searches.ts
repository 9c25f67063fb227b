import { searchLimits, SearchQuery, type SavedSearch } from '../../core/app/searches.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/** Tables of recent and saved searches. Names differ by more than case. */
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

/** Reason why a saved search was not stored. */
export type SavedSearchRejectionCode = 'name-taken' | 'full' | 'unknown';

interface SavedRow {
  readonly id: number;
  readonly name: string;
  readonly query: string;
}

export type SearchStore = ReturnType<typeof searchStore>;

/** Creates the store of searches. `server` is a key of server-key.ts. Searches of another server are invisible. */
export function searchStore(database: SqliteDatabase) {
  const insertRecent = database.prepare('INSERT INTO recent_search (server, query) VALUES (?, ?)');
  const deleteRecent = database.prepare('DELETE FROM recent_search WHERE server = ? AND query = ?');
  const trimRecent = database.prepare(
    `DELETE FROM recent_search WHERE server = @server AND seq NOT IN
       (SELECT seq FROM recent_search WHERE server = @server ORDER BY seq DESC LIMIT @limit)`,
  );
  const deleteAllRecent = database.prepare('DELETE FROM recent_search WHERE server = ?');
  const listRecent = database.prepare<unknown[], Pick<SavedRow, 'query'>>(
    'SELECT query FROM recent_search WHERE server = ? ORDER BY seq DESC',
  );
  const listSaved = database.prepare<unknown[], SavedRow>(
    'SELECT id, name, query FROM saved_search WHERE server = ? ORDER BY name',
  );
  const findSaved = database.prepare<unknown[], SavedRow>(
    'SELECT id, name, query FROM saved_search WHERE server = ? AND id = ?',
  );
  const findByName = database.prepare<unknown[], { id: number }>(
    'SELECT id FROM saved_search WHERE server = ? AND name = ?',
  );
  const countSaved = database.prepare<unknown[], { n: number }>(
    'SELECT count(*) AS n FROM saved_search WHERE server = ?',
  );
  const insertSaved = database.prepare('INSERT INTO saved_search (server, name, query) VALUES (?, ?, ?)');
  const upsertSaved = database.prepare(
    `INSERT INTO saved_search (server, name, query) VALUES (?, ?, ?)
       ON CONFLICT (server, name) DO UPDATE SET name = excluded.name, query = excluded.query`,
  );
  const setName = database.prepare('UPDATE saved_search SET name = ? WHERE server = ? AND id = ?');
  const deleteSaved = database.prepare('DELETE FROM saved_search WHERE server = ? AND id = ?');

  const storeRecent = database.transaction((server: string, query: string) => {
    deleteRecent.run(server, query);
    insertRecent.run(server, query);
    trimRecent.run({ server, limit: searchLimits.recent });
  });

  const findSavedSearch = (server: string, id: number | bigint): SavedSearch | SavedSearchRejectionCode => {
    const row = findSaved.get(server, id);
    return (row && parseSaved(row)) ?? 'unknown';
  };

  return {
    /** Adds a search as the latest one. Drops the oldest beyond the limit. */
    noteRecent(server: string, { type, pairs }: SearchQuery) {
      storeRecent.immediate(server, JSON.stringify({ type, pairs }));
      return Promise.resolve();
    },
    /** Returns the recent searches, newest first. */
    recents: (server: string) =>
      Promise.resolve(listRecent.all(server).flatMap(({ query }) => queryOf(query) ?? [])),
    forgetRecents(server: string) {
      deleteAllRecent.run(server);
      return Promise.resolve();
    },
    saved: (server: string) => Promise.resolve(listSaved.all(server).flatMap((row) => parseSaved(row) ?? [])),
    save(
      server: string,
      name: string,
      { type, pairs }: SearchQuery,
    ): Promise<SavedSearch | SavedSearchRejectionCode> {
      if (findByName.get(server, name)) return Promise.resolve('name-taken');
      if ((countSaved.get(server)?.n ?? 0) >= searchLimits.saved) return Promise.resolve('full');
      const { lastInsertRowid } = insertSaved.run(server, name, JSON.stringify({ type, pairs }));
      return Promise.resolve(findSavedSearch(server, lastInsertRowid));
    },
    /** Stores a search under its name and replaces an existing one. The caller checks the limit. */
    put(server: string, name: string, { type, pairs }: SearchQuery) {
      upsertSaved.run(server, name, JSON.stringify({ type, pairs }));
      return Promise.resolve();
    },
    rename(server: string, id: number, name: string): Promise<SavedSearch | SavedSearchRejectionCode> {
      const existingRow = findByName.get(server, name);
      if (existingRow && existingRow.id !== id) return Promise.resolve('name-taken');
      setName.run(name, server, id);
      return Promise.resolve(findSavedSearch(server, id));
    },
    remove: (server: string, id: number) => Promise.resolve(deleteSaved.run(server, id).changes > 0),
  };
}

function parseSaved({ id, name, query }: SavedRow): SavedSearch | undefined {
  const searchQuery = queryOf(query);
  return searchQuery && { ...searchQuery, id, name };
}

function queryOf(queryJson: string): SearchQuery | undefined {
  const parsed: unknown = JSON.parse(queryJson);
  return matchesSchema(SearchQuery, parsed) ? parsed : undefined;
}
