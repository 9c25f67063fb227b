import { authorshipIn } from '../../../core/app/authorship.ts';
import { perType } from '../../../core/fhir/resource.ts';
import { isOfType } from '../sql.ts';
import type { PlacedVersion, VersionHeads } from '../store.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

interface HeadRow extends Omit<PlacedVersion, 'person' | 'reason'> {
  readonly person: string | null;
  readonly reason: string | null;
}

const columns =
  'pk AS place, type, id, version, last_updated AS lastUpdated, operation, author, person, reason';

/** Creates the queries of the main thread. Reader threads run `writers` and `changed`. */
export function createVersionSummaries(
  database: SqliteDatabase,
): Omit<VersionHeads, 'countChanged' | 'writers'> {
  // In the order of writing, so that no index by time is needed.
  const newest = database.prepare<unknown[], HeadRow>(
    `SELECT * FROM (SELECT ${columns} FROM version ORDER BY pk DESC LIMIT @limit)
     WHERE lastUpdated >= @since ORDER BY place DESC`,
  );
  const listAll = database.prepare<unknown[], HeadRow>(
    `SELECT ${columns} FROM version WHERE pk > @after ORDER BY pk LIMIT @limit`,
  );
  const listOfRecord = perType((type) =>
    database.prepare<unknown[], HeadRow>(
      `SELECT ${columns} FROM version
       WHERE record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = @id) AND pk > @after
       ORDER BY version LIMIT @limit`,
    ),
  );
  return {
    newest: async (since, limit) => newest.all({ since, limit }).map(headOf),
    listAuthorship: async (record, after, limit) =>
      (record
        ? listOfRecord[record.type].all({ id: record.id, after, limit })
        : listAll.all({ after, limit })
      ).map(headOf),
  };
}

function headOf({ author, person, reason, ...head }: HeadRow): PlacedVersion {
  return { ...head, ...authorshipIn({ author, person, reason }) };
}
