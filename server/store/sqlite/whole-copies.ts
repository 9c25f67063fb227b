import { existsSync, rmSync } from 'node:fs';
import { perType } from '../../../core/fhir/resource.ts';
import { isSound, textColumns, type VersionName } from '../checksum.ts';
import { isOfType } from '../sql.ts';
import { prepareRaw, readIn } from './sqlite.ts';

/** A version whose text is the one that was written. */
export interface WholeVersion {
  readonly version: number;
  readonly text: string;
}

type VersionRow = readonly [version: number, body: unknown, sha256: unknown];

/**
 * Of each of the records named, the newest version up to the one named that the database at `path` holds whole; undefined
 * where it holds none, or cannot be read.
 */
export function wholeVersionsIn(
  path: string,
  names: readonly VersionName[],
): readonly (WholeVersion | undefined)[] {
  // Of a file in WAL mode, as a restore puts it aside, a reader leaves two more that nobody would remove.
  const absent = ['-wal', '-shm'].map((end) => path + end).filter((file) => !existsSync(file));
  const found = readIn(path, (database) => {
    const versions = perType((type) =>
      prepareRaw<VersionRow>(
        database,
        `SELECT version, ${textColumns()} FROM version
           WHERE record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?) AND version <= ?
           ORDER BY version DESC`,
      ),
    );
    return names.map(({ type, id, version: most }): WholeVersion | undefined => {
      for (const [version, body, sha256] of versions[type].iterate(id, most)) {
        if (isSound(body, sha256)) return { version, text: body.toString() };
      }
      return undefined;
    });
  });
  for (const file of absent) rmSync(file, { force: true });
  return found ?? names.map(() => undefined);
}
