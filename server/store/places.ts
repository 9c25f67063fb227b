import type { Cursor } from '../../core/fhir/search-criteria.ts';
import { badValue } from '../../core/fhir/search-values.ts';
import { sql, type Sql, type Value } from './sql.ts';

/**
 * What this store's snapshots and places say. To everybody else they are texts, which go out with an answer and come back with
 * the next request.
 */

/** The number of the last write that a cursor's pages know of. @throws FhirError `value` where no store like this one made it. */
export function snapshotOf({ snapshot }: Cursor): number {
  if (/^\d{1,15}$/.test(snapshot)) return Number(snapshot);
  throw badValue('_cursor', 'must come from a next link');
}

/** A version in a history: the number of its row, and when it was stored. */
export function historyPlace(row: number, lastUpdated: string): string {
  return `${row}@${lastUpdated}`;
}

/** What {@link historyPlace} was made of. @throws FhirError `value` for any other text. */
export function readHistoryPlace(place: string): readonly [row: number, lastUpdated: string] {
  const [, row, lastUpdated] = /^(\d{1,15})@(\S{1,40})$/.exec(place) ?? [];
  if (row !== undefined && lastUpdated !== undefined) return [Number(row), lastUpdated];
  throw badValue('_cursor', 'must come from a next link');
}

/** Versions `v` behind a place in a history, which goes from the newest to the oldest; `time` is their column. */
export function behind(place: string | undefined, time = 'v.last_updated'): readonly Sql[] {
  if (place === undefined) return [];
  const [row, lastUpdated] = readHistoryPlace(place);
  return [sql(`(${time}, v.pk) < (?, ?)`, lastUpdated, row)];
}

/** An issue in the list of all: its record's number, and its own. */
export function issuePlace(record: unknown, row: unknown): string {
  return `${Number(record)}-${Number(row)}`;
}

/** What {@link issuePlace} was made of; undefined for any other text. */
export function readIssuePlace(place: string): readonly [record: number, row: number] | undefined {
  const [, record, row] = /^(\d{1,15})-(\d{1,15})$/.exec(place) ?? [];
  return record === undefined || row === undefined ? undefined : [Number(record), Number(row)];
}

/** Where the pages beside one start that shows the records with these keys. */
export function neighbours(
  keys: readonly Value[][],
  more: boolean,
  cursor: Cursor | undefined,
  snapshot: string,
): { next?: Cursor; previous?: Cursor } {
  const place = (of: Value[] | undefined, backwards: boolean): Cursor | undefined =>
    of && { keys: of.map(keyOf), snapshot, backwards };
  const backwards = cursor?.backwards ?? false;
  const next = more || backwards ? place(keys.at(-1), false) : undefined;
  const previous = (backwards ? more : cursor !== undefined) ? place(keys[0], true) : undefined;
  return { ...(next && { next }), ...(previous && { previous }) };
}

function keyOf(value: Value): string | number {
  return typeof value === 'number' ? value : String(value ?? '');
}
