import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** The server that drafts, searches, tabs and runs belong to, by its base URL: none is ever offered for another one. */
export const localServer = '';

/** What was kept before there were connections belongs to the local server, whose ETags are its version numbers. */
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

/** Removes what was kept of a server, as no connection leads to it any more. */
export function serverForgetter(database: SqliteDatabase): (server: string) => Promise<void> {
  const forget = ['draft', 'bulk_run', 'recent_search', 'saved_search'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE server = ?`),
  );
  const session = database.prepare('DELETE FROM setting WHERE name = ?');
  const all = database.transaction((server: string) => {
    for (const statement of forget) statement.run(server);
    session.run(sessionName(server));
  });
  return (server) => {
    all.immediate(server);
    return Promise.resolve();
  };
}

/** The setting that keeps a server's tabs. */
export function sessionName(server: string): string {
  return server === localServer ? 'session' : `session ${server}`;
}
