/**
 * Stores the data of the person at the workbench in a separate database. A reset of training records never changes it.
 * Called by the HTTP routes under `/app`, by the access check and by `token`.
 */
import type { ActivityLog } from '../store/activity-log.ts';
import { backUpInWorker } from '../sqlite/backup.ts';
import { closeDatabase, openDatabase, type Migrations } from '../sqlite/open-database.ts';
import { mapDriverErrors } from '../sqlite/driver-errors.ts';
import { hasRows, type SqliteDatabase } from '../sqlite/sqlite.ts';
import { activityMigration, activityStore } from './activity.ts';
import { checkDefinitions, checkMigration } from './checks.ts';
import { damageMigration, damageNotes } from './damage-notes.ts';
import { draftMigration, draftStore } from './drafts.ts';
import { bulkMigration, bulkStore, undoMigration } from './bulk-runs.ts';
import { colourMigration, connectionMigration, connectionStore } from './connections.ts';
import { createAnchorStore, keptTrailMigration } from './audit-anchor.ts';
import { erasureMigration, erasureSourceMigration, erasureStore } from './erasures.ts';
import { lastUseMigration } from './last-use.ts';
import { peopleMigration, peopleStore } from './people.ts';
import { settingMigration, settingStore } from './settings.ts';
import { originMigration, sessionMigration, sessionStore, subjectMigration } from './sessions.ts';
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
  colourMigration,
  [damageMigration, sessionMigration, keptTrailMigration, erasureMigration].join('\n'),
  peopleMigration,
  undoMigration,
  checkMigration,
  subjectMigration,
  originMigration,
  lastUseMigration,
  erasureSourceMigration,
];

export type Workspace = Omit<ReturnType<typeof workspaceOf>, 'activity'> & { readonly activity: ActivityLog };

/** Opens `workspace.db` at `path`. Rejects with DataFolderError on failure. */
export function openWorkspace(path: string, clock: () => number = Date.now): Promise<Workspace> {
  return Promise.resolve().then(() =>
    mapDriverErrors(workspaceOf(openDatabase(path, workspaceMigrations), clock)),
  );
}

/** Creates the workspace of an open database. */
export function workspaceOf(database: SqliteDatabase, clock: () => number) {
  const tokens = tokenStore(database, clock, (id) => sessions.holds(id));
  const people = peopleStore(database);
  const sessions = sessionStore(database, clock, (id) => tokens.holds(id), people);
  const activity = activityStore(database, clock);
  const erasures = erasureStore(database);
  const bulk = bulkStore(database, clock, erasures);
  const trail = createAnchorStore(database, clock);
  const changes = database.prepare('SELECT total_changes()').pluck();
  // Undefined because changes of earlier sessions since the last backup are unknown.
  let backedUpChanges = hasRows(database) ? undefined : 0;
  const flush = () => {
    tokens.flush();
    sessions.flush();
    activity.flush();
  };
  const countChanges = () => {
    flush();
    return Number(changes.get()) - trail.moved();
  };
  const settings = settingStore(database, erasures);
  const checks = checkDefinitions(database, clock);
  return {
    tokens,
    people,
    sessions,
    activity,
    bulk,
    damage: damageNotes(database),
    checks,
    searches: searchStore(database),
    connections: connectionStore(database),
    drafts: draftStore(database, clock, erasures),
    trail,
    erasures,
    forgetServer: serverForgetter(database),
    ...settings,
    flush,
    /** Reloads all caches after another server wrote. */
    reloadCaches(): void {
      people.reread();
      sessions.reread();
      settings.reread();
      checks.reread();
    },
    /** Returns true if something changed since the last backup, or may have changed before the start. */
    changedSince(): Promise<boolean> {
      return Promise.resolve(countChanges() !== backedUpChanges);
    },
    /** Writes the full workspace into a file, as the store of records does. */
    async backUp(path: string): Promise<number> {
      const changeCount = countChanges();
      const bytes = await backUpInWorker(database, path);
      backedUpChanges = changeCount;
      return bytes;
    },
    close(): Promise<void> {
      flush();
      closeDatabase(database);
      return Promise.resolve();
    },
  };
}
