import { alignElements } from '../json/align.ts';
import type { JsonNode } from '../json/node.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import type { Issue } from './text-validation.ts';

/** Assigns keys to findings. A finding keeps its key in every text of a record, wherever its element moves. */
export class FindingKeys {
  private root: JsonNode | undefined;
  private keysById: ReadonlyMap<string, string> = new Map();
  private count = 0;

  /** Returns the keys of the issues of a text in order. A text that is not JSON has no `root`. */
  name(root: JsonNode | undefined, issues: readonly Issue[]): string[] {
    if (!root) return issues.map(() => this.next());
    const toBefore = this.root && alignElements(this.root, root).toBefore;
    const unusedKeys = new Map(this.keysById);
    const keys = issues.map((issue) => {
      const previousId = idOf(issue, toBefore && previousPointer(issue, toBefore));
      const key = unusedKeys.get(previousId) ?? this.next();
      // Two findings of one element can have the same sentence. Each needs its own key.
      unusedKeys.delete(previousId);
      return key;
    });
    this.keysById = new Map(issues.map((issue, index) => [idOf(issue, issue.pointer), keys[index] ?? '']));
    this.root = root;
    return keys;
  }

  private next(): string {
    this.count += 1;
    return String(this.count);
  }
}

function previousPointer(
  { pointer }: Issue,
  toBefore: (tokens: readonly string[]) => string[] | undefined,
): string | undefined {
  const tokens = pointer === undefined ? undefined : parsePointer(pointer);
  const previousTokens = tokens && toBefore(tokens);
  return previousTokens && formatPointer(previousTokens);
}

function idOf({ rule, text }: Issue, pointer: string | undefined): string {
  return `${rule} ${pointer ?? ''} ${text}`;
}
