/**
 * Looks at everything in a records.db that no server holds, and names what is damaged. Called by the command line and
 * by the tests of damage. Invariant: the file is only read.
 */
import { existsSync } from 'node:fs';
import { isSound, textColumns } from '../checksum.ts';
import type { CompanionRow } from '../companions.ts';
import { DataFolderError } from './data-folder-error.ts';
import { look } from './folder-lock.ts';
import { fault, inspectBytes, telling } from './inspect.ts';
import { recordMigrations } from './migrations.ts';
import { strangeObjects } from './schema.ts';
import { connectToLook, hasTable, sqliteCode, type SqliteDatabase } from './sqlite.ts';
import { findingsOfRecords, type RecordCounts, type VerifyFinding } from './verify-records.ts';
import { findingsOfTrail, type TrailCounts, type TrailWitness } from './verify-trail.ts';

export type { VerifyFinding } from './verify-records.ts';
export type { TrailWitness } from './verify-trail.ts';

/** How much was looked at. */
export type VerifyCounts = Readonly<RecordCounts & TrailCounts>;

/** First version of the schema that keeps an audit trail. */
const audited = 2;

/**
 * Yields what is damaged in a records.db, by itself and against its witness; answers how much was looked at.
 *
 * @throws DataFolderError where the file cannot be looked at at all: missing, in use, empty, cut off, foreign, newer.
 */
export async function* verifyFile(
  path: string,
  witness: TrailWitness = {},
): AsyncGenerator<VerifyFinding, VerifyCounts> {
  if (!existsSync(path)) throw new DataFolderError('unusable', `${path} is not there.`);
  inspectBytes(path);
  const release = look(path);
  try {
    return yield* findingsIn(path, witness);
  } finally {
    release();
  }
}

async function* findingsIn(path: string, witness: TrailWitness): AsyncGenerator<VerifyFinding, VerifyCounts> {
  const database = open(path);
  const counts: RecordCounts & TrailCounts = { records: 0, versions: 0, entries: 0, unsummed: 0 };
  const parts = [
    findingsOfFile(database),
    findingsOfRecords(database, counts),
    findingsOfCompanions(database),
    ...(versionOf(database) < audited ? [] : [findingsOfTrail(database, witness, counts)]),
  ];
  try {
    for (const part of parts) yield* readable(part);
    return counts;
  } finally {
    database.close();
  }
}

function open(path: string): SqliteDatabase {
  return telling(path, () => {
    const database = connectToLook(path);
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
  const strange = strangeObjects(database, recordMigrations.slice(0, versionOf(database)));
  if (strange.length > 0) {
    const problem = `has tables, views, indexes or triggers that are not as they were made: ${strange.join(', ')}.`;
    yield { where: 'the file', problem };
  }
}

/** Looks at the text of each companion; a schema of before has none. */
function* findingsOfCompanions(database: SqliteDatabase): Generator<VerifyFinding> {
  if (!hasTable(database, 'companion')) return;
  const rows = database.prepare<unknown[], CompanionRow>(
    `SELECT type, id, ${textColumns('companion')} FROM companion`,
  );
  for (const { type, id, body, sha256 } of rows.iterate()) {
    if (isSound(body, sha256)) continue;
    const problem = 'has a text that is not the one that was kept.';
    yield { where: `${type}/${id}, a companion`, problem };
  }
}
