import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { derivations } from '../../../core/derive/derivations.ts';
import { parseAs } from '../../../core/json/shape.ts';
import type { SealKey } from '../../store/audit-chain.ts';
import { AuditLogWriter } from '../../store/sqlite/audit-log-writer.ts';
import { acquireLock, makeFolder, moveFile } from '../../sqlite/folder-lock.ts';
import { fault, faultOf } from '../../sqlite/integrity.ts';
import { markIndexed } from '../../store/sqlite/version-writer.ts';
import { recordMigrations } from '../../store/sqlite/migrations.ts';
import { isMissing } from '../../sqlite/missing.ts';
import { closeDatabase, openLocked } from '../../sqlite/open-database.ts';
import { RecordRebuild } from '../../store/sqlite/rebuild.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { syncFile, syncFolder } from '../../sqlite/sync.ts';
import { createAnchorStore } from '../../workspace/audit-anchor.ts';
import { workspaceMigrations } from '../../workspace/workspace.ts';
import type { OnProgress, MoveDestination } from './ends.ts';
import type { FolderFiles, FolderTable, MovedTable, RowKey } from './kind.ts';
import { entryOf, MoveState, type KnownMove } from './state.ts';

/** Milliseconds of work per commit. Nobody waits for it. */
const batchMs = 250;

/** Runs work on a data folder as destination. Nobody else can open it until the move has finished. */
export async function withDestinationFolder<Result>(
  folder: string,
  use: (destination: MoveDestination) => Promise<Result>,
): Promise<Result> {
  const destination = new DestinationFolder(folder);
  try {
    return await use(destination);
  } finally {
    destination.close();
  }
}

interface OpenFolder extends FolderFiles {
  state: MoveState;
  readonly release: () => void;
}

class DestinationFolder implements MoveDestination {
  readonly name: string;
  private openFolder: OpenFolder | undefined;
  private readonly halves = new Map<string, unknown>();

  constructor(folder: string) {
    this.name = folder;
  }

  readKnownMove(): Promise<KnownMove | undefined> {
    return Promise.resolve(readMove(this.name));
  }

  async begin(state: MoveState): Promise<void> {
    const paths = ['records.db', 'workspace.db', 'packages'].map((name) => join(this.name, name));
    if (paths.some((path) => existsSync(path)) || isMissing(join(this.name, 'records.db')))
      throw new Error(`${this.name} contains records, or did. Use a new folder for --to.`);
    saveMove(this.name, state);
    await this.resume(state);
  }

  resume(state: MoveState): Promise<void> {
    return Promise.resolve().then(() => this.openBoth(state));
  }

  private openBoth(state: MoveState): void {
    const path = join(this.name, 'records.db');
    const release = acquireLock(path, true);
    try {
      const records = openLocked(path, recordMigrations);
      const workspace = openLocked(join(this.name, 'workspace.db'), workspaceMigrations);
      // Rows come table by table.
      workspace.pragma('foreign_keys = OFF');
      this.openFolder = { records, workspace, state, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  get state(): MoveState {
    return this.open.state;
  }

  getTable<Row>(kind: MovedTable<Row>): FolderTable<Row> {
    const existing = this.halves.get(kind.name) as FolderTable<Row> | undefined;
    const folderTable = existing ?? kind.openInFolder(this.open);
    this.halves.set(kind.name, folderTable);
    return folderTable;
  }

  clear<Row>(kind: MovedTable<Row>): Promise<void> {
    const { records, workspace } = this.open;
    const folderTable = this.getTable(kind);
    inTransaction(workspace, () => inTransaction(records, () => folderTable.clear?.()));
    return Promise.resolve();
  }

  async write<Row>(kind: MovedTable<Row>, rows: readonly Row[], place: RowKey): Promise<void> {
    const { records, workspace } = this.open;
    const folderTable = this.getTable(kind);
    inTransaction(workspace, () => inTransaction(records, () => folderTable.write(rows)));
    const { places, ...state } = this.state;
    if (kind.isAppendOnly) await this.save({ ...state, places: { ...places, [kind.name]: [...place] } });
  }

  save(state: MoveState): Promise<void> {
    saveMove(this.name, state);
    this.open.state = state;
    return Promise.resolve();
  }

  /** Runs a full rebuild, which resumes after an interruption. */
  async derive(onProgress: OnProgress): Promise<void> {
    const { records } = this.open;
    inTransaction(records, () => markIndexed(records));
    const rebuild = new RecordRebuild(records, derivations);
    for (let hasMore = true; hasMore;) {
      const now = Date.now();
      const batchResult = inTransaction(records, () => rebuild.runBatch({ now, milliseconds: batchMs }));
      hasMore = rebuild.applyResult(batchResult, now);
      const { done, total } = rebuild.progress ?? {};
      if (done !== undefined && total !== undefined) onProgress(done, total);
      await setImmediate();
    }
  }

  end(key: SealKey | undefined): Promise<void> {
    const { records, workspace, state } = this.open;
    const auditLog = new AuditLogWriter(records, key);
    const entry = entryOf(state);
    const [lastEntry] = auditLog.entries(auditLog.newest() - 1, 1);
    if (lastEntry?.action !== 'move' || lastEntry.what !== entry.what)
      inTransaction(records, () => auditLog.add([entry]));
    createAnchorStore(workspace, Date.now).keep(auditLog.head());
    this.close();
    endMove(this.name);
    return Promise.resolve();
  }

  close(): void {
    if (!this.openFolder) return;
    const { records, workspace, release } = this.openFolder;
    this.openFolder = undefined;
    closeDatabase(workspace);
    closeDatabase(records);
    release();
  }

  private get open(): OpenFolder {
    if (!this.openFolder) throw new Error('No move was started here.');
    return this.openFolder;
  }
}

function inTransaction<Result>(database: SqliteDatabase, work: () => Result): Result {
  return database.transaction(work).immediate();
}

/** State file of a finished move. It tells where the records came from. */
const finishedFile = 'moved.json';

/**
 * Reads the state file of a folder.
 *
 * @throws Error with a message if it cannot be read.
 */
function readMove(folder: string): KnownMove | undefined {
  for (const file of [moveFile, finishedFile]) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    const state = parseAs(MoveState, readFileSync(path, 'utf8'));
    if (!state) throw new Error(`Can’t read ${path}. Use a new folder for --to.`);
    return { state, ended: file === finishedFile };
  }
  return undefined;
}

/**
 * Stores the state of a move, before any other file exists.
 *
 * @throws DataFolderError if it cannot be stored.
 */
function saveMove(folder: string, state: MoveState): void {
  const path = join(folder, moveFile);
  try {
    makeFolder(folder);
    replace(path, `${JSON.stringify(state, null, 2)}\n`);
  } catch (error) {
    throw fault(faultOf(error), path, error);
  }
}

function endMove(folder: string): void {
  renameSync(join(folder, moveFile), join(folder, finishedFile));
  syncFolder(folder);
}

/** Replaces a file atomically: readers find the previous or the new text. */
function replace(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  syncFile(draft);
  renameSync(draft, path);
  syncFolder(dirname(path));
}
