/** Reads of removed records, and their return (removals.ts). */
import { authorshipIn } from '../../../core/app/authorship.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { hasTable, prepare, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { RemovedRecord } from '../store.ts';

interface RemovedRow {
  readonly record: number;
  readonly version: number;
  readonly time: number;
  readonly who: string;
  readonly person: string | null;
  readonly reason: string | null;
}

/** Prepares the reads of removed records, and their return. A file of an older format has none. */
export function prepareRemoved(database: SqliteDatabase) {
  if (!hasTable(database, 'removed')) return undefined;
  const find = prepare<RemovedRow>(
    database,
    'SELECT record, version, time, who, person, reason FROM removed WHERE type = ? AND id = ?',
  );
  const remove = prepare(database, 'DELETE FROM removed WHERE record = ?');
  const insertRecord = prepare(
    database,
    `INSERT INTO record (pk, type, id, version, last_updated, sort_date, status, title, current)
     SELECT v.record, v.type, v.id, v.version, v.last_updated, v.sort_date, v.status, v.title, v.pk
     FROM version v WHERE v.record = ? AND v.version = ?`,
  );
  const dropSource = ['origin', 'document'].map((table) =>
    prepare(database, `DELETE FROM ${table} WHERE type = ? AND id = ?`),
  );

  return {
    read(type: ResourceType, id: string): RemovedRecord | undefined {
      const row = find.get(type, id);
      if (!row) return undefined;
      const { version, time, who, person, reason } = row;
      const { author, ...authorship } = authorshipIn({ author: who, person, reason });
      return { version, time: new Date(time).toISOString(), who: author, ...authorship };
    },

    /**
     * Makes the last version of a removed record current again, without its derived rows. The caller opens the transaction
     * and stores the next version.
     *
     * @param nextVersion - Number of the next version. Nothing changes unless it is higher than the last one.
     * @returns The last version with the key of the record. Undefined if the record was not removed.
     */
    bringBack(
      type: ResourceType,
      id: string,
      nextVersion: number,
    ): Pick<RemovedRow, 'record' | 'version'> | undefined {
      const row = find.get(type, id);
      if (!row || row.version >= nextVersion) return row;
      remove.run(row.record);
      insertRecord.run(row.record, row.version);
      for (const statement of dropSource) statement.run(type, id);
      return row;
    },
  };
}
