/**
 * core/json/align.ts is the only module that decides which elements of two versions are the same. Saving,
 * merging, review, history, audit, bulk edits and finding states use it. Invariant: no item is paired by its
 * index alone.
 */
import { alignItems, type ListAlignment } from './list-alignment.ts';
import { items, member, objectNode, setMember, type JsonNode, type JsonObject } from './node.ts';
import { isArrayIndex } from './pointer.ts';
import { ValueIds } from './value-ids.ts';

export { alignItems, type ListAlignment } from './list-alignment.ts';

/** Finds the same element in two versions of a record. Lists are aligned when a path first leads through them. */
export interface ElementAlignment {
  /** Returns the path in the version before; undefined if the element was added, or does not exist. */
  readonly toBefore: (tokens: readonly string[]) => string[] | undefined;
  /** Returns the path in the version after; undefined if the element was removed, or does not exist. */
  readonly toAfter: (tokens: readonly string[]) => string[] | undefined;
}

/** Returns the alignment of all elements of two versions. */
export function alignElements(before: JsonNode, after: JsonNode): ElementAlignment {
  const aligner = new ElementAligner();
  return {
    toBefore: (tokens) => aligner.mapPath({ before, after }, tokens, 'after'),
    toAfter: (tokens) => aligner.mapPath({ before, after }, tokens, 'before'),
  };
}

/** The same element in both versions. */
export interface ElementPair {
  readonly before: JsonNode;
  readonly after: JsonNode;
}

/** Aligns lists of two versions on demand, each once. */
export class ElementAligner {
  /** Numbers of the values of both versions. */
  readonly ids = new ValueIds();
  /** Keyed by the list before: it has only one partner. */
  private readonly lists = new Map<JsonNode, ListAlignment>();
  private readonly members = new Map<JsonObject, ReadonlyMap<string, JsonNode>>();

  /**
   * Follows a path of one version and returns the path of the same element in the other version.
   *
   * @param side - The version that `tokens` belong to.
   */
  mapPath(root: ElementPair, tokens: readonly string[], side: keyof ElementPair): string[] | undefined {
    const otherTokens: string[] = [];
    let pair: ElementPair = root;
    let list = this.alignList(pair);
    for (const token of tokens) {
      const next: AlignedChild | undefined = list
        ? childItem(pair, list, token, side)
        : this.childMember(pair, token);
      if (!next) return undefined;
      otherTokens.push(next.token);
      // A member can be a list with a sibling, an item of a list cannot.
      list = list ? this.alignList(next) : this.alignMember(pair, token);
      pair = next;
    }
    return otherTokens;
  }

  /** Returns the alignment of two lists that are no members; undefined unless both are lists. */
  alignList({ before, after }: ElementPair): ListAlignment | undefined {
    if (before.kind !== 'array' || after.kind !== 'array') return undefined;
    return this.remember([before], () => alignItems(before.items, after.items, this.ids));
  }

  /**
   * Returns the alignment of the lists that two objects have as a member; undefined unless both are lists. A list of
   * primitives and the list of their ids and extensions are aligned as one (FHIR R4 json.html#primitive).
   */
  alignMember({ before, after }: ElementPair, key: string): ListAlignment | undefined {
    const lists = { before: this.memberOf(before, key), after: this.memberOf(after, key) };
    if (lists.before?.kind !== 'array' || lists.after?.kind !== 'array') return undefined;
    const name = key.startsWith('_') ? key.slice(1) : key;
    const siblings = [before, after].map((node) => this.memberOf(node, `_${name}`));
    if (siblings.every((node) => node?.kind !== 'array')) {
      return this.alignList({ before: lists.before, after: lists.after });
    }
    const joinedLists = [before, after].map((node) =>
      joinItems(name, items(this.memberOf(node, name)), items(this.memberOf(node, `_${name}`))),
    );
    const siblingLists = [this.memberOf(before, name), this.memberOf(before, `_${name}`)];
    return this.remember(siblingLists, () =>
      alignItems(joinedLists[0] ?? [], joinedLists[1] ?? [], this.ids),
    );
  }

  private remember(lists: readonly (JsonNode | undefined)[], align: () => ListAlignment): ListAlignment {
    const [existingAlignment] = lists.flatMap((list) => (list ? (this.lists.get(list) ?? []) : []));
    const alignment = existingAlignment ?? align();
    for (const list of lists) if (list) this.lists.set(list, alignment);
    return alignment;
  }

  private childMember({ before, after }: ElementPair, token: string): AlignedChild | undefined {
    const children = { before: this.memberOf(before, token), after: this.memberOf(after, token) };
    if (!children.before || !children.after) return undefined;
    return { token, before: children.before, after: children.after };
  }

  private memberOf(node: JsonNode, key: string): JsonNode | undefined {
    // An index is worthwhile for large objects only.
    if (node.kind !== 'object' || node.members.length < 16) return member(node, key);
    let index = this.members.get(node);
    if (!index) {
      index = new Map(node.members.map((objectMember) => [objectMember.key, objectMember.value]));
      this.members.set(node, index);
    }
    return index.get(key);
  }
}

interface AlignedChild extends ElementPair {
  /** The token in the other version. */
  readonly token: string;
}

function childItem(
  { before, after }: ElementPair,
  list: ListAlignment,
  token: string,
  side: keyof ElementPair,
): AlignedChild | undefined {
  if (!isArrayIndex(token)) return undefined;
  const index = Number(token);
  const partner = (side === 'before' ? list.toAfter : list.toBefore)[index] ?? -1;
  const [row, column] = side === 'before' ? [index, partner] : [partner, index];
  const children = { before: items(before)[row], after: items(after)[column] };
  if (!children.before || !children.after) return undefined;
  return { token: String(partner), before: children.before, after: children.after };
}

/** Returns one object for each primitive of a list: its value with its id and extensions. */
function joinItems(name: string, values: readonly JsonNode[], siblings: readonly JsonNode[]): JsonObject[] {
  return Array.from({ length: Math.max(values.length, siblings.length) }, (_, index) => {
    const joinedItem = objectNode();
    const [value, sibling] = [values[index], siblings[index]];
    if (sibling?.kind === 'object') joinedItem.members.push(...sibling.members);
    if (value && value.kind !== 'null') setMember(joinedItem, name, value);
    return joinedItem;
  });
}
