import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatCount } from '../../core/text/language.ts';
import { readAuditLog } from '../store/sqlite/audit.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { namesOf } from '../store/audit-chains.ts';
import { AuditLogWriter } from '../store/sqlite/audit-log-writer.ts';
import { missingFile } from '../store/sqlite/data-folder-error.ts';
import { acquireLock } from '../store/sqlite/folder-lock.ts';
import { applyMigrations } from '../store/sqlite/migrate.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { closeDatabase, openDatabase, openLocked } from '../store/sqlite/open-database.ts';
import { connect, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { lossSince } from '../store/sqlite/audit-loss.ts';
import { createAnchorStore } from '../workspace/audit-anchor.ts';
import { workspaceMigrations } from '../workspace/workspace.ts';
import type { Source, SourceAuditLog } from './ends.ts';
import type { FolderFiles, Place } from './kind.ts';

/**
 * Reads a data folder. Nobody else can open it meanwhile.
 *
 * @throws DataFolderError if it is missing, in use or damaged.
 */
export async function withSourceFolder<Result>(
  folder: string,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, 'records.db');
  if (!existsSync(path)) throw missingFile(path);
  const release = acquireLock(path);
  try {
    const records = openLocked(path, recordMigrations);
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

/** A folder that never had a server lacks this file. The move does not create it. */
function openWork(path: string): SqliteDatabase {
  if (existsSync(path)) return openDatabase(path, workspaceMigrations);
  const empty = connect(':memory:');
  applyMigrations(empty, workspaceMigrations);
  return empty;
}

function sourceOf(folder: string, files: FolderFiles): Source {
  const { records } = files;
  const auditLog = new AuditLogWriter(records);
  return {
    name: folder,
    getTable: (kind) => kind.folder(files),
    seals: () =>
      Promise.resolve(
        auditLog.listChainEnds().flatMap(({ chain, number }) => auditLog.sealOf(chain, number) ?? []),
      ),
    readAuditState: (key) => readAuditState(auditLog, files, key),
    countRemaining: (version, entry) => Promise.resolve(countRemaining(records, version, entry)),
    listExcluded: () => listExcluded(folder),
  };
}

async function readAuditState(
  auditLog: AuditLogWriter,
  files: FolderFiles,
  key: SealKey | undefined,
): Promise<SourceAuditLog> {
  const { broken: brokenEntry, doubts } = await readAuditLog(auditLog, key);
  const anchor = createAnchorStore(files.workspace, Date.now).head();
  const problem = brokenEntry ?? doubts[0];
  const message = problem
    ? `audit entry ${problem.seq} breaks the chain: ${problem.reason}.`
    : anchor && lossSince(auditLog, anchor)?.cause;
  return { chainEnds: namesOf(auditLog.listChainEnds()), ...(message !== undefined && { problem: message }) };
}

function countRemaining(
  records: SqliteDatabase,
  version: Place | undefined,
  entry: Place | undefined,
): number {
  const text =
    'SELECT (SELECT count(*) FROM version WHERE pk > ?) + (SELECT count(*) FROM audit WHERE seq > ?)';
  const count = records.prepare<unknown[], number>(text).pluck();
  return count.get(version?.[0] ?? 0, entry?.[0] ?? 0) ?? 0;
}

/** Returns messages about data without a row in kinds.ts, because shared stores have no table for it. */
function listExcluded(folder: string): readonly string[] {
  const packages = join(folder, 'packages');
  const files = existsSync(packages) ? readdirSync(packages).filter((name) => !name.startsWith('.')) : [];
  return files.length === 0
    ? []
    : [
        `Packages (${formatCount(files.length)}) are not moved. Add them to the shared store in the page, or with chartkeeper packages add.`,
      ];
}
