import type { SearchResult } from '../../../core/api/answers.ts';
import type { IssueCountsAnswer } from '../../../core/app/issue-counts.ts';
import { createDuplicateFilter } from '../../../core/app/duplicate-filter.ts';
import { columnValues } from '../../../core/fhir/columns.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { summarize, type RecordSummary } from '../../../core/fhir/summary.ts';
import type { IssueCount } from '../../platform/visible-row-issues.ts';
import type { RecordToOpen } from '../../platform/workbench-actions.ts';

/** A row of the result grid: only the values that its columns show. */
export interface ResultRow extends RecordSummary {
  /** Values of the columns of the type, by column ID. */
  readonly values: Readonly<Record<string, string>>;
  /** Issue counts of the record; undefined if the server does not count issues. */
  readonly issues?: IssueCount;
}

/** Converts a page of matches to rows. */
export function rowsOf(
  { records }: SearchResult,
  counts: IssueCountsAnswer | undefined,
  columns: readonly string[] = [],
): readonly ResultRow[] {
  const rows = records.map(({ node }): ResultRow => {
    const summary = summarize(node);
    const { type, id } = summary;
    const values = isResourceType(type) ? columnValues(node, type, columns) : {};
    if (!counts) return { ...summary, values };
    const [errors, warnings] = counts[id] ?? [0, 0];
    return { ...summary, values, issues: { errors, warnings } };
  });
  return copyTexts(rows);
}

/**
 * Returns the same rows with copied texts. A substring keeps its whole source text in memory, so a hundred thousand
 * rows would keep every response page.
 */
function copyTexts(rows: readonly ResultRow[]): readonly ResultRow[] {
  return JSON.parse(JSON.stringify(rows)) as readonly ResultRow[];
}

/** Returns the rows of all pages, each record once, with the number of repeated rows. */
export function rowsOfPages(pages: readonly { readonly rows: readonly ResultRow[] }[]): {
  readonly rows: readonly ResultRow[];
  readonly duplicateCount: number;
} {
  const list = createDuplicateFilter<ResultRow>(({ id }) => id);
  const rows = pages.flatMap((page) => list.dropDuplicates(page.rows));
  return { rows, duplicateCount: list.countDuplicates() };
}

/** Numbers of rows whose record has no ID. Each such row is distinct. */
const numbers = new WeakMap<ResultRow, number>();
let lastNumber = 0;

/** Returns a key that is unique among the rows of {@link rowsOfPages}. */
export function rowKey(row: ResultRow): string {
  const { type, id } = row;
  if (id !== '') return `${type}/${id}`;
  const number = numbers.get(row) ?? (lastNumber += 1);
  numbers.set(row, number);
  return `${type}/?${number}`;
}

/** Returns the address of a row's record; undefined for an unsupported type. */
export function addressOf({ type, id, title }: ResultRow): RecordToOpen | undefined {
  return isResourceType(type) && id !== '' ? { type, id, title } : undefined;
}
