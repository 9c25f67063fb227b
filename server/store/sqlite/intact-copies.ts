import { existsSync, rmSync } from 'node:fs';
import { perType } from '../../../core/fhir/resource.ts';
import { isIntact, textColumns, type VersionName } from '../checksum.ts';
import { isOfType } from '../sql.ts';
import { prepareRaw, readDatabaseFile } from '../../sqlite/sqlite.ts';

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
