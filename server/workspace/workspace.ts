/**
 * The workspace keeps what belongs to the person at the workbench, in a database of its own: resetting training
 * records never touches it. Called by the HTTP routes under `/app`, by the access check and by `token`.
 */
import { backUpBeside } from '../store/backup.ts';
import { closeDatabase, openDatabase, type Migrations } from '../store/open-database.ts';
import type { SqliteDatabase } from '../store/sqlite.ts';
import { activityMigration, activityStore } from './activity.ts';
import { draftMigration, draftStore } from './drafts.ts';
import { bulkMigration, bulkStore } from './bulk-runs.ts';
import { connectionMigration, connectionStore } from './connections.ts';
import { settingMigration, settingStore } from './settings.ts';
import { searchMigration, searchStore } from './searches.ts';
import { serverForgetter, serverMigration } from './server-key.ts';
import { tokenMigration, tokenStore } from './tokens.ts';

export const workspaceMigrations: Migrations = [
  settingMigration,
  tokenMigration,
  activityMigration,
  draftMigration,
  bulkMigration,
  searchMigration,
  connectionMigration,
  serverMigration,
];

export type Workspace = ReturnType<typeof workspaceOf>;

/** Opens `workspace.db` at `path`; rejects with DataFolderError where that cannot be done. */
export function openWorkspace(path: string, clock: () => number = Date.now): Promise<Workspace> {
  return Promise.resolve().then(() => workspaceOf(openDatabase(path, workspaceMigrations), clock));
}

function workspaceOf(database: SqliteDatabase, clock: () => number) {
  const tokens = tokenStore(database, clock);
  const activity = activityStore(database, clock);
  const bulk = bulkStore(database, clock);
  const changes = database.prepare('SELECT total_changes()').pluck();
  const flush = () => {
    tokens.flush();
    activity.flush();
  };
  return {
    tokens,
    activity,
    bulk,
    searches: searchStore(database),
    connections: connectionStore(database),
    drafts: draftStore(database, clock),
    forgetServer: serverForgetter(database),
    ...settingStore(database),
    /** Rises with each change since the start. */
    lastWrite(): Promise<number> {
      flush();
      return Promise.resolve(Number(changes.get()));
    },
    /** Writes everything into a file at `path`, as the records' store does. */
    backUp(path: string): Promise<number> {
      flush();
      return backUpBeside(database, path);
    },
    close(): Promise<void> {
      flush();
      closeDatabase(database);
      return Promise.resolve();
    },
  };
}
