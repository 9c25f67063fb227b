import { authorshipIn, type Authorship } from '../../../core/app/authorship.ts';
import type { WriteOperation } from '../../../core/app/history.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { isOfType } from '../sql.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Metadata of a version, without its text. */
export interface VersionSummary extends Omit<Authorship, 'reason'> {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  /** An instant with milliseconds, UTC. */
  readonly lastUpdated: string;
  readonly operation: WriteOperation;
}

/** Versions of one author with one operation since an instant. The other members describe the latest version. */
export interface WriterHead extends VersionSummary {
  /** Number of distinct records. */
  readonly records: number;
  readonly versions: number;
}

/** A version with author, reason and its sequence number among all versions. */
export type PlacedVersion = VersionSummary & Authorship & { readonly place: number };

/** Queries of versions without their texts. */
export interface VersionHeads {
  /** Returns up to `limit` versions since an instant, newest first. */
  newest(since: string, limit: number): Promise<readonly VersionSummary[]>;
  /** Counts the records that changed since an instant, each once. */
  countChanged(since: string): Promise<number>;
  /** Lists up to `limit` authors and operations since an instant, latest versions first. */
  writers(since: string, limit: number): Promise<readonly WriterHead[]>;
  /**
   * Lists up to `limit` versions of a record, or of all, with author and reason, after a sequence number, oldest first.
   */
  listAuthorship(
    record: Pick<VersionSummary, 'type' | 'id'> | undefined,
    after: number,
    limit: number,
  ): Promise<readonly PlacedVersion[]>;
}

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
