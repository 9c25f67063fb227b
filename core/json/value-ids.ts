import { member, equal, type JsonArray, type JsonMember, type JsonNode, type JsonObject } from './node.ts';

/**
 * Computes numbers that are equal for equal values and usually differ otherwise. Much cheaper than {@link
 * ValueIds}: of a long text only its length and its ends count. A container is read once.
 */
class Signatures {
  private readonly cache = new Map<JsonNode, number>();

  /** Returns the signature of a node's value. */
  compute(node: JsonNode): number {
    if (node.kind !== 'object' && node.kind !== 'array') return signText(textOf(node));
    const cached = this.cache.get(node);
    if (cached !== undefined) return cached;
    let sum = node.kind === 'object' ? 1 : 2;
    if (node.kind === 'object') {
      // A sum, because the order of members carries no meaning.
      for (const { key, value } of node.members) sum = (sum + mix(signText(key), this.compute(value))) | 0;
    } else for (const item of node.items) sum = mix(sum, this.compute(item));
    this.cache.set(node, sum);
    return sum;
  }
}

function textOf(node: Exclude<JsonNode, { readonly kind: 'object' | 'array' }>): string {
  if (node.kind === 'string') return node.value;
  return node.kind === 'number' ? node.source : node.kind;
}

const sampleSize = 12;

function signText(text: string): number {
  let hash = text.length;
  const { length } = text;
  for (let index = 0; index < length && index < sampleSize; index += 1)
    hash = mix(hash, text.charCodeAt(index));
  for (let index = Math.max(sampleSize, length - sampleSize); index < length; index += 1) {
    hash = mix(hash, text.charCodeAt(index));
  }
  return hash;
}

function mix(hash: number, next: number): number {
  const mixed = Math.imul(hash ^ next, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/**
 * Numbers values: two nodes have the same number exactly if they are {@link equal}. Each node is read once,
 * so that comparing all levels of two deep trees stays linear.
 */
export class ValueIds {
  readonly signatures = new Signatures();
  private readonly strings = new Map<string, number>();
  private readonly composites = new Map<string, number>();
  private readonly nodes = new Map<JsonNode, number>();
  /** Containers, each with the last node that is known to differ. */
  private readonly different = new Map<JsonNode, JsonNode>();
  private count = 0;

  /** Returns the number of a node's value. */
  getId(node: JsonNode): number {
    if (node.kind === 'string') return this.number(this.strings, node.value);
    const cachedId = this.nodes.get(node);
    if (cachedId !== undefined) return cachedId;
    const id = this.number(this.composites, this.describe(node));
    this.nodes.set(node, id);
    return id;
  }

  /**
   * Returns true if two nodes have the same value. Needs no numbers, so that equal parts of two versions cost
   * little. Remembers pairs of different containers: comparing all levels of a deep tree stays linear.
   */
  areEqual(node: JsonNode, otherNode: JsonNode): boolean {
    if (node === otherNode) return true;
    if (node.kind === 'object' || node.kind === 'array') {
      if (this.different.get(node) === otherNode) return false;
      const isEqual = this.areContainersEqual(node, otherNode);
      if (!isEqual) this.different.set(node, otherNode);
      return isEqual;
    }
    return equal(node, otherNode);
  }

  private areContainersEqual(container: JsonObject | JsonArray, otherNode: JsonNode): boolean {
    if (container.kind === 'array') {
      if (otherNode.kind !== 'array' || container.items.length !== otherNode.items.length) return false;
      return container.items.every((item, index) => {
        const otherItem = otherNode.items[index];
        return otherItem !== undefined && this.areEqual(item, otherItem);
      });
    }
    if (otherNode.kind !== 'object' || container.members.length !== otherNode.members.length) return false;
    return container.members.every(({ key, value }, index) => {
      const candidate = otherNode.members[index];
      const otherValue = candidate?.key === key ? candidate.value : member(otherNode, key);
      return otherValue !== undefined && this.areEqual(value, otherValue);
    });
  }

  /** Returns the number of a text. It is also the number of the string node with this value. */
  getTextId(text: string): number {
    return this.number(this.strings, text);
  }

  private describe(node: Exclude<JsonNode, { readonly kind: 'string' }>): string {
    switch (node.kind) {
      case 'object':
        return this.describeMembers(node);
      case 'array': {
        let text = '[';
        for (const item of node.items) text += `${this.getId(item)},`;
        return text;
      }
      case 'number':
        return node.source;
      case 'boolean':
        return String(node.value);
      case 'null':
        return 'null';
    }
  }

  private describeMembers({ members }: JsonObject): string {
    let text = '{';
    let previous = 0;
    for (const { key, value } of members) {
      const name = this.getTextId(key);
      // The order of members has no meaning.
      if (name < previous) return this.describeSorted(members);
      previous = name;
      text += `${name}:${this.getId(value)},`;
    }
    return text;
  }

  private describeSorted(members: readonly JsonMember[]): string {
    const sortedMembers = [...members].sort(
      (entry, otherEntry) => this.getTextId(entry.key) - this.getTextId(otherEntry.key),
    );
    let text = '{';
    for (const { key, value } of sortedMembers) text += `${this.getTextId(key)}:${this.getId(value)},`;
    return text;
  }

  private number(idsByKey: Map<string, number>, key: string): number {
    const id = idsByKey.get(key);
    if (id !== undefined) return id;
    this.count += 1;
    idsByKey.set(key, this.count);
    return this.count;
  }
}
