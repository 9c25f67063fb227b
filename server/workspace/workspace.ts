/**
 * The workspace keeps what belongs to the person at the workbench, in a database of its own: resetting training
 * records never touches it. Called by the HTTP routes under `/app`, by the access check and by `token`.
 */
import { defaultPreferences, isPreferences, type Preferences } from '../../core/app/models.ts';
import { openDatabase, type Migrations, type SqliteDatabase } from '../store/sqlite.ts';
import { tokenMigration, tokenStore } from './tokens.ts';

const migrations: Migrations = [
  `CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
  tokenMigration,
];

export type Workspace = ReturnType<typeof workspaceOf>;

/** Opens `workspace.db` at `path`; rejects with DataFolderError where that cannot be done. */
export function openWorkspace(path: string, clock: () => number = Date.now): Promise<Workspace> {
  return Promise.resolve().then(() => workspaceOf(openDatabase(path, migrations), clock));
}

function workspaceOf(database: SqliteDatabase, clock: () => number) {
  const tokens = tokenStore(database, clock);
  const read = database.prepare<unknown[], { value: string }>('SELECT value FROM setting WHERE name = ?');
  const write = database.prepare(
    'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    tokens,
    preferences(): Promise<Preferences> {
      const row = read.get('preferences');
      const saved: unknown = row ? JSON.parse(row.value) : undefined;
      return Promise.resolve(isPreferences(saved) ? saved : defaultPreferences);
    },
    savePreferences(preferences: Preferences): Promise<void> {
      write.run('preferences', JSON.stringify(preferences));
      return Promise.resolve();
    },
    close(): Promise<void> {
      tokens.flush();
      database.close();
      return Promise.resolve();
    },
  };
}
