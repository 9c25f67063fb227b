/** Range of lines in which a text differs from an earlier one. Lines count from 1. */
export interface LineChange {
  readonly kind: 'added' | 'changed' | 'removed';
  /** First line of the range. For removed lines, the line before which they were. */
  readonly line: number;
  /** Count of lines in the new text; 0 for removed lines. */
  readonly count: number;
}

/** Maximum count of edits that are searched. Beyond it, the whole range counts as changed. */
const maxEdits = 400;

/**
 * Returns the lines in which `after` differs from `before`. Drops equal lines at both ends, then searches the
 * shortest edit (Myers 1986, An O(ND) difference algorithm).
 */
export function lineChanges(before: string, after: string): LineChange[] {
  if (before === after) return [];
  const oldLines = before.split('\n');
  const newLines = after.split('\n');
  let head = 0;
  // The loop ends, because the texts differ.
  while (oldLines[head] === newLines[head]) head += 1;
  let tail = 0;
  const maxTail = Math.min(oldLines.length, newLines.length) - head;
  while (tail < maxTail && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail])
    tail += 1;
  const oldRange = oldLines.slice(head, oldLines.length - tail);
  const newRange = newLines.slice(head, newLines.length - tail);
  return findStretches(oldRange, newRange).map(({ removedCount, line, count }) => ({
    kind: removedCount === 0 ? 'added' : count === 0 ? 'removed' : 'changed',
    line: head + line + 1,
    count,
  }));
}

interface Stretch {
  removedCount: number;
  line: number;
  count: number;
}

function findStretches(oldLines: readonly string[], newLines: readonly string[]): Stretch[] {
  const wholeRange = [{ removedCount: oldLines.length, line: 0, count: newLines.length }];
  if (oldLines.length === 0 || newLines.length === 0) return wholeRange;
  const commonLines = findCommonLines(oldLines, newLines);
  if (!commonLines) return wholeRange;
  const stretches: Stretch[] = [];
  let [x, y] = [0, 0];
  for (const [commonX, commonY] of [...commonLines, [oldLines.length, newLines.length] as const]) {
    if (commonX > x || commonY > y)
      stretches.push({ removedCount: commonX - x, line: y, count: commonY - y });
    [x, y] = [commonX + 1, commonY + 1];
  }
  return stretches;
}

/**
 * Returns the pairs of equal lines in the shortest edit; undefined if it has more than {@link maxEdits}
 * steps.
 */
function findCommonLines(
  oldLines: readonly string[],
  newLines: readonly string[],
): (readonly [number, number])[] | undefined {
  const reachByEdits: Int32Array[] = [];
  const size = maxEdits + 1;
  const reach = new Int32Array(2 * size + 1);
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    reachByEdits.push(reach.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = goesDown(reach, size, diagonal, edits);
      let x = down ? reachAt(reach, size + diagonal + 1) : reachAt(reach, size + diagonal - 1) + 1;
      while (x < oldLines.length && x - diagonal < newLines.length && oldLines[x] === newLines[x - diagonal])
        x += 1;
      reach[size + diagonal] = x;
      if (x >= oldLines.length && x - diagonal >= newLines.length)
        return walkBack(reachByEdits, size, oldLines.length, newLines.length);
    }
  }
  return undefined;
}

function reachAt(reach: Int32Array, index: number): number {
  return reach[index] ?? 0;
}

function goesDown(reach: Int32Array, size: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && reachAt(reach, size + diagonal - 1) < reachAt(reach, size + diagonal + 1);
}

function walkBack(
  reachByEdits: readonly Int32Array[],
  size: number,
  width: number,
  height: number,
): (readonly [number, number])[] {
  const commonLines: (readonly [number, number])[] = [];
  let [x, y] = [width, height];
  for (const [edits, reach] of [...reachByEdits.entries()].reverse()) {
    const diagonal = x - y;
    const down = goesDown(reach, size, diagonal, edits);
    const previous = down ? diagonal + 1 : diagonal - 1;
    const startX = edits === 0 ? 0 : reachAt(reach, size + previous);
    const startY = edits === 0 ? 0 : startX - previous;
    while (x > startX && y > startY) {
      x -= 1;
      y -= 1;
      commonLines.push([x, y]);
    }
    [x, y] = [startX, startY];
  }
  return commonLines.reverse();
}
