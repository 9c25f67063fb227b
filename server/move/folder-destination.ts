import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { derivations } from '../../core/derive/derivations.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { AuditTrail } from '../store/sqlite/audit-trail.ts';
import { hold, makeFolder, moveFile } from '../store/sqlite/folder-lock.ts';
import { fault, faultOf } from '../store/sqlite/inspect.ts';
import { markIndexed } from '../store/sqlite/index-backlog.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { isMissing } from '../store/sqlite/missing.ts';
import { closeDatabase, openHeld } from '../store/sqlite/open-database.ts';
import { RecordRebuild } from '../store/sqlite/rebuild.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { syncFile, syncFolder } from '../store/sqlite/sync.ts';
import { keptTrail } from '../workspace/kept-trail.ts';
import { workspaceMigrations } from '../workspace/workspace.ts';
import type { Made, MoveDestination } from './ends.ts';
import type { FolderFiles, FolderHalf, Kind, Place } from './kind.ts';
import { entryOf, MoveState, type KnownMove } from './state.ts';

/** Milliseconds of work that are committed together: nobody waits meanwhile. */
const slice = 250;

/** Has a data folder written, which nobody else opens until the move has ended. */
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

interface Opened extends FolderFiles {
  state: MoveState;
  readonly release: () => void;
}

class DestinationFolder implements MoveDestination {
  readonly name: string;
  private opened: Opened | undefined;
  private readonly halves = new Map<string, unknown>();

  constructor(folder: string) {
    this.name = folder;
  }

  known(): Promise<KnownMove | undefined> {
    return Promise.resolve(moveIn(this.name));
  }

  async begin(state: MoveState): Promise<void> {
    const there = ['records.db', 'workspace.db', 'packages'].map((name) => join(this.name, name));
    if (there.some((path) => existsSync(path)) || isMissing(join(this.name, 'records.db')))
      throw new Error(`${this.name} holds records already, or did. Choose a new folder with --to.`);
    saveMove(this.name, state);
    await this.goOn(state);
  }

  goOn(state: MoveState): Promise<void> {
    return Promise.resolve().then(() => this.openBoth(state));
  }

  private openBoth(state: MoveState): void {
    const path = join(this.name, 'records.db');
    const release = hold(path, true);
    try {
      const records = openHeld(path, recordMigrations);
      const workspace = openHeld(join(this.name, 'workspace.db'), workspaceMigrations);
      // Rows come table by table.
      workspace.pragma('foreign_keys = OFF');
      this.opened = { records, workspace, state, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  get state(): MoveState {
    return this.open.state;
  }

  halfOf<Row>(kind: Kind<Row>): FolderHalf<Row> {
    const known = this.halves.get(kind.name) as FolderHalf<Row> | undefined;
    const half = known ?? kind.folder(this.open);
    this.halves.set(kind.name, half);
    return half;
  }

  clear<Row>(kind: Kind<Row>): Promise<void> {
    const { records, workspace } = this.open;
    const half = this.halfOf(kind);
    inTransaction(workspace, () => inTransaction(records, () => half.clear?.()));
    return Promise.resolve();
  }

  async write<Row>(kind: Kind<Row>, rows: readonly Row[], place: Place): Promise<void> {
    const { records, workspace } = this.open;
    const half = this.halfOf(kind);
    inTransaction(workspace, () => inTransaction(records, () => half.write(rows)));
    const { places, ...state } = this.state;
    if (kind.grows) await this.save({ ...state, places: { ...places, [kind.name]: [...place] } });
  }

  save(state: MoveState): Promise<void> {
    saveMove(this.name, state);
    this.open.state = state;
    return Promise.resolve();
  }

  /** As a rebuild of everything does, which goes on where it was. */
  async derive(made: Made): Promise<void> {
    const { records } = this.open;
    inTransaction(records, () => markIndexed(records));
    const rebuild = new RecordRebuild(records, derivations);
    for (let more = true; more;) {
      const now = Date.now();
      const passed = inTransaction(records, () => rebuild.pass({ now, milliseconds: slice }));
      more = rebuild.take(passed, now);
      const { done, total } = rebuild.progress ?? {};
      if (done !== undefined && total !== undefined) made(done, total);
      await setImmediate();
    }
  }

  end(key: SealKey | undefined): Promise<void> {
    const { records, workspace, state } = this.open;
    const trail = new AuditTrail(records, key);
    const entry = entryOf(state);
    const [last] = trail.entries(trail.newest() - 1, 1);
    if (last?.action !== 'move' || last.what !== entry.what) inTransaction(records, () => trail.add([entry]));
    keptTrail(workspace, Date.now).keep(trail.head());
    this.close();
    endMove(this.name);
    return Promise.resolve();
  }

  close(): void {
    if (!this.opened) return;
    const { records, workspace, release } = this.opened;
    this.opened = undefined;
    closeDatabase(workspace);
    closeDatabase(records);
    release();
  }

  private get open(): Opened {
    if (!this.opened) throw new Error('No move has begun here.');
    return this.opened;
  }
}

function inTransaction<Result>(database: SqliteDatabase, work: () => Result): Result {
  return database.transaction(work).immediate();
}

/** What is left of the file that says how far a move is, once the move has ended: where the records came from. */
const endedFile = 'moved.json';

/** The move that a folder's file tells of. @throws Error with a sentence where it cannot be read. */
function moveIn(folder: string): KnownMove | undefined {
  for (const file of [moveFile, endedFile]) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    const state = parseAs(MoveState, readFileSync(path, 'utf8'));
    if (!state) throw new Error(`${path} cannot be read. Choose a new folder with --to.`);
    return { state, ended: file === endedFile };
  }
  return undefined;
}

/** Notes how far a move is: before anything else is there. @throws DataFolderError where that cannot be done. */
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
  renameSync(join(folder, moveFile), join(folder, endedFile));
  syncFolder(folder);
}

/** In one step: whoever reads it finds the former text or this one. */
function replace(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  syncFile(draft);
  renameSync(draft, path);
  syncFolder(dirname(path));
}
