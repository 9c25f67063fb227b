import { alignElements, type ElementAlignment } from './align.ts';
import { listChanges, type ElementChange } from './diff.ts';
import type { ReadText } from './follow-cursor.ts';
import { lineChanges, type LineChange } from './line-changes.ts';
import type { JsonNode } from './node.ts';
import { formatPointer, locate, parsePointer } from './pointer.ts';
import { resolveNearest } from './nearest-element.ts';

/**
 * Returns the lines of `after` whose elements differ from `before`. Items that only moved up or down with their
 * neighbors have no change. If only the layout differs, lines are compared as text.
 */
export function elementLines(before: ReadText, after: ReadText): LineChange[] {
  if (before.text === after.text) return [];
  const changes = listChanges(before.root, after.root);
  if (changes.length === 0) return lineChanges(before.text, after.text);
  const marker = new LineMarker(before.root, after);
  const lines = changes.map((change) => marker.mark(change));
  return [
    ...new Map(lines.map((lineChange) => [`${lineChange.kind} ${lineChange.line}`, lineChange])).values(),
  ].sort((change, otherChange) => change.line - otherChange.line);
}

class LineMarker {
  private readonly alignment: ElementAlignment;
  private readonly lineEnds: readonly number[];
  /** For each element that lost a child, by the child's name: the offset of the next remaining child. */
  private readonly following = new Map<string, ReadonlyMap<string, number>>();
  private readonly before: JsonNode;
  private readonly after: ReadText;

  constructor(before: JsonNode, after: ReadText) {
    this.before = before;
    this.after = after;
    this.alignment = alignElements(before, after.root);
    this.lineEnds = [...after.text.matchAll(/\n/g)].map(({ index }) => index);
  }

  mark(change: ElementChange): LineChange {
    const tokens = parsePointer(change.pointer) ?? [];
    if (change.after === undefined) return this.markRemoved(tokens);
    const { node, key } = resolveNearest(this.after.root, tokens);
    const [startOffset, endOffset] = [key?.start ?? node.start, node.end];
    const isAdded = change.before === undefined && this.hasLines(startOffset, endOffset);
    const line = this.lineOf(startOffset);
    return { kind: isAdded ? 'added' : 'changed', line, count: this.lineOf(endOffset) - line + 1 };
  }

  /** Marks the line of the next remaining element, otherwise the last line of the parent. */
  private markRemoved(tokens: readonly string[]): LineChange {
    const path = tokens.slice(0, -1);
    const parent = locate(this.after.root, this.alignment.toAfter(path) ?? []) ?? this.after.root;
    const next = this.nextOf(path, tokens.at(-1) ?? '');
    const line = this.lineOf(next ?? parent.end - 1);
    if (this.lineOf(parent.start) === this.lineOf(parent.end)) return { kind: 'changed', line, count: 1 };
    return { kind: 'removed', line, count: 0 };
  }

  private nextOf(path: readonly string[], token: string): number | undefined {
    const pointer = formatPointer(path);
    const childOffsets = this.following.get(pointer) ?? this.readFollowing(path);
    this.following.set(pointer, childOffsets);
    return childOffsets.get(token);
  }

  /**
   * Reads the children of an element from the last to the first, so that many removed children cost no more
   * than one.
   */
  private readFollowing(path: readonly string[]): ReadonlyMap<string, number> {
    const offsets = new Map<string, number>();
    let next: number | undefined;
    for (const name of childNames(locate(this.before, path)).reverse()) {
      if (next !== undefined) offsets.set(name, next);
      const targetTokens = this.alignment.toAfter([...path, name]);
      const target = targetTokens && resolveNearest(this.after.root, targetTokens);
      if (target) next = target.key?.start ?? target.node.start;
    }
    return offsets;
  }

  /** Returns true if the lines of a range contain nothing else. */
  private hasLines(start: number, end: number): boolean {
    const { text } = this.after;
    const lineEnd = text.indexOf('\n', end);
    const head = text.slice(text.lastIndexOf('\n', start) + 1, start);
    return /^\s*$/.test(head) && /^\s*,?\s*$/.test(text.slice(end, lineEnd === -1 ? text.length : lineEnd));
  }

  private lineOf(offset: number): number {
    let [low, high] = [0, this.lineEnds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.lineEnds[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}

function childNames(node: JsonNode | undefined): string[] {
  if (node?.kind === 'array') return node.items.map((_, index) => String(index));
  return node?.kind === 'object' ? node.members.map(({ key }) => key) : [];
}
