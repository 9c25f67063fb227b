import { hash } from 'node:crypto';
import { nameOfVersion } from '../store/checksum.ts';
import { withoutZero } from '../store/postgres/connection.ts';
import type { Value } from '../store/sql.ts';
import type { Kind } from './kind.ts';
import { heldText, type MovedVersion } from './moved-version.ts';
import { databaseVersions } from './versions-database.ts';
import { folderVersions } from './versions-folder.ts';

/**
 * Versions, in the order in which they were written; with the one that is current, what stands beside its record and no text
 * tells: since when its findings stand, and what people said of them. What a text tells is made at the destination.
 */
export const versions: Kind<MovedVersion> = {
  name: 'versions',
  grows: true,
  placeOf: ({ pk }) => [pk],
  nameOf: nameOfVersion,
  told({ type, id, version, lastUpdated, operation, author, person, reason, sha256, head, ...moved }) {
    const { issues = [], sayings = [] } = head ?? {};
    const text = moved.whole ? sha256 : hash('sha256', heldText(moved), 'buffer');
    return [
      ...[type, id, version, lastUpdated, operation, author, person, reason, sha256, text],
      head !== undefined,
      ...[...issues, ...sayings].map((row) => row.map(held)),
    ];
  },
  folder: ({ records }) => folderVersions(records),
  database: databaseVersions,
  units: ({ head }) => ({
    records: head ? 1 : 0,
    versions: 1,
    findings: head?.issues.length ?? 0,
    'remarks about findings': head?.sayings.length ?? 0,
  }),
  damageIn: (moved) =>
    moved.whole ? undefined : `${nameOfVersion(moved)}: its text is not the one that was written.`,
};

function held(cell: Value): Value {
  return typeof cell === 'string' ? withoutZero(cell) : cell;
}
