/**
 * The workspace keeps what belongs to the person at the workbench, in a database of its own: resetting training
 * records never touches it. Called by the HTTP routes under `/app`, by the access check and by `token`.
 */
import type { NamedResource } from '../../core/fhir/companion.ts';
import type { ActivityLog } from '../store/activity-log.ts';
import { backUpBeside } from '../store/sqlite/backup.ts';
import { closeDatabase, openDatabase, type Migrations } from '../store/sqlite/open-database.ts';
import type { SharedRow, SharedRows } from '../store/shared-rows.ts';
import { withOwnErrors } from '../store/sqlite/own-errors.ts';
import { applyMigrations } from '../store/sqlite/migrate.ts';
import { connect, hasRows, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { activityMigration, activityStore } from './activity.ts';
import { checkDefinitions, checkMigration } from './checks.ts';
import { damageMigration, damageNotes } from './damage-notes.ts';
import { draftMigration, draftStore } from './drafts.ts';
import { bulkMigration, bulkStore, undoMigration } from './bulk-runs.ts';
import { colourMigration, connectionMigration, connectionStore } from './connections.ts';
import { keptTrail, keptTrailMigration } from './kept-trail.ts';
import { erasureMigration, erasureStore } from './erasures.ts';
import { lastUseMigration } from './last-use.ts';
import { Mirror, mostStale } from './mirror.ts';
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
];

export type Workspace = Omit<ReturnType<typeof workspaceOf>, 'activity'> & { readonly activity: ActivityLog };

/** What of a shared store a workspace needs. */
interface SharedParts {
  readonly rows: SharedRows;
  /** The log of all servers, in the place of this one's. */
  readonly activity?: ActivityLog;
  readonly clock: { readonly now: () => number };
}

/** Opens `workspace.db` at `path`; rejects with DataFolderError where that cannot be done. */
export function openWorkspace(path: string, clock: () => number = Date.now): Promise<Workspace> {
  return Promise.resolve().then(() =>
    withOwnErrors(workspaceOf(openDatabase(path, workspaceMigrations), clock)),
  );
}

/** The same of a server over a shared store; what it shares with the others is theirs, whatever the file held. */
export function openSharedWorkspace(path: string, store: SharedParts) {
  return shared(openDatabase(path, workspaceMigrations), store);
}

/** The same for a command, which leaves nothing on the disk. */
export function openPassingWorkspace(store: SharedParts) {
  const database = connect(':memory:');
  applyMigrations(database, workspaceMigrations);
  return shared(database, store);
}

/** A workspace that servers of one store share. */
async function shared(database: SqliteDatabase, { rows, activity, clock }: SharedParts) {
  try {
    const mirror = new Mirror(database, rows);
    await mirror.begin();
    const own = workspaceOf(database, clock.now);
    let told: (erased: readonly NamedResource[]) => void = () => undefined;
    let learned = -Infinity;
    mirror.onTaken((taken) => {
      own.takenOver();
      const erased = erasedAmong(taken);
      if (erased.length > 0) {
        learned = performance.now();
        told(erased);
      } else if (performance.now() - learned < 2 * mostStale) {
        // Who had not heard of it yet may have shared what a window sent of the record.
        own.erasures.clean();
      }
    });
    const close = async () => {
      own.flush();
      await mirror.close();
      await own.close();
    };
    const workspace: Workspace = withOwnErrors({ ...own, ...(activity && { activity }), close });
    return {
      ...{ workspace, mirror },
      /** Calls back where something was erased, at this server or at another. */
      onErased(listener: typeof told): void {
        told = listener;
      },
    };
  } catch (error) {
    closeDatabase(database);
    throw error;
  }
}

function erasedAmong(rows: readonly SharedRow[]): NamedResource[] {
  return rows
    .filter(({ name }) => name === 'erasure')
    .map(({ key }) => {
      const [type, id] = JSON.parse(key) as [string, string];
      return { type, id };
    });
}

function workspaceOf(database: SqliteDatabase, clock: () => number) {
  const tokens = tokenStore(database, clock, (id) => sessions.holds(id));
  const people = peopleStore(database);
  const sessions = sessionStore(database, clock, (id) => tokens.holds(id), people);
  const activity = activityStore(database, clock);
  const erasures = erasureStore(database);
  const bulk = bulkStore(database, clock, erasures);
  const trail = keptTrail(database, clock);
  const changes = database.prepare('SELECT total_changes()').pluck();
  // Undefined: nobody knows what the sessions before this one changed behind the last backup.
  let copied = hasRows(database) ? undefined : 0;
  const flush = () => {
    tokens.flush();
    sessions.flush();
    activity.flush();
  };
  const changed = () => {
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
    /** Reads again what is held in memory, as another server wrote it. */
    takenOver(): void {
      people.reread();
      sessions.reread();
      settings.reread();
      checks.reread();
    },
    /** True if something changed since the last backup, or may have before the start. */
    changedSince(): Promise<boolean> {
      return Promise.resolve(changed() !== copied);
    },
    /** Writes everything into a file at `path`, as the records' store does. */
    async backUp(path: string): Promise<number> {
      const held = changed();
      const bytes = await backUpBeside(database, path);
      copied = held;
      return bytes;
    },
    close(): Promise<void> {
      flush();
      closeDatabase(database);
      return Promise.resolve();
    },
  };
}
