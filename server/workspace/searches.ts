import { isSearchQuery, searchLimits, type SavedSearch, type SearchQuery } from '../../core/app/searches.ts';
import type { SqliteDatabase } from '../store/sqlite.ts';

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

export interface SearchStore {
  /** Puts a search before all others; the oldest beyond the limit are dropped. */
  noteRecent(search: SearchQuery): Promise<void>;
  /** Newest first. */
  recents(): Promise<readonly SearchQuery[]>;
  forgetRecents(): Promise<void>;
  saved(): Promise<readonly SavedSearch[]>;
  save(name: string, query: SearchQuery): Promise<SavedSearch | SavedRefusal>;
  rename(id: number, name: string): Promise<SavedSearch | SavedRefusal>;
  remove(id: number): Promise<boolean>;
}

interface SavedRow {
  readonly id: number;
  readonly name: string;
  readonly query: string;
}

/** The kept searches of a workspace database. */
export function searchStore(database: SqliteDatabase): SearchStore {
  const insert = database.prepare('INSERT INTO recent_search (query) VALUES (?)');
  const forgetOne = database.prepare('DELETE FROM recent_search WHERE query = ?');
  const trim = database.prepare(
    'DELETE FROM recent_search WHERE seq NOT IN (SELECT seq FROM recent_search ORDER BY seq DESC LIMIT ?)',
  );
  const recent = database.prepare<unknown[], Pick<SavedRow, 'query'>>(
    'SELECT query FROM recent_search ORDER BY seq DESC',
  );
  const list = database.prepare<unknown[], SavedRow>(
    'SELECT id, name, query FROM saved_search ORDER BY name',
  );
  const one = database.prepare<unknown[], SavedRow>('SELECT id, name, query FROM saved_search WHERE id = ?');
  const named = database.prepare<unknown[], { id: number }>('SELECT id FROM saved_search WHERE name = ?');
  const count = database.prepare<unknown[], { n: number }>('SELECT count(*) AS n FROM saved_search');
  const add = database.prepare('INSERT INTO saved_search (name, query) VALUES (?, ?)');
  const setName = database.prepare('UPDATE saved_search SET name = ? WHERE id = ?');
  const drop = database.prepare('DELETE FROM saved_search WHERE id = ?');

  const note = database.transaction((query: string) => {
    forgetOne.run(query);
    insert.run(query);
    trim.run(searchLimits.recent);
  });

  const read = (id: number | bigint): SavedSearch | SavedRefusal => {
    const row = one.get(id);
    return (row && savedOf(row)) ?? 'unknown';
  };

  return {
    noteRecent({ type, pairs }) {
      note.immediate(JSON.stringify({ type, pairs }));
      return Promise.resolve();
    },
    recents: () => Promise.resolve(recent.all().flatMap(({ query }) => queryOf(query) ?? [])),
    forgetRecents() {
      database.exec('DELETE FROM recent_search');
      return Promise.resolve();
    },
    saved: () => Promise.resolve(list.all().flatMap((row) => savedOf(row) ?? [])),
    save(name, { type, pairs }) {
      if (named.get(name)) return Promise.resolve('name-taken');
      if ((count.get()?.n ?? 0) >= searchLimits.saved) return Promise.resolve('full');
      return Promise.resolve(read(add.run(name, JSON.stringify({ type, pairs })).lastInsertRowid));
    },
    rename(id, name) {
      const holder = named.get(name);
      if (holder && holder.id !== id) return Promise.resolve('name-taken');
      setName.run(name, id);
      return Promise.resolve(read(id));
    },
    remove: (id) => Promise.resolve(drop.run(id).changes > 0),
  };
}

function savedOf({ id, name, query }: SavedRow): SavedSearch | undefined {
  const read = queryOf(query);
  return read && { ...read, id, name };
}

function queryOf(kept: string): SearchQuery | undefined {
  const read: unknown = JSON.parse(kept);
  return isSearchQuery(read) ? read : undefined;
}
