/** The workspace of a server with a shared store: a local database that mirrors the shared rows. */
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { mapDriverErrors } from '../sqlite/driver-errors.ts';
import { applyMigrations } from '../sqlite/migrate.ts';
import { closeDatabase, openDatabase } from '../sqlite/open-database.ts';
import { connect, type SqliteDatabase } from '../sqlite/sqlite.ts';
import type { ActivityLog } from '../store/activity-log.ts';
import { workspaceMigrations, workspaceOf, type Workspace } from '../workspace/workspace.ts';
import type { SharedRow, SharedRows } from './shared-rows.ts';
import { Mirror, mostStale } from './workspace-mirror.ts';

/** Parts of a shared store that a workspace needs. */
interface SharedStoreParts {
  readonly rows: SharedRows;
  /** Activity log of all servers, in place of the local one. */
  readonly activity?: ActivityLog;
  readonly clock: { readonly now: () => number };
}

/** Opens the workspace of a server with a shared store. Shared rows replace the rows of the file. */
export function openSharedWorkspace(path: string, store: SharedStoreParts) {
  return openReplicated(openDatabase(path, workspaceMigrations), store);
}

/** Opens a shared workspace for a command, in memory. */
export function openPassingWorkspace(store: SharedStoreParts) {
  const database = connect(':memory:');
  applyMigrations(database, workspaceMigrations);
  return openReplicated(database, store);
}

/** Creates a workspace that servers of one store share. */
async function openReplicated(database: SqliteDatabase, { rows, activity, clock }: SharedStoreParts) {
  try {
    const mirror = new Mirror(database, rows);
    await mirror.begin();
    const localWorkspace = workspaceOf(database, clock.now);
    let onErased: (erasedNames: readonly NamedResource[]) => void = () => undefined;
    let lastErasureMs = -Infinity;
    mirror.onTaken((appliedRows) => {
      localWorkspace.reloadCaches();
      const erasedNames = listErased(appliedRows);
      if (erasedNames.length > 0) {
        lastErasureMs = performance.now();
        onErased(erasedNames);
      } else if (performance.now() - lastErasureMs < 2 * mostStale) {
        // A server without knowledge of the erasure may have shared data of the record from a window.
        localWorkspace.erasures.removeErasedData();
      }
    });
    const close = async () => {
      localWorkspace.flush();
      await mirror.close();
      await localWorkspace.close();
    };
    const workspace: Workspace = mapDriverErrors({ ...localWorkspace, ...(activity && { activity }), close });
    return {
      workspace,
      mirror,
      /** Sets the listener for erasures on this or another server. */
      onErased(listener: typeof onErased): void {
        onErased = listener;
      },
    };
  } catch (error) {
    closeDatabase(database);
    throw error;
  }
}

function listErased(rows: readonly SharedRow[]): NamedResource[] {
  return rows
    .filter(({ name }) => name === 'erasure')
    .map(({ key }) => {
      const [type, id] = JSON.parse(key) as [string, string];
      return { type, id };
    });
}
