/** Pairs the items of two lists for core/json/align.ts. Invariant: no item is paired by its index alone. */
import { items, member, stringMember, serializeNode, type JsonNode } from './node.ts';
import { commonSubsequence, gapsBetween, risingPairs, type Gap } from './rising.ts';
import { pairSimilar, type LooseGap, type LooseItem } from './similar-items.ts';
import { ValueIds } from './value-ids.ts';

export type Evidence = 'key' | 'equal' | 'similar' | 'neighbors';

/** Pairs of the same item in two lists, changed or not. */
export interface ListAlignment {
  /** For each item before, the index of its partner after, or -1. */
  readonly toAfter: Int32Array;
  /** For each item after, the index of its partner before, or -1. */
  readonly toBefore: Int32Array;
  /** Returns the reason for the pair of an item before; undefined if it has no partner. */
  readonly evidenceOf: (before: number) => Evidence | undefined;
  /** Items before that are similar to several items after. Their partner is ambiguous. */
  readonly uncertain: ReadonlySet<number>;
  /** False if there were too many items to compare all. */
  readonly complete: boolean;
}

/** Above this product of lengths, equal items without a key pair in order instead of by a longest common subsequence. */
const maxComparisons = 16_384;

/** Above this product of lengths, items are not compared by their form. */
const maxForms = 64;

/**
 * Pairs the items of two lists: by a key that is unique in both lists, by equal content, by similar content,
 * and finally items with a unique form between the same neighbors. Equal items pair in order. The cost is
 * near linear in the size of both lists, for any content.
 */
export function alignItems(
  before: readonly JsonNode[],
  after: readonly JsonNode[],
  ids: ValueIds = new ValueIds(),
): ListAlignment {
  return new ListAligner(before, after, ids).align();
}

type KeyOf = (node: JsonNode) => string | undefined;

class ListAligner {
  private readonly before: readonly JsonNode[];
  private readonly after: readonly JsonNode[];
  private readonly ids: ValueIds;
  private readonly toAfter: Int32Array;
  private readonly toBefore: Int32Array;
  private readonly evidence = new Map<number, Evidence>();
  private uncertain: ReadonlySet<number> = new Set();
  private complete = true;

  constructor(before: readonly JsonNode[], after: readonly JsonNode[], ids: ValueIds) {
    this.before = before;
    this.after = after;
    this.ids = ids;
    this.toAfter = new Int32Array(before.length).fill(-1);
    this.toBefore = new Int32Array(after.length).fill(-1);
  }

  align(): ListAlignment {
    const wholeRange: Gap = { start: [0, 0], end: [this.before.length, this.after.length] };
    this.pairEqualEnds(wholeRange);
    if (this.hasLoose()) {
      for (const keyOf of keyFunctions) this.pairUnique(keyOf);
      this.pairEqualItems();
      this.pairSimilarItems();
      for (const gap of this.gaps()) this.pairOnlyForm(gap);
    }
    const { toAfter, toBefore, evidence, uncertain } = this;
    return {
      toAfter,
      toBefore,
      evidenceOf: (index) => (toAfter[index] === -1 ? undefined : (evidence.get(index) ?? 'equal')),
      uncertain,
      complete: this.complete,
    };
  }

  private hasLoose(): boolean {
    return this.toAfter.includes(-1) && this.toBefore.includes(-1);
  }

  private pair(row: number, column: number, evidence: Evidence): void {
    this.toAfter[row] = column;
    this.toBefore[column] = row;
    if (evidence !== 'equal') this.evidence.set(row, evidence);
  }

  /** Pairs equal loose items: unique ones, then those between the same neighbors, then in order. */
  private pairEqualItems(): void {
    if (!this.hasLoose()) return;
    const [rows, columns] = this.findCommonContent();
    const columnOf = uniqueIds(columns, (column) => this.columnId(column));
    for (const [id, row] of uniqueIds(rows, (index) => this.rowId(index))) {
      const column = columnOf.get(id) ?? -1;
      if (row !== -1 && column !== -1) this.pair(row, column, 'equal');
    }
    for (const gap of this.gaps()) this.pairEqualIn(this.pairEqualEnds(gap));
    this.pairEqualInOrder(rows, columns);
  }

  /** Returns the loose items whose signature is in the other list. Only these can have an equal item. */
  private findCommonContent(): readonly [rows: number[], columns: number[]] {
    const rows = looseIn(this.toAfter, 0, this.before.length);
    const columns = looseIn(this.toBefore, 0, this.after.length);
    const signatureOf = (nodes: readonly JsonNode[], index: number) => {
      const node = nodes[index];
      return node ? this.ids.signatures.compute(node) : 0;
    };
    const beforeSignatures = new Set(rows.map((row) => signatureOf(this.before, row)));
    const common = columns.filter((column) => beforeSignatures.has(signatureOf(this.after, column)));
    const commonSignatures = new Set(common.map((column) => signatureOf(this.after, column)));
    return [rows.filter((row) => commonSignatures.has(signatureOf(this.before, row))), common];
  }

  private rowId(index: number): number {
    const node = this.before[index];
    return node ? this.ids.getId(node) : 0;
  }

  private columnId(index: number): number {
    const node = this.after[index];
    return node ? this.ids.getId(node) : 0;
  }

  private isLooseAndEqual(row: number, column: number): boolean {
    const [rowNode, columnNode] = [this.before[row], this.after[column]];
    if (!rowNode || !columnNode || this.toAfter[row] !== -1 || this.toBefore[column] !== -1) return false;
    return this.ids.areEqual(rowNode, columnNode);
  }

  /** Pairs equal items from both ends inwards. Returns the remaining gap. */
  private pairEqualEnds({ start, end }: Gap): Gap {
    let [row, column] = start;
    let [lastRow, lastColumn] = end;
    while (row < lastRow && column < lastColumn && this.isLooseAndEqual(row, column)) {
      this.pair(row++, column++, 'equal');
    }
    while (row < lastRow && column < lastColumn && this.isLooseAndEqual(lastRow - 1, lastColumn - 1)) {
      this.pair(--lastRow, --lastColumn, 'equal');
    }
    return { start: [row, column], end: [lastRow, lastColumn] };
  }

  /** Pairs loose items whose key no other item of their list has. */
  private pairUnique(keyOf: KeyOf): void {
    if (!this.hasLoose()) return;
    const columns = uniqueKeys(this.after, keyOf);
    if (columns.size === 0) return;
    for (const [key, row] of uniqueKeys(this.before, keyOf)) {
      const column = columns.get(key) ?? -1;
      if (row === -1 || column === -1) continue;
      if (this.toAfter[row] === -1 && this.toBefore[column] === -1) this.pair(row, column, 'key');
    }
  }

  private gaps(): Gap[] {
    if (!this.hasLoose()) return [];
    return gapsBetween(risingPairs(this.toAfter), this.before.length, this.after.length);
  }

  private looseRows({ start, end }: Gap): number[] {
    return looseIn(this.toAfter, start[0], end[0]);
  }

  private looseColumns({ start, end }: Gap): number[] {
    return looseIn(this.toBefore, start[1], end[1]);
  }

  private pairEqualIn(gap: Gap): void {
    const [rows, columns] = [this.looseRows(gap), this.looseColumns(gap)];
    if (rows.length * columns.length > maxComparisons) return;
    const rowIds = rows.map((row) => this.rowId(row));
    const columnIds = columns.map((column) => this.columnId(column));
    for (const [row, column] of commonSubsequence(rowIds, columnIds)) {
      this.pair(rows[row] ?? 0, columns[column] ?? 0, 'equal');
    }
  }

  /** Pairs the remaining equal items: the first with the first, the second with the second. */
  private pairEqualInOrder(rows: readonly number[], columns: readonly number[]): void {
    const columnsById = new Map<number, number[]>();
    for (const column of columns.toReversed()) {
      if (this.toBefore[column] !== -1) continue;
      const id = this.columnId(column);
      const sameColumns = columnsById.get(id);
      if (sameColumns) sameColumns.push(column);
      else columnsById.set(id, [column]);
    }
    for (const row of rows) {
      const column = this.toAfter[row] === -1 ? columnsById.get(this.rowId(row))?.pop() : undefined;
      if (column !== undefined) this.pair(row, column, 'equal');
    }
  }

  private pairSimilarItems(): void {
    if (!this.hasLoose()) return;
    const gaps = this.gaps().map((gap): LooseGap => ({
      before: toItems(this.before, this.looseRows(gap)),
      after: toItems(this.after, this.looseColumns(gap)),
    }));
    const { pairs, uncertain, complete } = pairSimilar(gaps, this.ids);
    this.complete = complete;
    this.uncertain = uncertain;
    for (const [row, column] of pairs) this.pair(row, column, 'similar');
  }

  /** Pairs items between the same neighbors if their form is unique there. */
  private pairOnlyForm(gap: Gap): void {
    const [rows, columns] = [this.looseRows(gap), this.looseColumns(gap)];
    if (rows.length * columns.length > maxForms) return;
    const isSame = (row: number, column: number) => hasSameForm(this.before[row], this.after[column]);
    for (const row of rows) {
      const [column, ...furtherColumns] = columns.filter((candidate) => isSame(row, candidate));
      if (column === undefined || furtherColumns.length > 0) continue;
      if (rows.every((otherRow) => otherRow === row || !isSame(otherRow, column)))
        this.pair(row, column, 'neighbors');
    }
  }
}

/** Returns each key with the index of its item, or with -1 if several items have it. */
function uniqueKeys(nodes: readonly JsonNode[], keyOf: KeyOf): ReadonlyMap<string, number> {
  const indices = new Map<string, number>();
  for (const [index, node] of nodes.entries()) {
    const key = keyOf(node);
    if (key !== undefined) indices.set(key, indices.has(key) ? -1 : index);
  }
  return indices;
}

/** Returns each id with the index of its item, or with -1 if several items have it. */
function uniqueIds(indices: readonly number[], idOf: (index: number) => number): ReadonlyMap<number, number> {
  const ids = new Map<number, number>();
  for (const index of indices) {
    const id = idOf(index);
    ids.set(id, ids.has(id) ? -1 : index);
  }
  return ids;
}

function looseIn(partners: Int32Array, start: number, end: number): number[] {
  const loose: number[] = [];
  for (let index = start; index < end; index += 1) if (partners[index] === -1) loose.push(index);
  return loose;
}

function toItems(nodes: readonly JsonNode[], indices: readonly number[]): LooseItem[] {
  return indices.flatMap((index) => {
    const node = nodes[index];
    return node ? [{ index, node }] : [];
  });
}

/** Returns true for two values of one kind; objects must share at least half of their member names. */
function hasSameForm(before: JsonNode | undefined, after: JsonNode | undefined): boolean {
  if (before?.kind !== 'object' || after?.kind !== 'object') return before?.kind === after?.kind;
  const names = new Set(before.members.map(({ key }) => key));
  const common = after.members.filter(({ key }) => names.has(key)).length;
  return common * 2 >= Math.max(names.size, after.members.length);
}

type KeyFunction = (item: JsonNode) => string | undefined;

/**
 * Functions that return an identifying key of a list item, strongest first. This folder knows no FHIR types, so each
 * function tests which members the item has.
 */
const keyFunctions: readonly KeyFunction[] = [
  // Element.id and Resource.id, also of contained resources.
  (item) => stringMember(item, 'id'),
  (item) => stringMember(item, 'linkId'),
  // Extension, by the URL of its definition.
  (item) => stringMember(item, 'url'),
  // Identifier and ContactPoint.
  (item) => joinKey(stringMember(item, 'system'), stringMember(item, 'value')),
  // Coding. A Quantity also has the system and code of its unit.
  (item) => (member(item, 'value') ? undefined : codingKey(item)),
  // Reference, and CarePlan activity, by its `reference`.
  (item) => stringMember(item, 'reference') ?? stringMember(member(item, 'reference'), 'reference'),
  // CodeableConcept.
  conceptKey,
  // CarePlan activity, by its detail.
  (item) => {
    const detail = member(item, 'detail');
    const code = conceptKey(member(detail, 'code'));
    return code === undefined ? undefined : `${code} ${scheduleKey(detail)}`;
  },
  // Section, by code or title.
  (item) => conceptKey(member(item, 'code')),
  (item) => stringMember(item, 'title'),
];

/** Joins two parts. The length keeps different pairs apart. */
function joinKey(firstPart: string | undefined, secondPart: string | undefined): string | undefined {
  return firstPart === undefined || secondPart === undefined
    ? undefined
    : `${firstPart.length} ${firstPart} ${secondPart}`;
}

function codingKey(item: JsonNode | undefined): string | undefined {
  return joinKey(stringMember(item, 'system'), stringMember(item, 'code'));
}

function conceptKey(item: JsonNode | undefined): string | undefined {
  const keys = items(member(item, 'coding')).flatMap((coding) => codingKey(coding) ?? []);
  return keys.length === 0 ? undefined : keys.sort().join();
}

/** Returns the text of `scheduledTiming`, `scheduledPeriod` or `scheduledString`. */
function scheduleKey(detail: JsonNode | undefined): string {
  if (detail?.kind !== 'object') return '';
  return detail.members
    .filter(({ key }) => key.startsWith('scheduled'))
    .map(({ value }) => serializeNode(value))
    .join();
}
