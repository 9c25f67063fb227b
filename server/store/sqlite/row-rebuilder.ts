import { indexRows, type DerivedRows, type IndexRows } from '../../../core/derive/derive.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { isIntact, searchedColumns } from '../checksum.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { isSorted, rederive, allRows, type SortColumns, type TypeScope } from '../index-tables.ts';
import { indexWriter, issueSum, listExistingIssues } from './index-writer.ts';
import { prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Result of the rebuild of one record. */
export type RebuiltRow = 'same' | 'changed' | 'skipped';

/** A record with the columns that its rebuild compares. */
export interface RecordPosition {
  readonly pk: number;
  readonly type: ResourceType;
  /** Primary key of the current version. */
  readonly current: number;
  readonly issuesCrc32: number | null;
  readonly revalidateAtMs: number | null;
}

/** Columns of a {@link RecordPosition}. */
export const positionColumns =
  'pk, type, current, issues_crc32 AS issuesCrc32, judge_again AS revalidateAtMs';

interface SortRow extends SortColumns {
  readonly pk: number;
}

const noKeys: ReadonlySet<string> = new Set();

/** Rebuilds the derived rows of single records from their text. Writes only rows that differ. */
export function createRowRebuilder(database: SqliteDatabase) {
  const textOf = prepareRaw<[unknown, unknown]>(
    database,
    `SELECT ${searchedColumns('version')} FROM version WHERE pk = ?`,
  );
  const sortRows = (from: string) =>
    database.prepare<unknown[], SortRow>(`SELECT pk, sort_date, status, title FROM ${from} = ?`);
  const [recordSort, versionSorts] = [sortRows('record WHERE pk'), sortRows('version WHERE record')];
  const sortSetter = (table: string) =>
    database.prepare(`UPDATE ${table} SET sort_date = ?, status = ?, title = ? WHERE pk = ?`);
  const [sortRecord, sortVersion] = [sortSetter('record'), sortSetter('version')];
  const issuesOf = listExistingIssues(database);
  const setJudged = database.prepare('UPDATE record SET issues_crc32 = ?, judge_again = ? WHERE pk = ?');
  const rows = indexWriter(database);
  const sumOfIssues = issueSum(database);

  function rootOf(version: number): JsonObject | undefined {
    const [body, sum] = textOf.get(version) ?? [];
    return isIntact(body, sum) ? objectIn(body.toString()) : undefined;
  }

  function setSort(row: SortRow | undefined, { sort }: IndexRows, statement: typeof sortRecord): boolean {
    if (!row || isSorted(row, sort)) return false;
    statement.run(sort.date, sort.status, sort.title, row.pk);
    return true;
  }

  function updateSortColumns({ pk, type, current }: RecordPosition, index: IndexRows): boolean {
    let hasChanged = setSort(recordSort.get(pk), index, sortRecord);
    for (const version of versionSorts.all(pk)) {
      const root = version.pk === current ? undefined : rootOf(version.pk);
      if (version.pk !== current && !root) continue;
      if (setSort(version, root ? indexRows(type, root, noKeys) : index, sortVersion)) hasChanged = true;
    }
    return hasChanged;
  }

  /** Stores the derived rows of a record within a scope. Returns true if a row changed. */
  function write(
    position: RecordPosition,
    expectedRows: DerivedRows,
    scope: TypeScope,
    now: number,
  ): boolean {
    const { pk } = position;
    const tables = rows.reconcile(pk, expectedRows, scope, true, dayNumber(now));
    let hasChanged = tables.length > 0;
    if (scope.sort && updateSortColumns(position, expectedRows.index)) hasChanged = true;
    const { revalidateAtMs = null } = expectedRows;
    if (!scope.issues) return hasChanged;
    if (
      tables.includes('issue') ||
      position.issuesCrc32 === null ||
      position.revalidateAtMs !== revalidateAtMs
    ) {
      setJudged.run(sumOfIssues(pk), revalidateAtMs, pk);
      hasChanged = true;
    }
    return hasChanged;
  }

  return {
    write,

    /** Returns true if the stored rows differ from the derived ones. */
    differs({ pk, revalidateAtMs }: RecordPosition, expectedRows: DerivedRows): boolean {
      const sortRow = recordSort.get(pk);
      return (
        (expectedRows.revalidateAtMs ?? null) !== revalidateAtMs ||
        (sortRow !== undefined && !isSorted(sortRow, expectedRows.index.sort)) ||
        rows.reconcile(pk, expectedRows, allRows, false).length > 0
      );
    },

    /** Derives the rows of a record within a scope from its text, and stores them. */
    rebuild(position: RecordPosition, scope: TypeScope, now: number): RebuiltRow {
      const root = rootOf(position.current);
      if (!root) return 'skipped';
      const { type, pk } = position;
      const existingIssues = scope.issues ? issuesOf(pk) : [];
      return write(position, rederive(type, root, { scope, existingIssues, now }), scope, now)
        ? 'changed'
        : 'same';
    },
  };
}
