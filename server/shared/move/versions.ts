import { hash } from 'node:crypto';
import { nameOfVersion } from '../../store/checksum.ts';
import { replaceNulCharacters } from '../postgres/connection.ts';
import type { Value } from '../../store/sql.ts';
import type { MovedTable } from './kind.ts';
import { heldText, type MovedVersion } from './moved-version.ts';
import { databaseVersions } from './versions-database.ts';
import { folderVersions } from './versions-folder.ts';

/**
 * Versions in the order of writing. The current one has the data of its record that the text lacks: start
 * days and states of findings. Everything else is derived at the destination.
 */
export const versions: MovedTable<MovedVersion> = {
  name: 'versions',
  isAppendOnly: true,
  keyOf: ({ pk }) => [pk],
  nameOf: nameOfVersion,
  listCells({
    type,
    id,
    version,
    lastUpdated,
    operation,
    author,
    person,
    reason,
    sha256,
    head,
    ...storedText
  }) {
    const { issues = [], sayings = [] } = head ?? {};
    const text = storedText.isIntact ? sha256 : hash('sha256', heldText(storedText), 'buffer');
    return [
      type,
      id,
      version,
      lastUpdated,
      operation,
      author,
      person,
      reason,
      sha256,
      text,
      head !== undefined,
      ...[...issues, ...sayings].map((row) => row.map(toStoredValue)),
    ];
  },
  openInFolder: ({ records }) => folderVersions(records),
  openInDatabase: databaseVersions,
  countUnits: ({ head }) => ({
    records: head ? 1 : 0,
    versions: 1,
    findings: head?.issues.length ?? 0,
    'remarks about findings': head?.sayings.length ?? 0,
  }),
  findDamage: (storedText) =>
    storedText.isIntact ? undefined : `${nameOfVersion(storedText)}: its text is damaged.`,
};

function toStoredValue(cell: Value): Value {
  return typeof cell === 'string' ? replaceNulCharacters(cell) : cell;
}
