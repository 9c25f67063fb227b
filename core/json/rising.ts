/** Sequences of pairs that rise on both sides, and the gaps between them. */

/** Indices of a pair: an item of the list before, and an item of the list after. */
export type Pair = readonly [before: number, after: number];

/** Items between two neighboring pairs: from `start` to `end`, exclusive, on each side. */
export interface Gap {
  readonly start: Pair;
  readonly end: Pair;
}

/**
 * Returns a longest rising subsequence in O(n log n) time.
 *
 * @param numbers - Distinct numbers.
 * @returns Indices in `numbers`, rising.
 */
export function longestRising(numbers: readonly number[]): number[] {
  const previous = new Int32Array(numbers.length).fill(-1);
  // Index of the last element of the best sequence of each length.
  const lastIndices: number[] = [];
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, lastIndices.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[lastIndices[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = lastIndices[low - 1] ?? -1;
    lastIndices[low] = index;
  }
  const rising: number[] = [];
  for (let index = lastIndices.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) rising.push(index);
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
  return longestRising(columns).map((index) => [rows[index] ?? 0, columns[index] ?? 0]);
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
export function commonSubsequence(beforeIds: readonly number[], afterIds: readonly number[]): Pair[] {
  const width = afterIds.length + 1;
  const lengths = new Uint16Array((beforeIds.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = beforeIds.length - 1; row >= 0; row -= 1) {
    for (let column = afterIds.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        beforeIds[row] === afterIds[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < beforeIds.length && column < afterIds.length) {
    if (beforeIds[row] === afterIds[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
