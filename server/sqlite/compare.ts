/** Compares the texts in a copy of the records with their SHA-256. Called by backups and restores. */
import type { Comparison, DamagedVersion } from '../../core/app/backups.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { isIntact, nameOfVersion, textColumns } from '../store/checksum.ts';
import { closing, connect, hasTable, type SqliteDatabase } from './sqlite.ts';

interface TextRow extends DamagedVersion {
  readonly body: unknown;
  readonly sha256: unknown;
}

/** Compares every text of a file with its checksum, read-only. Returns null if the file has no records. */
export function compareTexts(path: string): Comparison | null {
  return closing(connect(path, { readonly: true }), (database) =>
    hasTable(database, 'version') ? compareRows(database) : null,
  );
}

function compareRows(database: SqliteDatabase): Comparison {
  const damagedVersions: DamagedVersion[] = [];
  let texts = 0;
  const rows = database.prepare<unknown[], TextRow>(
    `SELECT type, id, version, ${textColumns()} FROM version`,
  );
  for (const { type, id, version, body, sha256 } of rows.iterate()) {
    texts += 1;
    if (!isIntact(body, sha256)) damagedVersions.push({ type, id, version });
  }
  return { texts, damaged: damagedVersions };
}

/** Returns the versions that are intact in a copy. Returns none if the copy can't be read. */
export function hasIntactCopy(path: string, versions: readonly DamagedVersion[]): readonly DamagedVersion[] {
  const database = connect(path, { readonly: true });
  try {
    return versions.filter((version) => isVersionIntact(database, version));
  } catch {
    return [];
  } finally {
    database.close();
  }
}

function isVersionIntact(database: SqliteDatabase, { type, id, version }: DamagedVersion): boolean {
  if (!isResourceType(type)) return false;
  // The type is part of the SQL so that SQLite uses the partial index.
  const row = database
    .prepare<unknown[], TextRow>(
      `SELECT v.type, v.id, v.version, ${textColumns('v')} FROM record r JOIN version v ON v.record = r.pk
       WHERE r.type = '${type}' AND r.id = ? AND v.version = ?`,
    )
    .get(id, version);
  return row !== undefined && isIntact(row.body, row.sha256);
}

/** Returns the damaged versions that are not in a list of known ones. */
export function unnamed(
  damagedVersions: readonly DamagedVersion[],
  knownVersions: readonly DamagedVersion[],
): readonly DamagedVersion[] {
  const names = new Set(knownVersions.map(nameOfVersion));
  return damagedVersions.filter((version) => !names.has(nameOfVersion(version)));
}
