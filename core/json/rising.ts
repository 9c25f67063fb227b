/** Sequences of pairs that rise on both sides, and the gaps between them. */

/** Indices of a pair: an item of the list before, and an item of the list after. */
export type Pair = readonly [before: number, after: number];

/** The items between two neighboring pairs: those from `start` up to `end`, exclusive, on each side. */
export interface Gap {
  readonly start: Pair;
  readonly end: Pair;
}

/**
 * Returns a longest rising subsequence in O(n log n) time.
 *
 * @param numbers - Distinct numbers.
 * @returns Places in `numbers`, rising.
 */
export function longestRising(numbers: readonly number[]): number[] {
  const previous = new Int32Array(numbers.length).fill(-1);
  // The place that ends the best sequence of each length.
  const ends: number[] = [];
  for (const [place, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[place] = ends[low - 1] ?? -1;
    ends[low] = place;
  }
  const rising: number[] = [];
  for (let place = ends.at(-1) ?? -1; place !== -1; place = previous[place] ?? -1) rising.push(place);
  return rising.reverse();
}

/**
 * Returns the pairs that did not change their order.
 *
 * @param toAfter - For each item before, the index of its partner after, or -1.
 */
export function risingPairs(toAfter: Int32Array): Pair[] {
  const rows: number[] = [];
  const columns: number[] = [];
  for (const [row, column] of toAfter.entries()) {
    if (column === -1) continue;
    rows.push(row);
    columns.push(column);
  }
  return longestRising(columns).map((place) => [rows[place] ?? 0, columns[place] ?? 0]);
}

/** Returns the gaps around and between rising pairs. */
export function gapsBetween(pairs: readonly Pair[], rows: number, columns: number): Gap[] {
  const gaps: Gap[] = [];
  let start: Pair = [0, 0];
  for (const end of [...pairs, [rows, columns] as const]) {
    if (end[0] > start[0] || end[1] > start[1]) gaps.push({ start, end });
    start = [end[0] + 1, end[1] + 1];
  }
  return gaps;
}

/** Returns a longest common subsequence. Time and memory are the product of both lengths. */
export function commonSubsequence(left: readonly number[], right: readonly number[]): Pair[] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
