/** What a quick fix is: for each rule, the changes that mend a finding, or why there is none that is safe. */
import type { JsonNode, JsonObject } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import type { Enclosed } from '../enclosing.ts';

/** What may be known beside the record. */
export interface FixSettings {
  /** A date (YYYY-MM-DD). */
  readonly today: string;
  /** The zone of a local time (`YYYY-MM-DDTHH:MM:SS`) where the steward sits, such as `+01:00`; UTC alone where absent. */
  readonly zoneOf?: (local: string) => string;
}

/** Where a finding is. */
export interface FixPlace extends FixSettings {
  readonly root: JsonObject;
  readonly tokens: readonly string[];
  /** The same as the resource sees it in which it lies. */
  readonly enclosed: Enclosed;
  /** What stands there; undefined for a missing element alone. */
  readonly node: JsonNode | undefined;
  /** The technical detail of the finding: for a missing element its name. */
  readonly detail: string;
}

/** A way to mend. `id` is the same wherever the same is done, so that a whole store can be mended by it. */
export interface Way {
  readonly id: string;
  /** What is done, as a button says it. */
  readonly words: string;
  readonly root: JsonNode;
}

export interface Fix {
  readonly rule: string;
  /** What it does, where many findings are mended by it; absent where there is none. */
  readonly words?: string;
  /** The ways to mend a finding, the safest first. */
  readonly ways: (place: FixPlace) => readonly (Way | undefined)[];
  /** Why there is no way, where there is none. */
  readonly none: string;
}

/** The row of a rule that nothing mends safely. */
export function never(rule: string, none: string): Fix {
  return { rule, none, ways: () => [] };
}

/** A node for a value that code makes. */
export function nodeOf(value: unknown): JsonNode {
  return scan(JSON.stringify(value)).root;
}

/** The text of a string node. */
export function textOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'string' ? node.value : undefined;
}

/** How many letters differ, up to three. */
export function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index += 1) {
      const same = one.charAt(at) === other.charAt(index - 1) ? 0 : 1;
      next.push(Math.min((row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1, (row[index - 1] ?? 0) + same));
    }
    row = next;
  }
  return Math.min(3, row[other.length] ?? 3);
}
