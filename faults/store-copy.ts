import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../core/api/contract.ts';
import { connect, type SqliteDatabase } from '../server/store/sqlite/sqlite.ts';
import type { Held } from './ledger.ts';

/** The records' database with what SQLite keeps beside it. */
const files = ['records.db', 'records.db-wal', 'records.db-open'];

/** Copies the records of a data folder whose server is gone: looking at the copy leaves the folder as it is. */
export async function copyStore(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const file of files) {
    if (existsSync(join(from, file))) await copyFile(join(from, file), join(to, file));
  }
}

/** What a store holds, and what in it does not agree. */
export interface StoreContent {
  readonly held: readonly Held[];
  /** Sentences; none where all tables agree. */
  readonly disagreements: readonly string[];
}

/** A version as it lies in a table, whatever the engine. */
export interface VersionRow {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly sha256: Buffer;
  readonly body: string;
}

/** SQL of a version's address, and of the entries that the trail has of each. */
export const address = `'${fhirPath}/' || v.type || '/' || v.id`;
export const entries = `SELECT what, version_after, count(*) AS entries FROM audit WHERE version_after IS NOT NULL GROUP BY what, version_after`;

/** Counts of rows that must not be there: half a transaction. */
const halves: Readonly<Record<string, string>> = {
  'record without its current version':
    'SELECT count(*) FROM record r LEFT JOIN version v ON v.pk = r.current AND v.record = r.pk AND v.version = r.version AND v.last_updated = r.last_updated WHERE v.pk IS NULL',
  // A restore leaves numbers out.
  'record with a gap in its versions':
    'SELECT count(*) FROM record r WHERE NOT EXISTS (SELECT 1 FROM numbering) AND (r.version <> (SELECT count(*) FROM version v WHERE v.record = r.pk) OR r.version <> (SELECT max(version) FROM version v WHERE v.record = r.pk))',
  'record that is there twice': 'SELECT count(*) - count(DISTINCT type || id) FROM record',
  'version without a record': 'SELECT count(*) FROM version v WHERE v.record NOT IN (SELECT pk FROM record)',
  // What is behind is indexed at the next start.
  'indexed record without references':
    'SELECT count(*) FROM record r WHERE r.current <= (SELECT version FROM indexed) AND NOT EXISTS (SELECT 1 FROM reference f WHERE f.record = r.pk)',
  'version without its one audit entry': `SELECT count(*) FROM version v LEFT JOIN (${entries}) a ON a.what = ${address} AND a.version_after = v.version WHERE a.entries IS NOT 1`,
  'audit entry of a version that is not there': `SELECT count(*) FROM (${entries}) a LEFT JOIN version v ON a.what = ${address} AND a.version_after = v.version WHERE v.pk IS NULL`,
  ...Object.fromEntries(
    ['reference', 'token', 'date_range', 'string', 'issue'].map((table) => [
      `row of ${table} without a record`,
      `SELECT count(*) FROM "${table}" WHERE record NOT IN (SELECT pk FROM record)`,
    ]),
  ),
};

/** Reads everything that a copied store holds, past the product's own code. */
export function readStore(folder: string): StoreContent {
  const database = connect(join(folder, 'records.db'));
  try {
    const rows = database
      .prepare<unknown[], VersionRow>('SELECT type, id, version, sha256, body FROM version')
      .all();
    return contentOf(rows, checks(database));
  } finally {
    database.close();
  }
}

function checks(database: SqliteDatabase): string[] {
  const integrity = String(database.pragma('integrity_check(1)', { simple: true }));
  const counted = Object.entries(halves).flatMap(([what, sql]) => {
    const count = database.prepare<unknown[], number>(sql).pluck().get() ?? 0;
    return count > 0 ? [`${count} × ${what}`] : [];
  });
  return integrity === 'ok' ? counted : [`integrity_check: ${integrity}`, ...counted];
}

/** What rows of versions hold, and which of them have another checksum, beside what was found of the tables. */
export function contentOf(rows: readonly VersionRow[], found: readonly string[]): StoreContent {
  const held = rows.map(({ type, id, version, body }) => ({
    key: `${type}/${id}/_history/${version}`,
    text: body,
  }));
  return { held, disagreements: [...found, ...rows.flatMap(wrongSum)] };
}

function wrongSum({ type, id, version, sha256, body }: VersionRow): string[] {
  const right = createHash('sha256').update(body).digest().equals(sha256);
  return right ? [] : [`${type}/${id} version ${version} has another SHA-256`];
}
