import type { JsonNode } from './node.ts';
import type { Pair } from './rising.ts';
import type { ValueIds } from './value-ids.ts';

/** List item without a partner so far. */
export interface LooseItem {
  readonly index: number;
  readonly node: JsonNode;
}

/** Loose items between the same neighbors. */
export interface LooseGap {
  readonly before: readonly LooseItem[];
  readonly after: readonly LooseItem[];
}

export interface SimilarPairs {
  /** Indices of similar items, each in one pair. */
  readonly pairs: readonly Pair[];
  /** Items before that are equally similar to another item after, or may have no partner. */
  readonly uncertain: ReadonlySet<number>;
  /** False if there were too many items to compare all. */
  readonly complete: boolean;
}

/** Share of equal leaf values from which two items are similar. */
const threshold = 0.5;

/** Leaf values of more items identify none of them. */
const maxHolders = 32;

/** Maximum count of items that are compared with one item. */
const maxCandidates = 8;

/** Count of edges below which each index fits into a sort key. */
const maxEdges = 2 ** 30;

interface Edge {
  readonly row: number;
  readonly column: number;
  readonly score: number;
}

/**
 * Pairs loose items that share at least half of their leaf values, the most similar first. Candidates come
 * from an index of leaf values. Items that share only frequent values are compared with the item of the same
 * rank between the same neighbors. The cost is linear in the count of leaf values.
 */
export function pairSimilar(gaps: readonly LooseGap[], ids: ValueIds): SimilarPairs {
  const before = gaps.flatMap((gap) => gap.before);
  const after = gaps.flatMap((gap) => gap.after);
  const search = new CandidateSearch(
    before.map(({ node }) => leavesOf(node, ids)),
    after.map(({ node }) => leavesOf(node, ids)),
  );
  const edges = search.edges(sameRank(gaps));
  const { pairs, uncertain } = assign(edges, before.length, after.length);
  const indexOf = (list: readonly LooseItem[], position: number) => list[position]?.index ?? -1;
  return {
    pairs: pairs.map(([row, column]): Pair => [indexOf(before, row), indexOf(after, column)]),
    uncertain: new Set([...uncertain].map((row) => indexOf(before, row))),
    complete: search.complete,
  };
}

/**
 * For each item before: the items after at the same rank of the same gap, counted from its start and its end.
 */
function sameRank(gaps: readonly LooseGap[]): number[][] {
  const ranks: number[][] = [];
  let start = 0;
  for (const { before, after } of gaps) {
    for (const rank of before.keys()) {
      const positions = new Set([rank, after.length - before.length + rank]);
      ranks.push(
        [...positions].filter((place) => place >= 0 && place < after.length).map((place) => start + place),
      );
    }
    start += after.length;
  }
  return ranks;
}

/** Leaf values of an item by the name of their element, with the count of each. */
interface Leaves {
  readonly counts: ReadonlyMap<number, number>;
  readonly total: number;
}

function leavesOf(node: JsonNode, ids: ValueIds): Leaves {
  const counts = new Map<number, number>();
  let total = 0;
  const visit = (child: JsonNode, name: number) => {
    if (child.kind === 'object') for (const { key, value } of child.members) visit(value, ids.getTextId(key));
    else if (child.kind === 'array') for (const item of child.items) visit(item, name);
    else {
      const leaf = name * 2 ** 26 + ids.getId(child);
      counts.set(leaf, (counts.get(leaf) ?? 0) + 1);
      total += 1;
    }
  };
  visit(node, 0);
  return { counts, total };
}

class CandidateSearch {
  /** True if each pair of items with a common leaf value was compared. */
  complete = true;
  private readonly before: readonly Leaves[];
  private readonly after: readonly Leaves[];
  private readonly holders = new Map<number, number[]>();
  private readonly common = new Set<number>();

  constructor(before: readonly Leaves[], after: readonly Leaves[]) {
    this.before = before;
    this.after = after;
    for (const [column, { counts }] of after.entries()) {
      for (const leaf of counts.keys()) this.addHolder(leaf, column);
    }
  }

  private addHolder(leaf: number, column: number): void {
    if (this.common.has(leaf)) return;
    const holders = this.holders.get(leaf);
    if (!holders) this.holders.set(leaf, [column]);
    else if (holders.length < maxHolders) holders.push(column);
    else {
      this.holders.delete(leaf);
      this.common.add(leaf);
    }
  }

  /** Returns the pairs above the threshold. */
  edges(nearbyColumns: readonly (readonly number[])[]): Edge[] {
    const edges: Edge[] = [];
    for (const [row, leaves] of this.before.entries()) {
      for (const column of this.candidates(leaves, nearbyColumns[row] ?? [])) {
        const score = similarity(leaves, this.after[column]);
        if (score >= threshold && edges.length < maxEdges) edges.push({ row, column, score });
      }
    }
    return edges;
  }

  private candidates({ counts }: Leaves, nearbyColumns: readonly number[]): Iterable<number> {
    const shared = new Map<number, number>();
    let isCommon = false;
    for (const leaf of counts.keys()) {
      for (const column of this.holders.get(leaf) ?? []) shared.set(column, (shared.get(column) ?? 0) + 1);
      isCommon ||= this.common.has(leaf);
    }
    if (isCommon) this.complete = false;
    let columns = [...shared.keys()];
    if (columns.length > maxCandidates && this.after.length > maxHolders) {
      this.complete = false;
      const sharedBy = (column: number) => shared.get(column) ?? 0;
      columns = columns
        .sort((column, otherColumn) => sharedBy(otherColumn) - sharedBy(column))
        .slice(0, maxCandidates);
    }
    return isCommon ? new Set([...nearbyColumns, ...columns]) : columns;
  }
}

/** Returns the share of equal leaf values: 0 to 1. */
function similarity(leaves: Leaves, otherLeaves: Leaves | undefined): number {
  if (!otherLeaves) return 0;
  let equal = 0;
  for (const [leaf, count] of leaves.counts) equal += Math.min(count, otherLeaves.counts.get(leaf) ?? 0);
  return equal / Math.max(leaves.total, otherLeaves.total, 1);
}

/** Assigns the most similar pairs first. Among equal scores, the first item before wins. */
function assign(edges: readonly Edge[], rows: number, columns: number) {
  const rowBest = new BestScores(rows);
  const columnBest = new BestScores(columns);
  // A number sorts faster than an object: score first, then the order of the edges.
  const order = new Float64Array(edges.length);
  for (const [index, { row, column, score }] of edges.entries()) {
    rowBest.add(row, score);
    columnBest.add(column, score);
    order[index] = Math.round((1 - score) * 10_000) * maxEdges + index;
  }
  const [takenRows, takenColumns] = [new Uint8Array(rows), new Uint8Array(columns)];
  const pairs: Pair[] = [];
  const certain = new Set<number>();
  const certainColumns = new Set<number>();
  for (const key of order.sort()) {
    const edge = edges[key % maxEdges];
    if (!edge || takenRows[edge.row] === 1 || takenColumns[edge.column] === 1) continue;
    const { row, column, score } = edge;
    takenRows[row] = 1;
    takenColumns[column] = 1;
    pairs.push([row, column]);
    if (rowBest.isOnly(row, score) && columnBest.isOnly(column, score)) {
      certain.add(row);
      certainColumns.add(column);
    }
  }
  const doubtful = edges.filter(({ row, column }) => !certain.has(row) && !certainColumns.has(column));
  return { pairs, uncertain: new Set(doubtful.map(({ row }) => row)) };
}

/** Best score of each item, and how many candidates reach it. */
class BestScores {
  private readonly scores: Float64Array;
  private readonly counts: Uint32Array;

  constructor(size: number) {
    this.scores = new Float64Array(size);
    this.counts = new Uint32Array(size);
  }

  add(position: number, score: number): void {
    const best = this.scores[position] ?? 0;
    if (score > best) {
      this.scores[position] = score;
      this.counts[position] = 1;
    } else if (score === best) this.counts[position] = (this.counts[position] ?? 0) + 1;
  }

  isOnly(position: number, score: number): boolean {
    return this.scores[position] === score && this.counts[position] === 1;
  }
}
