import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../core/api/contract.ts';
import { connect, type SqliteDatabase } from '../server/sqlite/sqlite.ts';
import type { StoredVersion } from './ledger.ts';

/** The records database with its SQLite side files. */
const files = ['records.db', 'records.db-wal', 'records.db-open'];

/**
 * Copies the records of a data folder whose server has ended. An inspection of the copy leaves the folder
 * unchanged.
 */
export async function copyStore(sourceFolder: string, targetFolder: string): Promise<void> {
  await rm(targetFolder, { recursive: true, force: true });
  await mkdir(targetFolder, { recursive: true, mode: 0o700 });
  for (const file of files) {
    if (existsSync(join(sourceFolder, file)))
      await copyFile(join(sourceFolder, file), join(targetFolder, file));
  }
}

/** The versions of a store and its inconsistencies. */
export interface StoreContent {
  readonly versions: readonly StoredVersion[];
  /** Sentences. Empty if all tables agree. */
  readonly inconsistencies: readonly string[];
}

/** A row of the version table, for both engines. */
export interface VersionRow {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly sha256: Buffer;
  readonly body: string;
}

/** SQL of a version's address, and of its entries in the audit log. */
export const addressSql = `'${fhirPath}/' || v.type || '/' || v.id`;
export const entriesSql = `SELECT what, version_after, count(*) AS entries FROM audit WHERE version_after IS NOT NULL GROUP BY what, version_after`;

/** Queries that count rows of half a transaction, by description. */
const inconsistencyQueries: Readonly<Record<string, string>> = {
  'record without its current version':
    'SELECT count(*) FROM record r LEFT JOIN version v ON v.pk = r.current AND v.record = r.pk AND v.version = r.version AND v.last_updated = r.last_updated WHERE v.pk IS NULL',
  // A restore skips version numbers.
  'record with a gap in its versions':
    'SELECT count(*) FROM record r WHERE NOT EXISTS (SELECT 1 FROM numbering) AND (r.version <> (SELECT count(*) FROM version v WHERE v.record = r.pk) OR r.version <> (SELECT max(version) FROM version v WHERE v.record = r.pk))',
  'record that is there twice': 'SELECT count(*) - count(DISTINCT type || id) FROM record',
  'version without a record': 'SELECT count(*) FROM version v WHERE v.record NOT IN (SELECT pk FROM record)',
  // Rows after the indexed position are indexed at the next start.
  'indexed record without references':
    'SELECT count(*) FROM record r WHERE r.current <= (SELECT version FROM indexed) AND NOT EXISTS (SELECT 1 FROM reference f WHERE f.record = r.pk)',
  'version without its one audit entry': `SELECT count(*) FROM version v LEFT JOIN (${entriesSql}) a ON a.what = ${addressSql} AND a.version_after = v.version WHERE a.entries IS NOT 1`,
  'audit entry of a version that is not there': `SELECT count(*) FROM (${entriesSql}) a LEFT JOIN version v ON a.what = ${addressSql} AND a.version_after = v.version WHERE v.pk IS NULL`,
  ...Object.fromEntries(
    ['reference', 'token', 'date_range', 'string', 'issue'].map((table) => [
      `row of ${table} without a record`,
      `SELECT count(*) FROM "${table}" WHERE record NOT IN (SELECT pk FROM record)`,
    ]),
  ),
};

/** Reads the whole content of a copied store without the code of the product. */
export function readStore(folder: string): StoreContent {
  const database = connect(join(folder, 'records.db'));
  try {
    const rows = database
      .prepare<unknown[], VersionRow>('SELECT type, id, version, sha256, body FROM version')
      .all();
    return toStoreContent(rows, findInconsistencies(database));
  } finally {
    database.close();
  }
}

function findInconsistencies(database: SqliteDatabase): string[] {
  const integrity = String(database.pragma('integrity_check(1)', { simple: true }));
  const inconsistencies = Object.entries(inconsistencyQueries).flatMap(([description, sql]) => {
    const count = database.prepare<unknown[], number>(sql).pluck().get() ?? 0;
    return count > 0 ? [`${count} × ${description}`] : [];
  });
  return integrity === 'ok' ? inconsistencies : [`integrity_check: ${integrity}`, ...inconsistencies];
}

/**
 * Returns the versions of rows, the given disagreements, and a disagreement for each row with a wrong
 * checksum.
 */
export function toStoreContent(rows: readonly VersionRow[], disagreements: readonly string[]): StoreContent {
  const versions = rows.map(({ type, id, version, body }) => ({
    key: `${type}/${id}/_history/${version}`,
    text: body,
  }));
  return { versions, inconsistencies: [...disagreements, ...rows.flatMap(findWrongChecksum)] };
}

function findWrongChecksum({ type, id, version, sha256, body }: VersionRow): string[] {
  const matches = createHash('sha256').update(body).digest().equals(sha256);
  return matches ? [] : [`${type}/${id} version ${version} has another SHA-256`];
}
