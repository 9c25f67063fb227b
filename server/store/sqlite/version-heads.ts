import { authorshipIn, type Authorship } from '../../../core/app/authorship.ts';
import type { WriteOperation } from '../../../core/app/history.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { isOfType } from '../sql.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** A version without its text. */
export interface VersionHead extends Omit<Authorship, 'reason'> {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  /** An instant with milliseconds, UTC. */
  readonly lastUpdated: string;
  readonly operation: WriteOperation;
}

/** What one person wrote in one way since an instant; the rest is the newest of these versions. */
export interface WriterHead extends VersionHead {
  /** Distinct records. */
  readonly records: number;
  readonly versions: number;
}

/** A version with who wrote it and why, and its place among all. */
export type PlacedVersion = VersionHead & Authorship & { readonly place: number };

/** Versions without their texts. */
export interface VersionHeads {
  /** The versions since an instant, newest first, at most so many. */
  newest(since: string, limit: number): Promise<readonly VersionHead[]>;
  /** Records that changed since an instant, each counted once. */
  changed(since: string): Promise<number>;
  /** Who wrote since an instant in which way, those with the newest versions first, at most so many. */
  writers(since: string, limit: number): Promise<readonly WriterHead[]>;
  /** Who wrote each version of a record, or of all, and why: those behind a place, oldest first, at most so many. */
  proven(
    record: Pick<VersionHead, 'type' | 'id'> | undefined,
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

/** Those that this thread reads at once; `writers` and `changed` are asked of the threads that read. */
export function versionHeads(database: SqliteDatabase): Omit<VersionHeads, 'changed' | 'writers'> {
  // In the order in which they were written: no index over the time is needed.
  const newest = database.prepare<unknown[], HeadRow>(
    `SELECT * FROM (SELECT ${columns} FROM version ORDER BY pk DESC LIMIT @limit)
     WHERE lastUpdated >= @since ORDER BY place DESC`,
  );
  const all = database.prepare<unknown[], HeadRow>(
    `SELECT ${columns} FROM version WHERE pk > @after ORDER BY pk LIMIT @limit`,
  );
  const own = perType((type) =>
    database.prepare<unknown[], HeadRow>(
      `SELECT ${columns} FROM version
       WHERE record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = @id) AND pk > @after
       ORDER BY version LIMIT @limit`,
    ),
  );
  return {
    newest: async (since, limit) => newest.all({ since, limit }).map(headOf),
    proven: async (record, after, limit) =>
      (record ? own[record.type].all({ id: record.id, after, limit }) : all.all({ after, limit })).map(
        headOf,
      ),
  };
}

function headOf({ author, person, reason, ...head }: HeadRow): PlacedVersion {
  return { ...head, ...authorshipIn({ author, person, reason }) };
}
