import { stringMember, type JsonNode } from './node.ts';
import { print } from './print.ts';
import { isAlike, likeness } from './similar.ts';

/** Pairs of indices, rising on both sides: item `[0]` of one array is item `[1]` of the other, changed or not. */
type Pairs = readonly (readonly [before: number, after: number])[];

export interface Alignment {
  readonly pairs: Pairs;
  /** An item was taken from one place and stands in another: pairing cannot tell what became of the others. */
  readonly moved: boolean;
  /** Items of the first array that are paired with none like them, while one like them came: they may have moved and changed. */
  readonly relocated: ReadonlySet<number>;
}

/** Above this many comparisons only equal beginnings and ends are paired. */
const mostComparisons = 4_000_000;

/**
 * Which items of two arrays are the same item: by `id` or `linkId` where every item has its own, else by equal values
 * (longest common subsequence) and, between equal neighbours, one with one, or each with the one that it is most alike.
 */
export function align(before: readonly JsonNode[], after: readonly JsonNode[]): Alignment {
  const keys = keysOf(before);
  const others = keysOf(after);
  if (keys && others) return byKey(keys, others);
  const left = before.map(canonical);
  const right = after.map(canonical);
  const equal = commonItems(left, right);
  const pairs = fillGaps(equal, before, after);
  return {
    pairs,
    moved: hasCrossing(pairs) || hasMoved(equal, left, right),
    relocated: relocated(pairs, before, after),
  };
}

function keysOf(items: readonly JsonNode[]): string[] | undefined {
  const keys = items.map((item) => stringMember(item, 'id') ?? stringMember(item, 'linkId'));
  const named = keys.filter((key) => key !== undefined);
  return named.length === items.length && new Set(named).size === items.length ? named : undefined;
}

function byKey(left: readonly string[], right: readonly string[]): Alignment {
  const pairs = left
    .map((key, index): [number, number] => [index, right.indexOf(key)])
    .filter(([, index]) => index !== -1);
  return { pairs, moved: hasCrossing(pairs), relocated: new Set() };
}

/** Text that is the same for equal nodes: members by name, strings without their escapes. */
function canonical(node: JsonNode): string {
  if (node.kind === 'object') {
    const members = node.members.map(({ key, value }) => `${JSON.stringify(key)}:${canonical(value)}`);
    return `{${members.sort().join(',')}}`;
  }
  if (node.kind === 'array') return `[${node.items.map(canonical).join(',')}]`;
  return node.kind === 'string' ? JSON.stringify(node.value) : print(node);
}

/** The longest common subsequence; equal ends are paired first. */
function commonItems(left: readonly string[], right: readonly string[]): [number, number][] {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const [rows, columns] = [left.length - head - tail, right.length - head - tail];
  const middle = rows * columns > mostComparisons ? [] : longest(left, right, head, rows, columns);
  const pairs = Array.from({ length: head }, (_, index): [number, number] => [index, index]);
  for (const pair of middle) pairs.push(pair);
  for (let index = tail; index > 0; index -= 1) pairs.push([left.length - index, right.length - index]);
  return pairs;
}

function longest(
  left: readonly string[],
  right: readonly string[],
  head: number,
  rows: number,
  columns: number,
): [number, number][] {
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[head + row] === right[head + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    if (left[head + row] === right[head + column]) {
      pairs.push([head + row, head + column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Adds the changed items between equal ones. */
function fillGaps(
  equal: readonly [number, number][],
  before: readonly JsonNode[],
  after: readonly JsonNode[],
): [number, number][] {
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  for (const [nextRow, nextColumn] of [...equal, [before.length, after.length] as const]) {
    for (const [at, to] of gapPairs(before.slice(row, nextRow), after.slice(column, nextColumn))) {
      pairs.push([row + at, column + to]);
    }
    if (nextRow < before.length) pairs.push([nextRow, nextColumn]);
    [row, column] = [nextRow + 1, nextColumn + 1];
  }
  return pairs;
}

/** Above this many comparisons of whole items none is paired. */
const mostLikenesses = 4096;

/** One with one; of several, those that are alike and more so than either is to any other. */
function gapPairs(before: readonly JsonNode[], after: readonly JsonNode[]): [number, number][] {
  if (before.length === 1 && after.length === 1) return [[0, 0]];
  if (before.length * after.length > mostLikenesses) return [];
  const scores = before.map((item) => after.map((other) => likeness(item, other)));
  return before.flatMap((item, row): [number, number][] => {
    const own = scores[row] ?? [];
    const best = Math.max(...own);
    const column = own.indexOf(best);
    const other = after[column];
    const isOnly =
      own.filter((score) => score === best).length === 1 &&
      scores.every((line, index) => index === row || (line[column] ?? 0) < best);
    return other && isOnly && isAlike(item, other) ? [[row, column]] : [];
  });
}

function hasCrossing(pairs: Pairs): boolean {
  return pairs.some(([, index], at) => index < (pairs[at - 1]?.[1] ?? 0));
}

function hasMoved(
  equal: readonly [number, number][],
  left: readonly string[],
  right: readonly string[],
): boolean {
  const kept = new Set(equal.map(([row]) => row));
  const stayed = new Set(equal.map(([, column]) => column));
  const gone = new Set(left.filter((_, row) => !kept.has(row)));
  return right.some((item, column) => !stayed.has(column) && gone.has(item));
}

function relocated(pairs: Pairs, before: readonly JsonNode[], after: readonly JsonNode[]): Set<number> {
  // One with one between equal neighbours is a pair also where another item was put there.
  const alike = pairs.filter(([row, column]) => areAlike(before[row], after[column]));
  const paired = new Set(alike.map(([row]) => row));
  const taken = new Set(alike.map(([, column]) => column));
  const gone = [...before.keys()].filter((row) => !paired.has(row));
  const came = after.filter((_, column) => !taken.has(column));
  // Too many to look at each: in doubt.
  if (gone.length * came.length > mostLikenesses) return new Set(gone);
  return new Set(
    gone.filter((row) => {
      const item = before[row];
      return came.some((other) => areAlike(item, other));
    }),
  );
}

function areAlike(item: JsonNode | undefined, other: JsonNode | undefined): boolean {
  return item !== undefined && other !== undefined && isAlike(item, other);
}
