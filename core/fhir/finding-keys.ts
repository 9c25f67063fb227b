import { alignElements } from '../json/align.ts';
import type { JsonNode } from '../json/node.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import type { Issue } from './text-validation.ts';

/** Names findings so that the same finding has the same key in each text of a record, wherever its element moves. */
export class FindingKeys {
  private root: JsonNode | undefined;
  private known: ReadonlyMap<string, string> = new Map();
  private count = 0;

  /** Returns the keys of the issues of a text, in their order; a text that is no JSON has no `root`. */
  name(root: JsonNode | undefined, issues: readonly Issue[]): string[] {
    if (!root) return issues.map(() => this.next());
    const toBefore = this.root && alignElements(this.root, root).toBefore;
    const left = new Map(this.known);
    const keys = issues.map((issue) => {
      const former = idOf(issue, toBefore && formerPointer(issue, toBefore));
      const key = left.get(former) ?? this.next();
      // Two findings of one element have the same sentence: each has a key of its own.
      left.delete(former);
      return key;
    });
    this.known = new Map(issues.map((issue, index) => [idOf(issue, issue.pointer), keys[index] ?? '']));
    this.root = root;
    return keys;
  }

  private next(): string {
    this.count += 1;
    return String(this.count);
  }
}

function formerPointer(
  { pointer }: Issue,
  toBefore: (tokens: readonly string[]) => string[] | undefined,
): string | undefined {
  const tokens = pointer === undefined ? undefined : parsePointer(pointer);
  const former = tokens && toBefore(tokens);
  return former && formatPointer(former);
}

function idOf({ rule, text }: Issue, pointer: string | undefined): string {
  return `${rule} ${pointer ?? ''} ${text}`;
}
