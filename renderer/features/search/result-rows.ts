import type { SearchResult } from '../../../core/api/answers.ts';
import type { IssueCountsAnswer } from '../../../core/app/issue-counts.ts';
import { listedOnce } from '../../../core/app/listed-once.ts';
import { columnValues } from '../../../core/fhir/columns.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { summarise, type RecordSummary } from '../../../core/fhir/summary.ts';
import type { IssueCount } from '../../platform/sight.ts';
import type { RecordToOpen } from '../../platform/workbench-actions.ts';

/** A row of the result grid: what its columns show of a record, and nothing more. */
export interface ResultRow extends RecordSummary {
  /** What the type's own columns show, by their ids. */
  readonly values: Readonly<Record<string, string>>;
  /** Issues of the record; undefined where the server does not tell. */
  readonly issues?: IssueCount;
}

/** The rows of a page of matches. */
export function rowsOf(
  { records }: SearchResult,
  counts: IssueCountsAnswer | undefined,
  columns: readonly string[] = [],
): readonly ResultRow[] {
  const rows = records.map(({ node }): ResultRow => {
    const summary = summarise(node);
    const { type, id } = summary;
    const values = isResourceType(type) ? columnValues(node, type, columns) : {};
    if (!counts) return { ...summary, values };
    const [errors, warnings] = counts[id] ?? [0, 0];
    return { ...summary, values, issues: { errors, warnings } };
  });
  return detached(rows);
}

/**
 * The same rows with texts of their own: a piece of a text keeps the whole of it in memory, and with a hundred
 * thousand rows that would be every page of the answer.
 */
function detached(rows: readonly ResultRow[]): readonly ResultRow[] {
  return JSON.parse(JSON.stringify(rows)) as readonly ResultRow[];
}

/** The rows of all pages, each record once, and how many rows the server sent again. */
export function rowsOfPages(pages: readonly { readonly rows: readonly ResultRow[] }[]): {
  readonly rows: readonly ResultRow[];
  readonly repeated: number;
} {
  const list = listedOnce<ResultRow>(({ id }) => id);
  const rows = pages.flatMap((page) => list.take(page.rows));
  return { rows, repeated: list.repeated() };
}

/** The numbers of rows whose record has no id; each is a row of its own. */
const numbers = new WeakMap<ResultRow, number>();
let numbered = 0;

/** Identifies a row among those of {@link rowsOfPages}: no two have one key. */
export function rowKey(row: ResultRow): string {
  const { type, id } = row;
  if (id !== '') return `${type}/${id}`;
  const number = numbers.get(row) ?? (numbered += 1);
  numbers.set(row, number);
  return `${type}/?${number}`;
}

/** What opens a row's record; undefined for a match that is none of our types. */
export function addressOf({ type, id, title }: ResultRow): RecordToOpen | undefined {
  return isResourceType(type) && id !== '' ? { type, id, title } : undefined;
}
