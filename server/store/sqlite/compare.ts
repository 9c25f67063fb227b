/** Compares the texts in a copy of the records with their SHA-256. Called by backups and restores. */
import type { Comparison, DamagedVersion } from '../../../core/app/backups.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { isSound, nameOfVersion, textColumns } from '../checksum.ts';
import { closing, connect, hasTable, type SqliteDatabase } from './sqlite.ts';

interface TextRow extends DamagedVersion {
  readonly body: unknown;
  readonly sha256: unknown;
}

/** Every text in the file at `path`, which is only read; null where it holds no records. */
export function compareTexts(path: string): Comparison | null {
  return closing(connect(path, { readonly: true }), (database) =>
    hasTable(database, 'version') ? compared(database) : null,
  );
}

function compared(database: SqliteDatabase): Comparison {
  const damaged: DamagedVersion[] = [];
  let texts = 0;
  const rows = database.prepare<unknown[], TextRow>(
    `SELECT type, id, version, ${textColumns()} FROM version`,
  );
  for (const { type, id, version, body, sha256 } of rows.iterate()) {
    texts += 1;
    if (!isSound(body, sha256)) damaged.push({ type, id, version });
  }
  return { texts, damaged };
}

/** Those of the versions that the copy at `path` holds whole; none where it cannot be read. */
export function heldWhole(path: string, versions: readonly DamagedVersion[]): readonly DamagedVersion[] {
  const database = connect(path, { readonly: true });
  try {
    return versions.filter((one) => isHeldWhole(database, one));
  } catch {
    return [];
  } finally {
    database.close();
  }
}

function isHeldWhole(database: SqliteDatabase, { type, id, version }: DamagedVersion): boolean {
  if (!isResourceType(type)) return false;
  // The type stands in the text of the query, so that its index is used.
  const row = database
    .prepare<unknown[], TextRow>(
      `SELECT v.type, v.id, v.version, ${textColumns('v')} FROM record r JOIN version v ON v.record = r.pk
       WHERE r.type = '${type}' AND r.id = ? AND v.version = ?`,
    )
    .get(id, version);
  return row !== undefined && isSound(row.body, row.sha256);
}

/** Those of the damaged versions that are not among the named ones. */
export function unnamed(
  damaged: readonly DamagedVersion[],
  named: readonly DamagedVersion[],
): readonly DamagedVersion[] {
  const names = new Set(named.map(nameOfVersion));
  return damaged.filter((one) => !names.has(nameOfVersion(one)));
}
