/**
 * Looks at everything in a records.db that no server holds, and names what is damaged. Called by the command line and
 * by the tests of damage. Invariant: the file is only read.
 */
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import type { AuditVerdict } from '../../core/app/audit.ts';
import { ChainReader } from './audit-chain.ts';
import { AuditTrail } from './audit-trail.ts';
import { DataFolderError } from './data-folder-error.ts';
import { fault, faultOf, inspectBytes } from './inspect.ts';
import { recordMigrations } from './migrations.ts';
import { isSchemaOf } from './schema.ts';
import { connectToLook, sqliteCode, type SqliteDatabase } from './sqlite.ts';
import { findingsOfRecords, type VerifyCounts, type VerifyFinding } from './verify-records.ts';

export type { VerifyCounts, VerifyFinding } from './verify-records.ts';

/** First version of the schema that keeps an audit trail. */
const audited = 2;

/** Rows of the audit trail that are read at once. */
const slice = 5000;

/**
 * Yields what is damaged in a records.db; answers how much was looked at.
 *
 * @throws DataFolderError where the file cannot be looked at at all: missing, in use, empty, cut off, foreign, newer.
 */
export async function* verifyFile(path: string): AsyncGenerator<VerifyFinding, VerifyCounts> {
  if (!existsSync(path)) throw new DataFolderError('unusable', `${path} is not there.`);
  inspectBytes(path);
  const database = open(path);
  const counts = { records: 0, versions: 0, entries: 0 };
  const parts = [
    findingsOfFile(database),
    findingsOfRecords(database, counts),
    findingsOfAudit(database, counts),
  ];
  try {
    for (const part of parts) yield* readable(part);
    return counts;
  } finally {
    database.close();
  }
}

function open(path: string): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    database = connectToLook(path);
    if (versionOf(database) > recordMigrations.length) throw fault('newer', path);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof DataFolderError ? error : fault(faultOf(error), path, error);
  }
}

function versionOf(database: SqliteDatabase): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/** The findings of a part; where SQLite cannot read on, that is one too. */
async function* readable(
  part: Iterable<VerifyFinding> | AsyncIterable<VerifyFinding>,
): AsyncGenerator<VerifyFinding> {
  try {
    yield* part;
  } catch (error) {
    const code = sqliteCode(error);
    if (code === '') throw error;
    yield { where: 'the file', problem: `cannot be read on from here (${code}); what follows is not known.` };
  }
}

function* findingsOfFile(database: SqliteDatabase): Generator<VerifyFinding> {
  const rows = database.pragma('integrity_check') as readonly { readonly integrity_check: string }[];
  for (const { integrity_check: line } of rows) {
    if (line !== 'ok') yield { where: 'the file', problem: `fails SQLite's check: ${line}` };
  }
  if (!isSchemaOf(database, recordMigrations.slice(0, versionOf(database)))) {
    yield { where: 'the file', problem: 'has tables, indexes or triggers that are not as they were made.' };
  }
}

async function* findingsOfAudit(
  database: SqliteDatabase,
  counts: { entries: number },
): AsyncGenerator<VerifyFinding> {
  if (versionOf(database) < audited) return;
  const trail = new AuditTrail(database);
  const chain = new ChainReader();
  for (let after = 0; ;) {
    const rows = trail.sealed(after, slice);
    const last = rows.at(-1);
    if (!last || !chain.take(rows)) break;
    after = last[0];
    await setImmediate();
  }
  const { entries, broken }: AuditVerdict = chain.verdict();
  counts.entries = entries;
  if (broken) yield { where: `audit entry ${broken.seq}`, problem: `breaks the chain: ${broken.reason}.` };
  else yield* authorsThatDiffer(database);
}

interface VersionName {
  readonly type: string;
  readonly id: string;
  readonly version: number;
}

/** Versions whose author or operation is not what their entries say; of one id there may be several lives. */
function* authorsThatDiffer(database: SqliteDatabase): Generator<VerifyFinding> {
  database.exec(`
    CREATE TEMP TABLE written AS SELECT what, version_after AS version, who, action FROM audit
      WHERE version_after IS NOT NULL;
    CREATE INDEX temp.written_by_what ON written (what, version);`);
  const differing = database.prepare<unknown[], VersionName>(
    `SELECT type, id, version FROM version v, (SELECT '${fhirPath}/' AS base)
     WHERE EXISTS (SELECT 1 FROM written w WHERE w.what = base || v.type || '/' || v.id AND w.version = v.version)
     AND NOT EXISTS (SELECT 1 FROM written w WHERE w.what = base || v.type || '/' || v.id AND w.version = v.version
       AND w.who = v.author AND w.action = iif(v.operation = 'import', 'create', v.operation))`,
  );
  for (const { type, id, version } of differing.iterate()) {
    const where = `${type}/${id}, version ${version}`;
    yield { where, problem: 'has another author or operation than the audit trail tells.' };
  }
}
