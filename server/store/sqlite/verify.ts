/**
 * Verifies a records.db that no server has open. Called by the command line and by damage tests. Invariant: the file is
 * only read.
 */
import { existsSync } from 'node:fs';
import { formatList, formatPlural } from '../../../core/text/language.ts';
import { isIntact, textColumns, checksumOf, nameOfVersion } from '../checksum.ts';
import type { SupportingResourceRow } from '../supporting-resources.ts';
import { missingFile } from '../../sqlite/data-folder-error.ts';
import { look } from '../../sqlite/folder-lock.ts';
import { fault, inspectBytes, mapFileErrors } from '../../sqlite/integrity.ts';
import { recordMigrations } from './migrations.ts';
import { strangeObjects } from '../../sqlite/schema.ts';
import {
  connectReadOnly,
  hasTable,
  sqliteCode,
  preparePluck,
  type SqliteDatabase,
} from '../../sqlite/sqlite.ts';
import { findingsOfRecords, type RecordCounts, type VerifyFinding } from './verify-records.ts';
import { fhirPath } from '../../../core/api/contract.ts';
import { readAuditLog } from './audit.ts';
import type { SealKey } from '../audit-chain.ts';
import { AuditLogWriter, laterColumns } from './audit-log-writer.ts';
import type { ChainHead } from '../audit-log.ts';
import { findLossSince } from './audit-loss.ts';
import { audited } from '../write-entry.ts';

export type { VerifyFinding } from './verify-records.ts';

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

/** Proofs for the verification of an audit log. */
interface AuditAnchor {
  /** Chain head that was stored outside the file. */
  readonly head?: ChainHead | undefined;
  readonly key?: SealKey | undefined;
}

/** Counts of entries, and of versions that the audit log does not prove. */
interface TrailCounts {
  entries: number;
  /**
   * Number of versions without an entry or without a checksum in it. An older version of the program wrote them.
   */
  unsummed: number;
  /** Time of the first entry with a checksum, in milliseconds since 1970. */
  summedSince?: number;
  /** Number of the first entry that was sealed with a key. */
  keyedSince?: number;
}

/** Verifies the chain, its head, and that versions and entries match each other. */
async function* findingsOfTrail(
  database: SqliteDatabase,
  { head, key }: AuditAnchor,
  counts: TrailCounts,
): AsyncGenerator<VerifyFinding> {
  const auditLog = new AuditLogWriter(database);
  const { entries, broken: brokenEntry, doubts, keyedSince } = await readAuditLog(auditLog, key);
  counts.entries = entries;
  if (keyedSince !== undefined) counts.keyedSince = keyedSince;
  const loss = head && findLossSince(auditLog, head);
  if (loss) {
    const { atLeast, cause } = loss;
    const problem =
      atLeast === 0
        ? `lacks entries of the audit log. ${cause}`
        : formatPlural(atLeast, lackingForms, { cause });
    yield { where: 'the file', problem };
  }
  for (const { seq, reason } of doubts)
    yield { where: `audit entry ${seq}`, problem: `is in doubt: ${reason}.` };
  if (brokenEntry)
    yield { where: `audit entry ${brokenEntry.seq}`, problem: `breaks the chain: ${brokenEntry.reason}.` };
  else yield* findingsBetween(database, counts);
}

const lackingForms = {
  one: 'lacks at least {n} acknowledged write. {cause}',
  other: 'lacks at least {n} acknowledged writes. {cause}',
};

interface VersionRow {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  /** Sequence number of its entry, or null if there is none. */
  readonly seq: number | null;
  readonly same: number;
  readonly summed: number;
}

interface EntryRow {
  readonly seq: number;
  readonly what: string;
  readonly version: number;
}

/** SQL that returns the audit action for the operation of a version. Empty for an unknown operation. */
const actionOfVersion = `CASE v.operation ${Object.entries(audited)
  .map(([operation, { action }]) => `WHEN '${operation}' THEN '${action}'`)
  .join(' ')} ELSE '' END`;

/**
 * Compares versions with the entries of their writes, in both directions. Versions from before the last reset, and of
 * erased records, are missing. Their entries show it.
 */
function* findingsBetween(database: SqliteDatabase, counts: TrailCounts): Generator<VerifyFinding> {
  const knownColumns = laterColumns(database);
  const hasChecksums = knownColumns.has('sha256');
  const hasPersons = knownColumns.has('person');
  database.exec(`
    CREATE TEMP TABLE erased AS SELECT '${fhirPath}/' || substr(what, 1, instr(what || ':', ':') - 1) AS what,
        max(seq) AS seq FROM audit WHERE action = 'erase' AND status < 400 GROUP BY 1;
    CREATE TEMP TABLE written AS SELECT seq, what, version_after AS version, who, action,
        ${hasChecksums ? 'sha256' : 'NULL AS sha256'}, ${hasPersons ? 'person, reason_sha256' : 'NULL AS person, NULL AS reason_sha256'}
      FROM audit a WHERE version_after IS NOT NULL
        AND seq > (SELECT ifnull(max(seq), 0) FROM audit WHERE action = 'reset' AND status < 400)
        AND NOT EXISTS (SELECT 1 FROM temp.erased e WHERE e.what = a.what AND e.seq > a.seq);
    CREATE INDEX temp.written_by_what ON written (what, version);
    CREATE TEMP TABLE stored AS SELECT '${fhirPath}/' || type || '/' || id AS what, version, pk FROM version;
    CREATE INDEX temp.stored_by_what ON stored (what, version);`);
  // Versions up to this key are older than the audit log.
  const unauditedPrefix = hasChecksums ? 'ifnull((SELECT max(after) FROM vouched), 0)' : '9e18';
  const otherPerson = hasPersons ? 'w.person IS NOT v.person' : '0';
  const versions = database.prepare<unknown[], VersionRow>(
    `SELECT v.type, v.id, v.version, w.seq,
       w.who = v.author AND w.action = ${actionOfVersion} AND NOT (${otherPerson}) AS same,
       w.sha256 IS NOT NULL AS summed
     FROM temp.stored s JOIN version v ON v.pk = s.pk
     LEFT JOIN temp.written w ON w.what = s.what AND w.version = s.version
     WHERE iif(w.sha256 IS NULL, v.pk > ${unauditedPrefix}, w.sha256 <> v.sha256)
       OR w.who <> v.author OR w.action <> ${actionOfVersion} OR (w.seq IS NOT NULL AND ${otherPerson})`,
  );
  for (const { type, id, version, ...comparison } of versions.iterate()) {
    yield { where: nameOfVersion({ type, id, version }), problem: problemOf(comparison) };
  }
  if (hasPersons) yield* findingsOfReasons(database);
  const entries = database.prepare<unknown[], EntryRow>(
    `SELECT seq, what, version FROM temp.written w
     WHERE NOT EXISTS (SELECT 1 FROM temp.stored s WHERE s.what = w.what AND s.version = w.version)`,
  );
  for (const { seq, what: address, version } of entries.iterate()) {
    const where = `${address.slice(fhirPath.length + 1)}, version ${version}`;
    yield { where, problem: `is missing, although audit entry ${seq} says it was written.` };
  }
  counts.unsummed = numberOf(
    database,
    `SELECT count(*) FROM temp.stored s LEFT JOIN temp.written w ON w.what = s.what AND w.version = s.version
     WHERE w.sha256 IS NULL`,
  );
  if (!hasChecksums) return;
  const since = numberOf(database, 'SELECT min(time) FROM audit WHERE sha256 IS NOT NULL');
  if (since > 0) counts.summedSince = since;
}

interface ReasonRow {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly seq: number;
  readonly reason: string | null;
  readonly sum: Buffer | null;
}

/** Finds reasons that differ from their checksum in the audit log. */
function* findingsOfReasons(database: SqliteDatabase): Generator<VerifyFinding> {
  const rows = database.prepare<unknown[], ReasonRow>(
    `SELECT v.type, v.id, v.version, w.seq, v.reason, w.reason_sha256 AS sum
     FROM temp.stored s JOIN version v ON v.pk = s.pk
     JOIN temp.written w ON w.what = s.what AND w.version = s.version
     WHERE v.reason IS NOT NULL OR w.reason_sha256 IS NOT NULL`,
  );
  for (const { seq, reason, sum, ...name } of rows.iterate()) {
    if (reason !== null && sum?.equals(checksumOf(reason))) continue;
    const problem = `has a reason that differs from audit entry ${seq}.`;
    yield { where: nameOfVersion(name), problem };
  }
}

function problemOf({ seq, same: isSame, summed }: Pick<VersionRow, 'seq' | 'same' | 'summed'>): string {
  if (seq === null) return 'has no audit entry.';
  if (isSame !== 1) return 'has an author, person or operation that differs from the audit log.';
  if (summed !== 1) return `has no checksum in audit entry ${seq}.`;
  return `has a text that differs from the checksum in audit entry ${seq}.`;
}

function numberOf(database: SqliteDatabase, text: string): number {
  return Number(preparePluck(database, text).get() ?? 0);
}
