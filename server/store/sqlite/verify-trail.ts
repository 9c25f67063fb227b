import { fhirPath } from '../../../core/api/contract.ts';
import { readTrail } from './audit.ts';
import type { SealKey } from '../audit-chain.ts';
import { AuditTrail, laterColumns, type TrailHead } from './audit-trail.ts';
import { checksumOf, nameOfVersion } from '../checksum.ts';
import { preparePluck, type SqliteDatabase } from './sqlite.ts';
import { lossSince } from './trail-loss.ts';
import type { VerifyFinding } from './verify-records.ts';
import { audited } from '../write-entry.ts';

/** What the trail of a file is compared with. */
export interface TrailWitness {
  /** Where it once ended, as it is kept outside the file. */
  readonly head?: TrailHead | undefined;
  readonly key?: SealKey | undefined;
}

/** How far the trail vouches for the records. */
export interface TrailCounts {
  entries: number;
  /** Versions whose entry has no sum of their text, or that have none: they are from before. */
  unsummed: number;
  /** Milliseconds since the epoch of the first entry with a sum. */
  summedSince?: number;
  /** Number of the first entry that is sealed with a key. */
  keyedSince?: number;
}

/** Looks at the chain, at its end, and at versions and entries in both directions. */
export async function* findingsOfTrail(
  database: SqliteDatabase,
  { head, key }: TrailWitness,
  counts: TrailCounts,
): AsyncGenerator<VerifyFinding> {
  const trail = new AuditTrail(database);
  const { entries, broken, doubts, keyedSince } = await readTrail(trail, key);
  counts.entries = entries;
  if (keyedSince !== undefined) counts.keyedSince = keyedSince;
  const loss = head && lossSince(trail, head);
  if (loss) {
    const { atLeast, cause } = loss;
    const writes = atLeast === 1 ? 'acknowledged write' : 'acknowledged writes';
    const lacks = atLeast === 0 ? 'entries of the audit trail' : `at least ${atLeast} ${writes}`;
    yield { where: 'the file', problem: `lacks ${lacks}. ${cause}` };
  }
  for (const { seq, reason } of doubts)
    yield { where: `audit entry ${seq}`, problem: `is in doubt: ${reason}.` };
  if (broken) yield { where: `audit entry ${broken.seq}`, problem: `breaks the chain: ${broken.reason}.` };
  else yield* findingsBetween(database, counts);
}

interface VersionRow {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  /** Of its entry; null where it has none. */
  readonly seq: number | null;
  readonly same: number;
  readonly summed: number;
}

interface EntryRow {
  readonly seq: number;
  readonly what: string;
  readonly version: number;
}

/** What an entry calls the operation of a version; no entry calls one that is unknown anything. */
const actionOfVersion = `CASE v.operation ${Object.entries(audited)
  .map(([operation, { action }]) => `WHEN '${operation}' THEN '${action}'`)
  .join(' ')} ELSE '' END`;

/**
 * Versions and the entries of their writes, each compared with the other. What was written before the last reset, and
 * of a record before its erasure, is not there any more, and its entries say so.
 */
function* findingsBetween(database: SqliteDatabase, counts: TrailCounts): Generator<VerifyFinding> {
  const has = laterColumns(database);
  const summed = has.has('sha256');
  const named = has.has('person');
  database.exec(`
    CREATE TEMP TABLE erased AS SELECT '${fhirPath}/' || substr(what, 1, instr(what || ':', ':') - 1) AS what,
        max(seq) AS seq FROM audit WHERE action = 'erase' AND status < 400 GROUP BY 1;
    CREATE TEMP TABLE written AS SELECT seq, what, version_after AS version, who, action,
        ${summed ? 'sha256' : 'NULL AS sha256'}, ${named ? 'person, reason_sha256' : 'NULL AS person, NULL AS reason_sha256'}
      FROM audit a WHERE version_after IS NOT NULL
        AND seq > (SELECT ifnull(max(seq), 0) FROM audit WHERE action = 'reset' AND status < 400)
        AND NOT EXISTS (SELECT 1 FROM temp.erased e WHERE e.what = a.what AND e.seq > a.seq);
    CREATE INDEX temp.written_by_what ON written (what, version);
    CREATE TEMP TABLE stored AS SELECT '${fhirPath}/' || type || '/' || id AS what, version, pk FROM version;
    CREATE INDEX temp.stored_by_what ON stored (what, version);`);
  // Versions up to this place are from before each had its entry.
  const after = summed ? 'ifnull((SELECT max(after) FROM vouched), 0)' : '9e18';
  const otherPerson = named ? 'w.person IS NOT v.person' : '0';
  const versions = database.prepare<unknown[], VersionRow>(
    `SELECT v.type, v.id, v.version, w.seq,
       w.who = v.author AND w.action = ${actionOfVersion} AND NOT (${otherPerson}) AS same,
       w.sha256 IS NOT NULL AS summed
     FROM temp.stored s JOIN version v ON v.pk = s.pk
     LEFT JOIN temp.written w ON w.what = s.what AND w.version = s.version
     WHERE iif(w.sha256 IS NULL, v.pk > ${after}, w.sha256 <> v.sha256)
       OR w.who <> v.author OR w.action <> ${actionOfVersion} OR (w.seq IS NOT NULL AND ${otherPerson})`,
  );
  for (const { type, id, version, ...found } of versions.iterate()) {
    yield { where: nameOfVersion({ type, id, version }), problem: problemOf(found) };
  }
  if (named) yield* findingsOfReasons(database);
  const entries = database.prepare<unknown[], EntryRow>(
    `SELECT seq, what, version FROM temp.written w
     WHERE NOT EXISTS (SELECT 1 FROM temp.stored s WHERE s.what = w.what AND s.version = w.version)`,
  );
  for (const { seq, what, version } of entries.iterate()) {
    const where = `${what.slice(fhirPath.length + 1)}, version ${version}`;
    yield { where, problem: `is not there, and audit entry ${seq} tells that it was written.` };
  }
  counts.unsummed = numberOf(
    database,
    `SELECT count(*) FROM temp.stored s LEFT JOIN temp.written w ON w.what = s.what AND w.version = s.version
     WHERE w.sha256 IS NULL`,
  );
  if (!summed) return;
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

/** Reasons that are not those which the trail vouches for. */
function* findingsOfReasons(database: SqliteDatabase): Generator<VerifyFinding> {
  const rows = database.prepare<unknown[], ReasonRow>(
    `SELECT v.type, v.id, v.version, w.seq, v.reason, w.reason_sha256 AS sum
     FROM temp.stored s JOIN version v ON v.pk = s.pk
     JOIN temp.written w ON w.what = s.what AND w.version = s.version
     WHERE v.reason IS NOT NULL OR w.reason_sha256 IS NOT NULL`,
  );
  for (const { seq, reason, sum, ...name } of rows.iterate()) {
    if (reason !== null && sum?.equals(checksumOf(reason))) continue;
    const problem = `has another reason than the one that audit entry ${seq} vouches for.`;
    yield { where: nameOfVersion(name), problem };
  }
}

function problemOf({ seq, same, summed }: Pick<VersionRow, 'seq' | 'same' | 'summed'>): string {
  if (seq === null) return 'has no entry in the audit trail.';
  if (same !== 1) return 'has another author, person or operation than the audit trail tells.';
  if (summed !== 1) return `has no sum in audit entry ${seq}, which should vouch for its text.`;
  return `has another text than the one that audit entry ${seq} vouches for.`;
}

function numberOf(database: SqliteDatabase, text: string): number {
  return Number(preparePluck(database, text).get() ?? 0);
}
