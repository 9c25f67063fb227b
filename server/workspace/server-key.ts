import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/**
 * Key of the local server. Drafts, searches, tabs and runs belong to a server by its base URL and are never offered for
 * another one.
 */
export const localServer = '';

/** Assigns data from before connections to the local server. Its ETags are version numbers. */
export const serverMigration = `
  ALTER TABLE draft ADD COLUMN server TEXT NOT NULL DEFAULT '';
  ALTER TABLE draft ADD COLUMN base_etag TEXT;
  UPDATE draft SET base_etag = 'W/"' || base_version || '"' WHERE base_version IS NOT NULL;
  ALTER TABLE bulk_run ADD COLUMN server TEXT NOT NULL DEFAULT '';
  ALTER TABLE bulk_target ADD COLUMN etag TEXT;
  UPDATE bulk_target SET etag = 'W/"' || version || '"' WHERE version IS NOT NULL;
  ALTER TABLE recent_search RENAME TO former_recent;
  CREATE TABLE recent_search (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    server TEXT NOT NULL,
    query TEXT NOT NULL,
    UNIQUE (server, query)
  ) STRICT;
  INSERT INTO recent_search (seq, server, query) SELECT seq, '', query FROM former_recent;
  DROP TABLE former_recent;
  ALTER TABLE saved_search RENAME TO former_saved;
  CREATE TABLE saved_search (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    server TEXT NOT NULL,
    name TEXT NOT NULL COLLATE NOCASE,
    query TEXT NOT NULL,
    UNIQUE (server, name)
  ) STRICT;
  INSERT INTO saved_search (id, server, name, query) SELECT id, '', name, query FROM former_saved;
  DROP TABLE former_saved;
`;

/** Creates a function that removes the data of a server without a connection. */
export function serverForgetter(database: SqliteDatabase): (server: string) => Promise<void> {
  const deleteStatements = ['draft', 'bulk_run', 'recent_search', 'saved_search'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE server = ?`),
  );
  const deleteSession = database.prepare('DELETE FROM setting WHERE name = ?');
  const removeAll = database.transaction((server: string) => {
    for (const statement of deleteStatements) statement.run(server);
    deleteSession.run(sessionName(server));
  });
  return (server) => {
    removeAll.immediate(server);
    return Promise.resolve();
  };
}

/** Returns the name of the setting with the tabs of a server. */
export function sessionName(server: string): string {
  return server === localServer ? 'session' : `session ${server}`;
}
