/** A data folder with the server's backups over it, and a clock that a test sets. Called by tests of backups. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackups, type Backups, type CopiedRecords } from '../backups/backups.ts';
import type { RecordService } from '../fhir/service.ts';
import { openRecords } from '../start.ts';
import { backupsOf, listBackups, type NamedBackup } from '../store/sqlite/backup-folder.ts';
import type { FileStore } from '../store/store.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { carePlan } from './test-server.ts';

/** To be opened before it is used. */
export class BackedUpFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'chartkeeper-backups-'));
  readonly lines: string[] = [];
  /** Milliseconds that a stop waits; read when the folder is opened. */
  stopPatience = 60_000;
  /** Called with the path of each backup once the store has written it, as another program may meet it. */
  onWritten: (backup: string) => void = () => undefined;
  now = new Date(2026, 10, 21, 8).getTime();
  private tick: () => void = () => undefined;
  private opened:
    | { store: FileStore; service: RecordService; workspace: Workspace; backups: Backups }
    | undefined;

  async open(): Promise<void> {
    const { store, service } = await openRecords(this.path);
    const workspace = await openWorkspace(join(this.path, 'workspace.db'));
    const { files } = store;
    const records: CopiedRecords = {
      changedSince: (backup) => files.changedSince(backup),
      backUp: (backup, doer) => this.written(backup, files.backUp(backup, doer)),
      empty: (backup, doer) => this.written(backup, files.empty(backup, doer)),
      restore: (backup, before, doer, erased) =>
        this.written(before, files.restore(backup, before, doer, erased)),
    };
    const backups = createBackups({
      dataDir: this.path,
      records,
      workspace,
      stopPatience: this.stopPatience,
      log: (line) => void this.lines.push(line),
      clock: () => this.now,
      every: (_milliseconds, work) => {
        this.tick = work;
        return () => undefined;
      },
    });
    this.opened = { store, service, workspace, backups };
  }

  get backups(): Backups {
    return this.parts.backups;
  }

  get workspace(): Workspace {
    return this.parts.workspace;
  }

  async create(title: string): Promise<void> {
    const text = carePlan('Patient/p', `,"title":"${title}"`);
    await this.parts.service.create({ type: 'CarePlan', author: 'test', text });
  }

  /** A quarter of an hour goes, and its work ends. */
  async quarterLater(): Promise<void> {
    this.now += 15 * 60 * 1000;
    this.tick();
    await this.backups.idle();
  }

  /** Ends in order. */
  async close(): Promise<void> {
    await this.backups.close();
    await this.kill();
  }

  /** Ends as with a kill: nothing is made at the end. */
  async kill(): Promise<void> {
    await this.workspace.close();
    await this.parts.store.close();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.path, { recursive: true });
  }

  /** Path of a file among the backups. */
  at(name: string): string {
    return join(backupsOf(join(this.path, 'records.db')), name);
  }

  /** The backups of a database that the clock made. */
  timed(database = 'records.db'): readonly NamedBackup[] {
    return listBackups(join(this.path, database)).filter(({ kind }) => kind === 'timed');
  }

  private async written<Result>(backup: string, work: Promise<Result>): Promise<Result> {
    const result = await work;
    this.onWritten(backup);
    return result;
  }

  private get parts() {
    if (!this.opened) throw new Error('The folder was not opened.');
    return this.opened;
  }
}

/** Returns the ids of the records in a backup, in the order of their writing. */
export async function idsIn(path: string): Promise<string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'chartkeeper-copy-'));
  writeFileSync(join(copy, 'records.db'), readFileSync(path));
  const { store: copied } = await openRecords(copy);
  const { versions } = await copied.history('CarePlan', {}, 100_000);
  const ids = Array.from(versions, ({ id }) => id).reverse();
  await copied.close();
  rmSync(copy, { recursive: true });
  return ids;
}
