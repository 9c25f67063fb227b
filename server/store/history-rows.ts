import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { formatHistoryRowCursor } from './row-cursors.ts';
import { joinAnd, isOfType, line, sql, type Sql, type Value } from './sql.ts';
import type { HistoryQuery, HistoryVersion } from './store.ts';

/** Columns of a version `v` for {@link historyFacts}. The text follows them. */
export const historyColumns =
  'v.pk, v.id, v.version, v.last_updated, v.operation, v.author, v.person, v.reason';

/** Index of the text in a row of these columns, text and checksum. */
export const textAt = 8;

/** Returns the condition for the versions of a record, also of a removed one. */
export function ofRecord(type: ResourceType, id: string): Sql {
  return sql(
    `v.record = coalesce((SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?),
      (SELECT m.record FROM removed m WHERE m.type = '${type}' AND m.id = ?))`,
    id,
    id,
  );
}

/** Returns the conditions of a history query. `time` is the column of the instant. */
export function historyConditions(
  type: ResourceType,
  { id, since }: HistoryQuery,
  time = 'v.last_updated',
): Sql[] {
  return [
    id === undefined ? sql(isOfType('v', type)) : ofRecord(type, id),
    ...(since === undefined ? [] : [sql(`${time} >= ?`, since)]),
  ];
}

/** Counts all versions of a history query. */
export function historyCountSql(type: ResourceType, query: HistoryQuery, time?: string): Sql {
  return line('SELECT count(*) FROM version v WHERE', joinAnd(historyConditions(type, query, time)));
}

/** Latest first. Versions of one record are ordered by number, which equals their order in time. */
export function orderOf({ id }: HistoryQuery): string {
  return id === undefined ? 'v.last_updated DESC, v.pk DESC' : 'v.version DESC';
}

/** Converts rows to a page. One extra row was requested. Counts all versions only if the page has not all. */
export async function historyPageOf(
  { rows: foundRows, isCut }: { readonly rows: readonly Value[][]; readonly isCut: boolean },
  limit: number,
  { after }: HistoryQuery,
  count: () => number | Promise<number>,
) {
  const hasMore = isCut || foundRows.length > limit;
  const rows = foundRows.slice(0, limit);
  const lastRow = rows.at(-1);
  const next = hasMore && lastRow && formatHistoryRowCursor(Number(lastRow[0]), String(lastRow[3]));
  const total = hasMore || after !== undefined ? await count() : rows.length;
  return { rows, page: { total, hasMore, ...(next && { next }) } };
}

export function historyFacts(row: readonly Value[]): Omit<HistoryVersion, 'text'> {
  const [, id, number, lastUpdated, operation, author, person, reason] = row;
  return {
    id: String(id),
    version: Number(number),
    lastUpdated: String(lastUpdated),
    operation: String(operation) as WriteOperation,
    ...authorshipIn({ author: String(author), person: textOf(person), reason: textOf(reason) }),
  };
}

/** Returns the text, or undefined for NULL. */
function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
