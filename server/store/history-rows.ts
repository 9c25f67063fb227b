import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import type { Value } from './sql.ts';
import type { HistoryVersion } from './store.ts';

/** Columns of a version `v`, which {@link historyFacts} reads; its text stands behind them. */
export const historyColumns =
  'v.pk, v.id, v.version, v.last_updated, v.operation, v.author, v.person, v.reason';

/** The place of the text in a row of these columns, its text and its sum. */
export const textAt = 8;

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
