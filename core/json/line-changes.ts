/** A stretch of lines in which a text differs from an earlier one; lines are counted from 1. */
export interface LineChange {
  readonly kind: 'added' | 'changed' | 'removed';
  /** First line of the stretch; where lines were removed, the line before which they stood. */
  readonly line: number;
  /** How many lines of the new text it covers; 0 where lines were removed. */
  readonly count: number;
}

/** So many differing lines are told apart one by one; beyond it, the whole stretch counts as changed. */
const mostEdits = 400;

/**
 * The lines in which `after` differs from `before`. What is equal at both ends is put aside first, then the shortest
 * edit is looked for (Myers 1986, An O(ND) difference algorithm).
 */
export function lineChanges(before: string, after: string): LineChange[] {
  if (before === after) return [];
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  // It ends, as the texts differ.
  while (old[head] === now[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const from = old.slice(head, old.length - tail);
  const to = now.slice(head, now.length - tail);
  return stretches(from, to).map(({ removed, line, count }) => ({
    kind: removed === 0 ? 'added' : count === 0 ? 'removed' : 'changed',
    line: head + line + 1,
    count,
  }));
}

interface Stretch {
  removed: number;
  line: number;
  count: number;
}

function stretches(old: readonly string[], now: readonly string[]): Stretch[] {
  const whole = [{ removed: old.length, line: 0, count: now.length }];
  if (old.length === 0 || now.length === 0) return whole;
  const kept = keptLines(old, now);
  if (!kept) return whole;
  const found: Stretch[] = [];
  let [x, y] = [0, 0];
  for (const [keptX, keptY] of [...kept, [old.length, now.length] as const]) {
    if (keptX > x || keptY > y) found.push({ removed: keptX - x, line: y, count: keptY - y });
    [x, y] = [keptX + 1, keptY + 1];
  }
  return found;
}

/** Pairs of equal lines that the shortest edit keeps; undefined where it has more than {@link mostEdits} steps. */
function keptLines(
  old: readonly string[],
  now: readonly string[],
): (readonly [number, number])[] | undefined {
  const ends: Int32Array[] = [];
  const size = mostEdits + 1;
  const reach = new Int32Array(2 * size + 1);
  for (let edits = 0; edits <= mostEdits; edits += 1) {
    ends.push(reach.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = goesDown(reach, size, diagonal, edits);
      let x = down ? at(reach, size + diagonal + 1) : at(reach, size + diagonal - 1) + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1;
      reach[size + diagonal] = x;
      if (x >= old.length && x - diagonal >= now.length) return walkBack(ends, size, old.length, now.length);
    }
  }
  return undefined;
}

function at(reach: Int32Array, index: number): number {
  return reach[index] ?? 0;
}

function goesDown(reach: Int32Array, size: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && at(reach, size + diagonal - 1) < at(reach, size + diagonal + 1);
}

function walkBack(
  ends: readonly Int32Array[],
  size: number,
  width: number,
  height: number,
): (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  let [x, y] = [width, height];
  for (const [edits, reach] of [...ends.entries()].reverse()) {
    const diagonal = x - y;
    const down = goesDown(reach, size, diagonal, edits);
    const previous = down ? diagonal + 1 : diagonal - 1;
    const startX = edits === 0 ? 0 : at(reach, size + previous);
    const startY = edits === 0 ? 0 : startX - previous;
    while (x > startX && y > startY) {
      x -= 1;
      y -= 1;
      kept.push([x, y]);
    }
    [x, y] = [startX, startY];
  }
  return kept.reverse();
}
