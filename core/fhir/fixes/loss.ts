/**
 * Decides whether a fix is safe: by the leaf values of the record before and after it, never by a flag of the
 * fix. Called only by the table of fixes.
 */
import { stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import { formatList } from '../../text/language.ts';
import { defineMessages } from '../../text/message.ts';
import { formatPointer, locate } from '../../json/pointer.ts';

const messages = defineMessages('fix', {
  removes: '{words} (removes {names})',
  removesMore: {
    one: '{words} (removes {names} and {n} more element)',
    other: '{words} (removes {names} and {n} more elements)',
  },
  removesContent: '{words} (removes its content)',
  resource: { one: '{type} with its value', other: '{type} with its {n} values' },
});

export interface Loss {
  /** True if each value is still in the record, apart from a single corrected value. */
  readonly safe: boolean;
  /** Names of the elements that the change removes. */
  readonly removes: readonly string[];
}

/** A stated value. Null and an empty text state nothing. */
interface Leaf {
  readonly node: JsonNode;
  readonly tokens: readonly string[];
  /** Equal for equal values at any element. */
  readonly value: string;
}

/**
 * Returns the loss of a change at an element. Values may move, and one value may be corrected in its place. A narrative
 * that is written or changed is never safe, because its reader takes it for the author's words.
 */
export function lossOf(before: JsonObject, after: JsonObject, element: readonly string[]): Loss {
  const [oldLeaves, newLeaves] = [leavesOf(before), leavesOf(after)];
  const lostLeaves = unmatched(oldLeaves, newLeaves);
  const gainedByPointer = groupByPointer(unmatched(newLeaves, oldLeaves));
  const corrections = lostLeaves.filter((leaf) => gainedByPointer.has(toPointer(leaf)));
  const removals = lostLeaves.filter((leaf) => !gainedByPointer.has(toPointer(leaf)));
  const correctedByPointer = groupByPointer(corrections);
  const writesNarrative = [...gainedByPointer].some(([pointer, leaf]) =>
    isWritten(leaf, correctedByPointer.get(pointer)),
  );
  return {
    safe: removals.length === 0 && corrections.length <= 1 && !writesNarrative,
    removes: namesOf(removals, element, before, after),
  };
}

function toPointer({ tokens }: Leaf): string {
  return formatPointer(tokens);
}

function groupByPointer(leaves: readonly Leaf[]): ReadonlyMap<string, Leaf> {
  return new Map(leaves.map((leaf) => [toPointer(leaf), leaf]));
}

function leavesOf(root: JsonNode): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const walk = (node: JsonNode, tokens: readonly string[]): void => {
    if (node.kind === 'object') for (const { key, value } of node.members) walk(value, [...tokens, key]);
    else if (node.kind === 'array') node.items.forEach((item, index) => walk(item, [...tokens, `${index}`]));
    else {
      const value = valueOf(node);
      if (value !== undefined) leaves.push({ node, tokens, value });
    }
  };
  walk(root, []);
  return leaves;
}

function valueOf(node: JsonNode): string | undefined {
  if (node.kind === 'string') return node.value === '' ? undefined : `"${node.value}`;
  if (node.kind === 'number') return node.source;
  return node.kind === 'boolean' ? String(node.value) : undefined;
}

/** Leaves without an equal leaf on the other side. A node of both sides matches itself. */
function unmatched(leaves: readonly Leaf[], otherLeaves: readonly Leaf[]): readonly Leaf[] {
  const nodes = new Set(leaves.map(({ node }) => node));
  const otherNodes = new Set(otherLeaves.map(({ node }) => node));
  const counts = new Map<string, number>();
  for (const { node, value } of otherLeaves)
    if (!nodes.has(node)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return leaves.filter(({ node, value }) => {
    if (otherNodes.has(node)) return false;
    const count = counts.get(value) ?? 0;
    counts.set(value, count - 1);
    return count <= 0;
  });
}

/** FHIR R4 has no `div` outside narratives. A correction of tags that leaves the text writes nothing. */
function isWritten({ tokens, node }: Leaf, original: Leaf | undefined): boolean {
  if (tokens.at(-1) !== 'div' || node.kind !== 'string') return false;
  return original?.node.kind !== 'string' || textIn(original.node.value) !== textIn(node.value);
}

function textIn(markup: string): string {
  return markup.replaceAll(/<[^<>]*>/g, '');
}

/** Names of the removed children of an element; of its neighbours if those are removed. */
function namesOf(
  removals: readonly Leaf[],
  element: readonly string[],
  before: JsonObject,
  after: JsonObject,
): readonly string[] {
  const [firstLeaf, ...nextLeaves] = removals;
  if (!firstLeaf) return [];
  const parent: readonly string[] = firstLeaf.tokens.slice(0, -1);
  const common = nextLeaves.reduce((tokens, leaf) => commonStart(tokens, leaf.tokens), parent);
  const isBelow = removals.every(({ tokens }) => commonStart(element, tokens).length === element.length);
  const owner = isBelow ? element : common;
  const type = owner.length > 0 ? stringMember(locate(before, owner), 'resourceType') : undefined;
  const isWhole = removals.some(({ tokens }) => tokens.at(-1) === 'resourceType');
  if (type !== undefined && isWhole) return [messages.resource({ type, n: removals.length }).text];
  const name = owner.at(-1) ?? '';
  if (!isBelow && !/^\d*$/.test(name) && !locate(after, owner)) return [elementName(name)];
  return [...new Set(removals.map(({ tokens }) => elementName(tokens[owner.length] ?? name)))];
}

function commonStart(tokens: readonly string[], otherTokens: readonly string[]): readonly string[] {
  const end = tokens.findIndex((token, index) => token !== otherTokens[index]);
  return end < 0 ? tokens : tokens.slice(0, end);
}

/** The element of a `_name` sibling. */
function elementName(key: string): string {
  return key.replace(/^_/, '');
}

const maxNames = 5;

/** Returns the label of a fix. Lists the removed elements unless `namedElements` has all of them. */
export function labelOf(
  words: string,
  removes: readonly string[],
  namedElements: readonly string[] = [],
): string {
  if (removes.every((name) => namedElements.includes(name))) return words;
  const n = removes.length - maxNames;
  if (n <= 0) return messages.removes({ words, names: formatList(removes) }).text;
  return messages.removesMore({ words, names: formatList(removes.slice(0, maxNames), 'unit'), n }).text;
}

/** Returns the label of a fix for several findings, which may remove different elements. */
export function labelOfMany({
  ruleLabel,
  removes,
}: Pick<Loss, 'removes'> & { readonly ruleLabel: string }): string {
  return removes.length > 0 ? messages.removesContent({ words: ruleLabel }).text : ruleLabel;
}
