/** A data folder with the server's backups and a clock that a test sets. Called by tests of backups. */
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackups, type Backups, type CopiedRecords } from '../backups/backups.ts';
import type { RecordService } from '../fhir/service.ts';
import { openRecords } from '../start.ts';
import { backupsOf, listBackups, type NamedBackup } from '../sqlite/backup-folder.ts';
import type { FileStore } from '../store/store.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { carePlan } from './test-server.ts';

/** A data folder with backups; call `open` first. */
export class BackedUpFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'chartkeeper-backups-'));
  readonly lines: string[] = [];
  /** Longest wait of a stop in milliseconds; read by `open`. */
  stopPatience = 60_000;
  /** Called with the path of each backup that the store has written. Tests change the file here. */
  onWritten: (backup: string) => void = () => undefined;
  now = new Date(2026, 10, 21, 8).getTime();
  private tick: () => void = () => undefined;
  private openParts:
    | { store: FileStore; service: RecordService; workspace: Workspace; backups: Backups }
    | undefined;

  async open(): Promise<void> {
    const { store, service } = await openRecords(this.path);
    const workspace = await openWorkspace(join(this.path, 'workspace.db'));
    const { files } = store;
    const records: CopiedRecords = {
      changedSince: (backup) => files.changedSince(backup),
      backUp: (backup, doer) => this.notifyWritten(backup, files.backUp(backup, doer)),
      empty: (backup, doer) => this.notifyWritten(backup, files.empty(backup, doer)),
      restore: (backup, before, doer, erasures) =>
        this.notifyWritten(before, files.restore(backup, before, doer, erasures)),
    };
    const backups = createBackups({
      dataDir: this.path,
      migrations: recordMigrations,
      records,
      workspace,
      stopPatience: this.stopPatience,
      log: (line) => void this.lines.push(line),
      clock: () => this.now,
      scheduleEvery: (_milliseconds, work) => {
        this.tick = work;
        return () => undefined;
      },
    });
    this.openParts = { store, service, workspace, backups };
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

  /** Advances the clock by 15 minutes and waits for the work that this starts. */
  async advanceQuarterHour(): Promise<void> {
    this.now += 15 * 60 * 1000;
    this.tick();
    await this.backups.idle();
  }

  /** Stops in order, with the backups that are due. */
  async close(): Promise<void> {
    await this.backups.close();
    await this.kill();
  }

  /** Closes without the backup of an orderly stop, as a kill does. */
  async kill(): Promise<void> {
    await this.workspace.close();
    await this.parts.store.close();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.path, { recursive: true });
  }

  /** Path of a file in the backup folder. */
  backupPath(name: string): string {
    return join(backupsOf(join(this.path, 'records.db')), name);
  }

  /** Scheduled backups of a database. */
  scheduledBackups(database = 'records.db'): readonly NamedBackup[] {
    return listBackups(join(this.path, database)).filter(({ kind }) => kind === 'timed');
  }

  private async notifyWritten<Result>(backup: string, work: Promise<Result>): Promise<Result> {
    const result = await work;
    this.onWritten(backup);
    return result;
  }

  private get parts() {
    if (!this.openParts) throw new Error('The folder was not opened.');
    return this.openParts;
  }
}

/** Returns the ids of the records in a backup, in write order. */
export async function idsIn(path: string): Promise<string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'chartkeeper-copy-'));
  writeFileSync(join(copy, 'records.db'), readFileSync(path));
  const { store: copyStore } = await openRecords(copy);
  const { versions } = await copyStore.history('CarePlan', {}, 100_000);
  const ids = Array.from(versions, ({ id }) => id).reverse();
  await copyStore.close();
  rmSync(copy, { recursive: true });
  return ids;
}
