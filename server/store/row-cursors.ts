import type { Cursor } from '../../core/fhir/search-criteria.ts';
import { searchMessages } from '../../core/fhir/search-messages.ts';
import { badValue } from '../../core/fhir/search-values.ts';
import { sql, type Sql, type Value } from './sql.ts';

/** Formats and parses the snapshots and cursors of this store. To clients they are opaque texts. */

/**
 * Returns the number of the last write in the cursor's snapshot.
 *
 * @throws FhirError `value` if the snapshot has another form.
 */
export function snapshotOf({ snapshot }: Cursor): number {
  if (/^\d{1,15}$/.test(snapshot)) return Number(snapshot);
  throw badValue('_cursor', searchMessages.nextLink({ name: '_cursor' }));
}

/** Formats the cursor of a version in a history: its row and instant. */
export function formatHistoryRowCursor(row: number, lastUpdated: string): string {
  return `${row}@${lastUpdated}`;
}

/**
 * Parses the text of {@link formatHistoryRowCursor}.
 *
 * @throws FhirError `value` for any other text.
 */
export function parseHistoryRowCursor(cursor: string): readonly [row: number, lastUpdated: string] {
  const [, row, lastUpdated] = /^(\d{1,15})@(\S{1,40})$/.exec(cursor) ?? [];
  if (row !== undefined && lastUpdated !== undefined) return [Number(row), lastUpdated];
  throw badValue('_cursor', searchMessages.nextLink({ name: '_cursor' }));
}

/**
 * Returns the condition for versions `v` after a cursor in a history, latest first. `time` is the column of
 * the instant.
 */
export function buildAfterCondition(cursor: string | undefined, time = 'v.last_updated'): readonly Sql[] {
  if (cursor === undefined) return [];
  const [row, lastUpdated] = parseHistoryRowCursor(cursor);
  return [sql(`(${time}, v.pk) < (?, ?)`, lastUpdated, row)];
}

/** Formats the cursor of an issue: its record and its number. */
export function formatIssueCursor(record: unknown, row: unknown): string {
  return `${Number(record)}-${Number(row)}`;
}

/** Parses the text of {@link formatIssueCursor}. Returns undefined for any other text. */
export function parseIssueCursor(cursor: string): readonly [record: number, row: number] | undefined {
  const [, record, row] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  return record === undefined || row === undefined ? undefined : [Number(record), Number(row)];
}

/** Returns the cursors of the next and the previous page. */
export function neighbours(
  keys: readonly Value[][],
  hasMore: boolean,
  cursor: Cursor | undefined,
  snapshot: string,
): { nextCursor?: Cursor; previousCursor?: Cursor } {
  const toCursor = (rowKeys: Value[] | undefined, backwards: boolean): Cursor | undefined =>
    rowKeys && { keys: rowKeys.map(keyOf), snapshot, backwards };
  const backwards = cursor?.backwards ?? false;
  const nextCursor = hasMore || backwards ? toCursor(keys.at(-1), false) : undefined;
  const previousCursor = (backwards ? hasMore : cursor !== undefined) ? toCursor(keys[0], true) : undefined;
  return { ...(nextCursor && { nextCursor }), ...(previousCursor && { previousCursor }) };
}

function keyOf(value: Value): string | number {
  return typeof value === 'number' ? value : String(value ?? '');
}
