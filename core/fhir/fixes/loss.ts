/**
 * Decides whether a fix is safe: by the leaf values of the record before and after it, never by a flag of the fix.
 * Called by the table of fixes alone.
 */
import { stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';

/** What a change of a record takes away. */
export interface Loss {
  /** True if each value is still in the record, but for one that the change corrects. */
  readonly safe: boolean;
  /** Names of the elements that the change removes. */
  readonly removes: readonly string[];
}

/** A value that the record states; null states nothing, and an empty text neither. */
interface Leaf {
  readonly node: JsonNode;
  readonly tokens: readonly string[];
  /** The same for the same value, wherever it stands. */
  readonly value: string;
}

/**
 * Returns what a change at a place takes away. Values may move; one value may be corrected where it stands. A narrative that is
 * written or changed is never safe, because its reader takes it for the author's words.
 */
export function lossOf(before: JsonObject, after: JsonObject, at: readonly string[]): Loss {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const lost = missing(was, is);
  const gained = missing(is, was);
  const successors = new Map(gained.map((leaf) => [leaf.tokens.join('/'), leaf]));
  const corrected = lost.filter(({ tokens }) => successors.has(tokens.join('/')));
  const removed = lost.filter((leaf) => !corrected.includes(leaf));
  const originals = new Map(corrected.map((leaf) => [leaf.tokens.join('/'), leaf]));
  const writes = gained.some((leaf) => isWritten(leaf, originals.get(leaf.tokens.join('/'))));
  return {
    safe: removed.length === 0 && corrected.length <= 1 && !writes,
    removes: namesOf(removed, at, before, after),
  };
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

/** The leaves for whose value the other side has no leaf. A node that both sides share counts for itself. */
function missing(leaves: readonly Leaf[], others: readonly Leaf[]): readonly Leaf[] {
  const shared = new Set(others.map(({ node }) => node));
  const own = new Set(leaves.map(({ node }) => node));
  const counts = new Map<string, number>();
  for (const { node, value } of others) if (!own.has(node)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return leaves.filter(({ node, value }) => {
    if (shared.has(node)) return false;
    const count = counts.get(value) ?? 0;
    counts.set(value, count - 1);
    return count <= 0;
  });
}

/** FHIR R4 has no other element of this name. */
function isWritten({ tokens, node }: Leaf, original: Leaf | undefined): boolean {
  if (tokens.at(-1) !== 'div' || node.kind !== 'string') return false;
  return original?.node.kind !== 'string' || textIn(original.node.value) !== textIn(node.value);
}

function textIn(markup: string): string {
  return markup.replaceAll(/<[^>]*>/g, '');
}

/** Names what goes below the element at `at`; where more goes, the elements that share a parent. */
function namesOf(
  removed: readonly Leaf[],
  at: readonly string[],
  before: JsonObject,
  after: JsonObject,
): readonly string[] {
  const [first, ...others] = removed;
  if (!first) return [];
  const parent: readonly string[] = first.tokens.slice(0, -1);
  const common = others.reduce((tokens, leaf) => shared(tokens, leaf.tokens), parent);
  const isBelow = removed.every(({ tokens }) => shared(at, tokens).length === at.length);
  const around = isBelow ? at : common;
  const type = around.length > 0 ? stringMember(locate(before, around), 'resourceType') : undefined;
  const isWhole = removed.some(({ tokens }) => tokens.at(-1) === 'resourceType');
  if (type !== undefined && isWhole) return [`${type} with its ${removed.length} values`];
  const name = around.at(-1) ?? '';
  if (!isBelow && !/^\d*$/.test(name) && !locate(after, around)) return [plain(name)];
  return [...new Set(removed.map(({ tokens }) => plain(tokens[around.length] ?? name)))];
}

function shared(one: readonly string[], other: readonly string[]): readonly string[] {
  const end = one.findIndex((token, index) => token !== other[index]);
  return end < 0 ? one : one.slice(0, end);
}

function plain(name: string): string {
  return name.replace(/^_/, '');
}

const mostNames = 5;

/** Returns the words of a fix with the names of what it removes, where the words do not have them. */
export function labelOf(words: string, removes: readonly string[]): string {
  if (removes.every((name) => words.split(' ').includes(name))) return words;
  const more = removes.length - mostNames;
  const names = removes.slice(0, mostNames).join(', ');
  return `${words} (removes ${names}${more > 0 ? ` and ${more} more` : ''})`;
}

/** Returns the words of a fix that is done at several findings, where it removes other elements at each. */
export function labelOfMany({ words, removes }: Pick<Loss, 'removes'> & { readonly words: string }): string {
  return removes.length > 0 ? `${words} (removes what is stated there)` : words;
}
