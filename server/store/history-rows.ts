import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { historyPlace } from './places.ts';
import { every, isOfType, line, sql, type Sql, type Value } from './sql.ts';
import type { HistoryQuery, HistoryVersion } from './store.ts';

/** Columns of a version `v`, which {@link historyFacts} reads; its text stands behind them. */
export const historyColumns =
  'v.pk, v.id, v.version, v.last_updated, v.operation, v.author, v.person, v.reason';

/** The place of the text in a row of these columns, its text and its sum. */
export const textAt = 8;

/** The versions of a record. */
export function ofRecord(type: ResourceType, id: string): Sql {
  return sql(`v.record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?)`, id);
}

/** The versions that a query asks for; `time` is the column of theirs. */
export function matching(type: ResourceType, { id, since }: HistoryQuery, time = 'v.last_updated'): Sql[] {
  return [
    id === undefined ? sql(isOfType('v', type)) : ofRecord(type, id),
    ...(since === undefined ? [] : [sql(`${time} >= ?`, since)]),
  ];
}

/** The number of all of them. */
export function historyCountSql(type: ResourceType, query: HistoryQuery, time?: string): Sql {
  return line('SELECT count(*) FROM version v WHERE', every(matching(type, query, time)));
}

/** Newest first; those of one record are in the order of their numbers, which is that of their times. */
export function orderOf({ id }: HistoryQuery): string {
  return id === undefined ? 'v.last_updated DESC, v.pk DESC' : 'v.version DESC';
}

/** What a page is, of which one row more was asked for; `count` is asked for all versions where the page is not all. */
export async function historyPageOf(
  { rows: found, cut }: { readonly rows: readonly Value[][]; readonly cut: boolean },
  limit: number,
  { after }: HistoryQuery,
  count: () => number | Promise<number>,
) {
  const more = cut || found.length > limit;
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = more && last && historyPlace(Number(last[0]), String(last[3]));
  const total = more || after !== undefined ? await count() : rows.length;
  return { rows, page: { total, more, ...(next && { next }) } };
}

export function historyFacts(row: readonly Value[]): Omit<HistoryVersion, 'text'> {
  const [, id, number, lastUpdated, operation, author, person, reason] = row;
  return {
    ...{ id: String(id), version: Number(number), lastUpdated: String(lastUpdated) },
    operation: String(operation) as WriteOperation,
    ...authorshipIn({ author: String(author), person: textOf(person), reason: textOf(reason) }),
  };
}

/** A text, or that there is none. */
function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
