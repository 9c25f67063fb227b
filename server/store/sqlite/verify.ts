/**
 * Verifies a records.db that no server has open. Called by the command line and by damage tests. Invariant: the file is
 * only read.
 */
import { existsSync } from 'node:fs';
import { formatList } from '../../../core/text/language.ts';
import { isIntact, textColumns } from '../checksum.ts';
import type { SupportingResourceRow } from '../supporting-resources.ts';
import { missingFile } from '../../sqlite/data-folder-error.ts';
import { look } from '../../sqlite/folder-lock.ts';
import { fault, inspectBytes, mapFileErrors } from '../../sqlite/integrity.ts';
import { recordMigrations } from './migrations.ts';
import { strangeObjects } from '../../sqlite/schema.ts';
import { connectReadOnly, hasTable, sqliteCode, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { findingsOfRecords, type RecordCounts, type VerifyFinding } from './verify-records.ts';
import { findingsOfTrail, type TrailCounts, type AuditAnchor } from './verify-audit-log.ts';

export type { VerifyFinding } from './verify-records.ts';
export type { AuditAnchor } from './verify-audit-log.ts';

/** Counts of verified rows. */
export type VerifyCounts = Readonly<RecordCounts & TrailCounts>;

/** First schema version with an audit log. */
const firstAuditedVersion = 2;

/**
 * Yields the damage of a records.db and its differences from the audit anchor. Returns the counts of verified rows.
 *
 * @throws DataFolderError if the file can't be verified: missing, in use, empty, truncated, foreign or newer.
 */
export async function* verifyFile(
  path: string,
  anchor: AuditAnchor = {},
): AsyncGenerator<VerifyFinding, VerifyCounts> {
  if (!existsSync(path)) throw missingFile(path);
  inspectBytes(path);
  const release = look(path);
  try {
    return yield* findingsIn(path, anchor);
  } finally {
    release();
  }
}

async function* findingsIn(path: string, anchor: AuditAnchor): AsyncGenerator<VerifyFinding, VerifyCounts> {
  const database = open(path);
  const counts: RecordCounts & TrailCounts = { records: 0, versions: 0, entries: 0, unsummed: 0 };
  const parts = [
    findingsOfFile(database),
    findingsOfRecords(database, counts),
    findingsOfSupportingResources(database),
    ...(versionOf(database) < firstAuditedVersion ? [] : [findingsOfTrail(database, anchor, counts)]),
  ];
  try {
    for (const part of parts) yield* catchReadErrors(part);
    return counts;
  } finally {
    database.close();
  }
}

function open(path: string): SqliteDatabase {
  return mapFileErrors(path, () => {
    const database = connectReadOnly(path);
    try {
      if (versionOf(database) > recordMigrations.length) throw fault('newer', path);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function versionOf(database: SqliteDatabase): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/** Yields the findings of a part. A read error of SQLite is a finding too. */
async function* catchReadErrors(
  part: Iterable<VerifyFinding> | AsyncIterable<VerifyFinding>,
): AsyncGenerator<VerifyFinding> {
  try {
    yield* part;
  } catch (error) {
    const code = sqliteCode(error);
    if (code === '') throw error;
    yield {
      where: 'the file',
      problem: `can’t be read from here on (${code}). The rest was not checked.`,
    };
  }
}

function* findingsOfFile(database: SqliteDatabase): Generator<VerifyFinding> {
  const rows = database.pragma('integrity_check') as readonly { readonly integrity_check: string }[];
  for (const { integrity_check: line } of rows) {
    if (line !== 'ok') yield { where: 'the file', problem: `fails SQLite’s check: ${line}` };
  }
  const strange = strangeObjects(database, recordMigrations.slice(0, versionOf(database)));
  if (strange.length > 0) {
    const problem = `has modified tables, views, indexes or triggers: ${formatList(strange)}.`;
    yield { where: 'the file', problem };
  }
}

/** Verifies the text of each supporting resource. An older schema has none. */
function* findingsOfSupportingResources(database: SqliteDatabase): Generator<VerifyFinding> {
  if (!hasTable(database, 'companion')) return;
  const rows = database.prepare<unknown[], SupportingResourceRow>(
    `SELECT type, id, ${textColumns('companion')} FROM companion`,
  );
  for (const { type, id, body, sha256 } of rows.iterate()) {
    if (isIntact(body, sha256)) continue;
    const problem = 'has a damaged text.';
    yield { where: `${type}/${id}, a related resource`, problem };
  }
}
