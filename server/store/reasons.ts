import { parseAddress } from '../../core/api/address.ts';
import { isResourceType, perType } from '../../core/fhir/resource.ts';
import { checksumOf } from './checksum.ts';
import { isOfType } from './sql.ts';
import type { SqliteDatabase } from './sqlite/sqlite.ts';

/**
 * Reads the reason of a version, by the address of its record, out of the version itself: the trail holds its sum alone.
 * Undefined where the version is not there any more, or another stands in its place.
 */
export function reasonsIn(database: SqliteDatabase) {
  const reason = perType((type) =>
    database
      .prepare<unknown[], string | null>(
        `SELECT v.reason FROM version v
         WHERE v.record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?) AND v.version = ?`,
      )
      .pluck(),
  );
  return (what: string, version: number, sum: Buffer): string | undefined => {
    const { type = '', id = '' } = parseAddress(what) ?? {};
    const found = isResourceType(type) ? reason[type].get(id, version) : undefined;
    return typeof found === 'string' && checksumOf(found).equals(sum) ? found : undefined;
  };
}
