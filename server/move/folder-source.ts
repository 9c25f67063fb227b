import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTrail } from '../store/sqlite/audit.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { namesOf } from '../store/audit-chains.ts';
import { AuditTrail } from '../store/sqlite/audit-trail.ts';
import { DataFolderError } from '../store/sqlite/data-folder-error.ts';
import { hold } from '../store/sqlite/folder-lock.ts';
import { applyMigrations } from '../store/sqlite/migrate.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { closeDatabase, openDatabase, openHeld } from '../store/sqlite/open-database.ts';
import { connect, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { lossSince } from '../store/sqlite/trail-loss.ts';
import { keptTrail } from '../workspace/kept-trail.ts';
import { workspaceMigrations } from '../workspace/workspace.ts';
import type { Source, SourceTrail } from './ends.ts';
import type { FolderFiles, Place } from './kind.ts';

/**
 * Has a data folder read, which nobody else opens meanwhile.
 *
 * @throws DataFolderError where it is not there, is in use, or is no good.
 */
export async function withSourceFolder<Result>(
  folder: string,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, 'records.db');
  if (!existsSync(path)) throw new DataFolderError('unusable', `${path} is not there.`);
  const release = hold(path);
  try {
    const records = openHeld(path, recordMigrations);
    try {
      const workspace = openWork(join(folder, 'workspace.db'));
      try {
        return await use(sourceOf(folder, { records, workspace }));
      } finally {
        closeDatabase(workspace);
      }
    } finally {
      closeDatabase(records);
    }
  } finally {
    release();
  }
}

/** A folder that never had a server has no such file, and gets none. */
function openWork(path: string): SqliteDatabase {
  if (existsSync(path)) return openDatabase(path, workspaceMigrations);
  const empty = connect(':memory:');
  applyMigrations(empty, workspaceMigrations);
  return empty;
}

function sourceOf(folder: string, files: FolderFiles): Source {
  const { records } = files;
  const trail = new AuditTrail(records);
  return {
    name: folder,
    halfOf: (kind) => kind.folder(files),
    seals: () =>
      Promise.resolve(trail.ends().flatMap(({ chain, number }) => trail.sealOf(chain, number) ?? [])),
    trail: (key) => trailOf(trail, files, key),
    left: (version, entry) => Promise.resolve(leftIn(records, version, entry)),
    staysBehind: () => staysBehind(folder),
  };
}

async function trailOf(
  trail: AuditTrail,
  files: FolderFiles,
  key: SealKey | undefined,
): Promise<SourceTrail> {
  const { broken, doubts } = await readTrail(trail, key);
  const kept = keptTrail(files.workspace, Date.now).head();
  const found = broken ?? doubts[0];
  const sentence = found
    ? `audit entry ${found.seq} breaks the chain: ${found.reason}.`
    : kept && lossSince(trail, kept)?.cause;
  return { ends: namesOf(trail.ends()), ...(sentence !== undefined && { broken: sentence }) };
}

function leftIn(records: SqliteDatabase, version: Place | undefined, entry: Place | undefined): number {
  const text =
    'SELECT (SELECT count(*) FROM version WHERE pk > ?) + (SELECT count(*) FROM audit WHERE seq > ?)';
  const count = records.prepare<unknown[], number>(text).pluck();
  return count.get(version?.[0] ?? 0, entry?.[0] ?? 0) ?? 0;
}

/** What has no row in the table of what is moved (kinds.ts), as a shared store has no place for it. */
function staysBehind(folder: string): readonly string[] {
  const packages = join(folder, 'packages');
  const files = existsSync(packages) ? readdirSync(packages).filter((name) => !name.startsWith('.')) : [];
  return files.length === 0
    ? []
    : [
        `Packages (${files.length}) stay behind: add them to the shared store, in the page or with chartkeeper packages add.`,
      ];
}
