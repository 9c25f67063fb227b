/** Quick fixes: for each rule, the changes that resolve a finding, or the reason why no change is safe. */
import type { JsonNode, JsonObject } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import type { Enclosed } from '../enclosing.ts';

/** Facts that the record does not contain. */
export interface FixSettings {
  /** Calendar date (YYYY-MM-DD). */
  readonly today: string;
  /**
   * Returns the user's time zone, such as `+01:00`, at a local time (`YYYY-MM-DDTHH:MM:SS`). Without it, only
   * UTC is suggested.
   */
  readonly zoneOf?: (local: string) => string;
}

export interface FixContext extends FixSettings {
  readonly root: JsonObject;
  readonly tokens: readonly string[];
  /** The element within its innermost resource. */
  readonly enclosed: Enclosed;
  /** The element; undefined if it is missing. */
  readonly node: JsonNode | undefined;
  /** Technical detail of the finding, such as the name of a missing element. */
  readonly detail: string;
}

/** One way to apply a fix. Equal changes have the same `id`, so that a whole store can be fixed by id. */
export interface FixOption {
  readonly id: string;
  readonly label: string;
  /** Names of removed elements in the label. */
  readonly names?: readonly string[];
  /** The record after the fix. */
  readonly fixedRoot: JsonNode;
}

export interface Fix {
  readonly rule: string;
  /** Label for the fixes of many findings. Absent if there is no fix. */
  readonly label?: string;
  /** Returns the options at a finding, the safest first. */
  readonly listOptions: (context: FixContext) => readonly (FixOption | undefined)[];
  /** Reason to show if `listOptions` returns no option. */
  readonly reasonWithoutOptions: string;
}

/** Creates the entry of a rule without a safe fix. */
export function createUnfixable(rule: string, reasonWithoutOptions: string): Fix {
  return { rule, reasonWithoutOptions, listOptions: () => [] };
}

/** Creates a node from a JavaScript value. */
export function nodeOf(value: unknown): JsonNode {
  return scan(JSON.stringify(value)).root;
}

/** Returns the text of a string node. */
export function textOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'string' ? node.value : undefined;
}

/** Returns the edit distance of two texts, up to three. */
export function getEditDistance(leftText: string, rightText: string): number {
  if (Math.abs(leftText.length - rightText.length) > 2) return 3;
  let row = Array.from({ length: rightText.length + 1 }, (_, index) => index);
  for (let leftIndex = 0; leftIndex < leftText.length; leftIndex += 1) {
    const next = [leftIndex + 1];
    for (let index = 1; index <= rightText.length; index += 1) {
      const cost = leftText.charAt(leftIndex) === rightText.charAt(index - 1) ? 0 : 1;
      next.push(Math.min((row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1, (row[index - 1] ?? 0) + cost));
    }
    row = next;
  }
  return Math.min(3, row[rightText.length] ?? 3);
}
