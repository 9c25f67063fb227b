import { existsSync, rmSync } from 'node:fs';
import { isResourceType, perType } from '../../core/fhir/resource.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { isIntact, textColumns, type VersionName } from '../store/checksum.ts';
import { isOfType } from '../store/sql.ts';
import { hasTable, prepare, prepareRaw, readDatabaseFile, type SqliteDatabase } from './sqlite.ts';

/** A version whose text matches its checksum. */
export interface IntactVersion {
  readonly version: number;
  readonly text: string;
}

type VersionRow = readonly [version: number, body: unknown, sha256: unknown];

/**
 * Finds the latest intact version of each record in a file, up to the given version.
 *
 * @returns Undefined for a record without an intact version, and for all records if the file can't be read.
 */
export function listIntactVersions(
  path: string,
  names: readonly VersionName[],
): readonly (IntactVersion | undefined)[] {
  // A reader of a file in WAL mode, as a restore leaves it, creates two files that nobody would remove.
  const extraFiles = ['-wal', '-shm'].map((suffix) => path + suffix).filter((file) => !existsSync(file));
  const intactVersions = readDatabaseFile(path, (database) => {
    const versions = perType((type) =>
      prepareRaw<VersionRow>(
        database,
        `SELECT version, ${textColumns()} FROM version
           WHERE record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?) AND version <= ?
           ORDER BY version DESC`,
      ),
    );
    return names.map(({ type, id, version: maxVersion }): IntactVersion | undefined => {
      for (const [version, body, sha256] of versions[type].iterate(id, maxVersion)) {
        if (isIntact(body, sha256)) return { version, text: body.toString() };
      }
      return undefined;
    });
  });
  for (const file of extraFiles) rmSync(file, { force: true });
  return intactVersions ?? names.map(() => undefined);
}

/** Creates a function that returns true if a copy of the records contains a record or a supporting resource. */
export function createCopyDetector(database: SqliteDatabase): (name: NamedResource) => boolean {
  const find = perType((type) =>
    database.prepare(
      hasTable(database, 'removed')
        ? `SELECT 1 WHERE EXISTS (SELECT 1 FROM record r WHERE ${isOfType('r', type)} AND r.id = @id)
             OR EXISTS (SELECT 1 FROM removed m WHERE m.type = '${type}' AND m.id = @id)`
        : `SELECT 1 FROM record r WHERE ${isOfType('r', type)} AND r.id = @id`,
    ),
  );
  const hasSupportingResource = createSupportingResourceDetector(database);
  return (name) =>
    isResourceType(name.type)
      ? find[name.type].get({ id: name.id }) !== undefined
      : hasSupportingResource(name);
}

/**
 * Creates a function that returns true if a copy of the records contains a supporting resource, or one about it. A copy
 * with an older schema has no such table.
 */
function createSupportingResourceDetector(database: SqliteDatabase): (name: NamedResource) => boolean {
  if (!hasTable(database, 'companion')) return () => false;
  const inBatches = hasTable(database, 'batch_line')
    ? `OR EXISTS (SELECT 1 FROM batch_line WHERE type = @type AND id = @id)
       OR EXISTS (SELECT 1 FROM batch_line WHERE former_body IS NOT NULL AND instr(former_body, @id) > 0)`
    : '';
  const find = prepare(
    database,
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM companion WHERE type = @type AND id = @id)
       OR EXISTS (SELECT 1 FROM companion_subject s WHERE s.id = @id AND coalesce(s.type, @type) = @type) ${inBatches}`,
  );
  return ({ type, id }) => find.get({ type, id }) !== undefined;
}
