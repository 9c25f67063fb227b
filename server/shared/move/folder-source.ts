import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatCount } from '../../../core/text/language.ts';
import { readAuditLog } from '../../store/sqlite/audit.ts';
import type { SealKey } from '../../store/audit-chain.ts';
import { formatChainEnds } from '../../store/audit-chains.ts';
import { AuditLogWriter } from '../../store/sqlite/audit-log-writer.ts';
import { missingFile } from '../../sqlite/data-folder-error.ts';
import { acquireLock } from '../../sqlite/folder-lock.ts';
import { applyMigrations } from '../../sqlite/migrate.ts';
import { recordMigrations } from '../../store/sqlite/migrations.ts';
import { closeDatabase, openDatabase, openLocked } from '../../sqlite/open-database.ts';
import { connect, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { findLossSince } from '../../store/sqlite/audit-loss.ts';
import { createAnchorStore } from '../../workspace/audit-anchor.ts';
import { workspaceMigrations } from '../../workspace/workspace.ts';
import type { Source, SourceAuditLog } from './ends.ts';
import type { FolderFiles, RowKey } from './kind.ts';

/**
 * Opens a data folder for reading and runs `work`. Locks the folder until `work` settles.
 *
 * @throws DataFolderError if it is missing, in use or damaged.
 */
export async function withSourceFolder<Result>(
  folder: string,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, 'records.db');
  if (!existsSync(path)) throw missingFile(path);
  const release = acquireLock(path);
  try {
    const records = openLocked(path, recordMigrations);
    try {
      const workspace = openWorkspace(join(folder, 'workspace.db'));
      try {
        return await work(createSource(folder, { records, workspace }));
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

/** Opens workspace.db. If no server ever opened the folder, returns an empty one in memory. */
function openWorkspace(path: string): SqliteDatabase {
  if (existsSync(path)) return openDatabase(path, workspaceMigrations);
  const empty = connect(':memory:');
  applyMigrations(empty, workspaceMigrations);
  return empty;
}

function createSource(folder: string, files: FolderFiles): Source {
  const { records } = files;
  const auditLog = new AuditLogWriter(records);
  return {
    name: folder,
    getTable: (table) => table.openInFolder(files),
    listLatestSeals: () =>
      Promise.resolve(
        auditLog.listChainEnds().flatMap(({ chain, number }) => auditLog.sealOf(chain, number) ?? []),
      ),
    readAuditState: (key) => readAuditState(auditLog, files, key),
    countAfter: (lastVersion, lastEntry) => Promise.resolve(countRowsAfter(records, lastVersion, lastEntry)),
    describeUnmoved: () => describeUnmoved(folder),
  };
}

async function readAuditState(
  auditLog: AuditLogWriter,
  files: FolderFiles,
  key: SealKey | undefined,
): Promise<SourceAuditLog> {
  const { broken: brokenEntry, doubts } = await readAuditLog(auditLog, key);
  const anchor = createAnchorStore(files.workspace, Date.now).readLatest();
  const problem = brokenEntry ?? doubts[0];
  const message = problem
    ? `audit entry ${problem.seq} breaks the chain: ${problem.reason}.`
    : anchor && findLossSince(auditLog, anchor)?.cause;
  return {
    chainEnds: formatChainEnds(auditLog.listChainEnds()),
    ...(message !== undefined && { problem: message }),
  };
}

/** Counts the versions and audit entries after the last moved ones. */
function countRowsAfter(
  records: SqliteDatabase,
  lastVersion: RowKey | undefined,
  lastEntry: RowKey | undefined,
): number {
  const sql =
    'SELECT (SELECT count(*) FROM version WHERE pk > ?) + (SELECT count(*) FROM audit WHERE seq > ?)';
  const count = records.prepare<unknown[], number>(sql).pluck();
  return count.get(lastVersion?.[0] ?? 0, lastEntry?.[0] ?? 0) ?? 0;
}

/** Returns messages about data that is not moved, because a shared store has no table for it. */
function describeUnmoved(folder: string): readonly string[] {
  const packages = join(folder, 'packages');
  const files = existsSync(packages) ? readdirSync(packages).filter((name) => !name.startsWith('.')) : [];
  return files.length === 0
    ? []
    : [
        `Packages (${formatCount(files.length)}) are not moved. Add them to the shared store in the page, or with chartkeeper packages add.`,
      ];
}
