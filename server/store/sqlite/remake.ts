import type { Derived } from '../../../core/derive/derive.ts';
import { indexRows, type IndexRows } from '../../../core/fhir/index-rows.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { dayNumber } from '../../../core/app/days.ts';
import { isSound, searchedColumns } from '../checksum.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { derivedAnew, everything, type TypeScope } from '../derive-scope.ts';
import { indexWriter, isSorted, issueSum, standingIssues, type SortColumns } from '../index-tables.ts';
import { prepareRaw, type SqliteDatabase } from './sqlite.ts';

/** What became of one record. */
export type Remade = 'same' | 'changed' | 'skipped';

export interface RecordPlace {
  readonly pk: number;
  readonly type: ResourceType;
  readonly current: number;
  readonly issues_crc32: number | null;
  readonly judge_again: number | null;
}

interface SortRow extends SortColumns {
  readonly pk: number;
}

const noKeys: ReadonlySet<string> = new Set();

/** Makes the rows of single records anew from their text, and writes those alone that differ. */
export function remaker(database: SqliteDatabase) {
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
  const issuesOf = standingIssues(database);
  const setJudged = database.prepare('UPDATE record SET issues_crc32 = ?, judge_again = ? WHERE pk = ?');
  const rows = indexWriter(database);
  const sumOfIssues = issueSum(database);

  function rootOf(version: number): JsonObject | undefined {
    const [body, sum] = textOf.get(version) ?? [];
    return isSound(body, sum) ? objectIn(body.toString()) : undefined;
  }

  function setSort(row: SortRow | undefined, { sort }: IndexRows, statement: typeof sortRecord): boolean {
    if (!row || isSorted(row, sort)) return false;
    statement.run(sort.date, sort.status, sort.title, row.pk);
    return true;
  }

  /** The columns by which a record and each of its versions is sorted. */
  function sort({ pk, type, current }: RecordPlace, index: IndexRows): boolean {
    let changed = setSort(recordSort.get(pk), index, sortRecord);
    for (const version of versionSorts.all(pk)) {
      const root = version.pk === current ? undefined : rootOf(version.pk);
      if (version.pk !== current && !root) continue;
      if (setSort(version, root ? indexRows(type, root, noKeys) : index, sortVersion)) changed = true;
    }
    return changed;
  }

  /** What a record gives beside its text comes to stand, as far as the scope reaches. */
  function write(place: RecordPlace, derived: Derived, scope: TypeScope, now: number): boolean {
    const { pk } = place;
    const tables = rows.mend(pk, derived, scope, true, dayNumber(now));
    let changed = tables.length > 0;
    if (scope.sort && sort(place, derived.index)) changed = true;
    const { judgeAgain = null } = derived;
    if (!scope.issues) return changed;
    if (tables.includes('issue') || place.issues_crc32 === null || place.judge_again !== judgeAgain) {
      setJudged.run(sumOfIssues(pk), judgeAgain, pk);
      changed = true;
    }
    return changed;
  }

  return {
    write,

    /** Whether other rows stand than these. */
    differs({ pk, judge_again: day }: RecordPlace, derived: Derived): boolean {
      const sorted = recordSort.get(pk);
      return (
        (derived.judgeAgain ?? null) !== day ||
        (sorted !== undefined && !isSorted(sorted, derived.index.sort)) ||
        rows.mend(pk, derived, everything, false).length > 0
      );
    },

    remake(place: RecordPlace, scope: TypeScope, now: number): Remade {
      const root = rootOf(place.current);
      if (!root) return 'skipped';
      const { type, pk } = place;
      const left = scope.issues ? issuesOf(pk) : [];
      return write(place, derivedAnew(type, root, { scope, standing: left, now }), scope, now)
        ? 'changed'
        : 'same';
    },
  };
}
