/** How values of a column are compared. */
export type Comparison = 'text' | 'code' | 'time' | 'number';

export interface ColumnOrder<Row> {
  readonly valueOf: (row: Row) => string;
  readonly comparison: Comparison;
}

/**
 * Returns the rows in the order of a column. Equal rows keep their order; empty values are last in both directions.
 * Each value is ranked once: a hundred thousand rows often share a few values, and comparing texts is the expensive
 * part.
 */
export function orderRows<Row>(
  rows: readonly Row[],
  { valueOf, comparison }: ColumnOrder<Row>,
  descending: boolean,
): readonly Row[] {
  const values = rows.map(valueOf);
  const ranks = rankOf(new Set(values), comparison);
  const rowRanks = Float64Array.from(values, (value) => {
    const rank = value === '' ? undefined : ranks.get(value);
    if (rank === undefined) return Infinity;
    return descending ? -rank : rank;
  });
  return Uint32Array.from(rows.keys())
    .sort(
      (leftIndex, rightIndex) =>
        compareSigns(rowRanks[leftIndex] ?? 0, rowRanks[rightIndex] ?? 0) || leftIndex - rightIndex,
    )
    .reduce<Row[]>((ordered, index) => {
      const row = rows[index];
      if (row !== undefined) ordered.push(row);
      return ordered;
    }, []);
}

/** Compares by size, or letter by letter. */
function compareSigns<Value extends number | string>(leftValue: Value, rightValue: Value): number {
  return leftValue < rightValue ? -1 : Number(leftValue > rightValue);
}

/** Returns the rank of each value. Equal values share a rank. */
function rankOf(values: ReadonlySet<string>, comparison: Comparison): ReadonlyMap<string, number> {
  const compare = comparers[comparison];
  const sortedValues = [...values].sort(compare);
  const ranks = new Map<string, number>();
  let rank = 0;
  for (const [index, value] of sortedValues.entries()) {
    const previous = sortedValues[index - 1];
    if (previous !== undefined && compare(previous, value) !== 0) rank += 1;
    ranks.set(value, rank);
  }
  return ranks;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Compares texts as a person would: `Plan 2` before `Plan 10`, ignoring case. */
export function compareText(leftText: string, rightText: string): number {
  return collator.compare(leftText, rightText);
}

/** Compares FHIR dates and instants by their moment, for any zone and precision. */
export function compareTime(leftText: string, rightText: string): number {
  const [leftTime, rightTime] = [Date.parse(leftText), Date.parse(rightText)];
  if (Number.isNaN(leftTime) || Number.isNaN(rightTime)) return collator.compare(leftText, rightText);
  return leftTime - rightTime;
}

const comparers: Readonly<Record<Comparison, (leftValue: string, rightValue: string) => number>> = {
  text: compareText,
  code: compareSigns,
  time: compareTime,
  number: (leftCount, rightCount) => Number(leftCount) - Number(rightCount),
};
