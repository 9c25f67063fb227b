/** Supporting resources. The destination derives their subjects from their texts. */
import { readSupportingResource, type SupportingSubject } from '../../../core/fhir/supporting-resource.ts';
import { checksumOf } from '../../store/checksum.ts';
import type { Session } from '../postgres/connection.ts';
import { readInChunks } from '../../store/chunks.ts';
import { columnsIn, type Value } from '../../store/sql.ts';
import { prepareRaw } from '../../sqlite/sqlite.ts';
import { batches, boundedSql } from './bounded.ts';
import type { DatabaseTable, FolderFiles, FolderTable, MovedTable } from './kind.ts';
import { insertRows, buildInsertSql } from './plain-rows.ts';

/** `place` is the position in the order of arrival, equal in both engines. */
type MovedSupportingResource = readonly [
  ...[place: number, type: string, id: string, fullUrl: string | null],
  ...[body: string, sha256: Value],
];

export const supportingResources: MovedTable<MovedSupportingResource> = {
  name: 'companions',
  keyOf: ([place]) => [place],
  nameOf: ([, type, id]) => `related resource ${type}/${id}`,
  listCells: (row) => row,
  findDamage: ([, type, id, , body, storedSum]) =>
    storedSum instanceof Uint8Array && checksumOf(body).equals(storedSum)
      ? undefined
      : `related resource ${type}/${id}: its text is damaged.`,
  openInFolder: ({ records }) => inFolder(records),
  openInDatabase: inDatabase,
};

/** Returns no subject if the text cannot be parsed. */
function subjectsOf([, type, , fullUrl, body]: MovedSupportingResource): readonly SupportingSubject[] {
  try {
    return readSupportingResource(type, body, fullUrl ?? undefined).subjects;
  } catch {
    return [];
  }
}

function inFolder(records: FolderFiles['records']): FolderTable<MovedSupportingResource> {
  return {
    *read() {
      const rows = prepareRaw<MovedSupportingResource>(
        records,
        'SELECT pk, type, id, full_url, body, sha256 FROM companion ORDER BY pk',
      );
      yield* batches(rows.iterate(), ([, , , , body]) => body.length);
    },
    write(rows) {
      const add = records.prepare(
        'INSERT INTO companion (pk, type, id, full_url, body, sha256) VALUES (?, ?, ?, ?, ?, ?)',
      );
      const addSubject = records.prepare(
        'INSERT INTO companion_subject (companion, id, type) VALUES (?, ?, ?)',
      );
      for (const row of rows) {
        add.run(...row);
        for (const { id, type = null } of subjectsOf(row)) addSubject.run(row[0], id, type);
      }
    },
    clear: () => void records.exec('DELETE FROM companion_subject; DELETE FROM companion'),
  };
}

const types = columnsIn('place bigint, type text, id text, full_url text, body text, sha256 bytea');
const insertResourceSql = `${buildInsertSql('companion', types)} RETURNING pk, place`;
const insertSubjectsSql = buildInsertSql(
  'companion_subject',
  columnsIn('companion bigint, id text, type text'),
);
const nextSql = `SELECT w.place, w.type, w.id, w.full_url, w.body, w.sha256
  FROM ${boundedSql('companion WHERE place > $1::bigint', 'place')} w ORDER BY w.place`;
/** The next resource gets a later position. */
const stampSql = `UPDATE companion_stamp SET stamp = greatest(stamp, (SELECT max(place) FROM companion))`;

function inDatabase(session: Session): DatabaseTable<MovedSupportingResource> {
  return {
    read: () =>
      readInChunks<MovedSupportingResource>(async (lastRow) => {
        const rows = await session.rows({ text: nextSql, values: [lastRow?.[0] ?? 0] });
        return rows.map(([place, type, id, fullUrl, body, storedSum = null]) => {
          const url = fullUrl === null ? null : String(fullUrl);
          return [Number(place), String(type), String(id), url, String(body), storedSum];
        });
      }),
    async write(rows) {
      const insertedRows = await insertRows(session, insertResourceSql, rows);
      const keysByPosition = new Map(insertedRows.map(([pk, place]) => [Number(place), Number(pk)]));
      const subjects = rows.flatMap((row) =>
        subjectsOf(row).map(({ id, type = null }) => [keysByPosition.get(row[0]) ?? 0, id, type]),
      );
      await insertRows(session, insertSubjectsSql, subjects);
      await session.rows({ text: stampSql });
    },
    async clear() {
      for (const text of ['DELETE FROM companion_subject', 'DELETE FROM companion'])
        await session.rows({ text });
    },
  };
}
