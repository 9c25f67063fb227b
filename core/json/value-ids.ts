import { equal } from './equal.ts';
import { member, type JsonArray, type JsonMember, type JsonNode, type JsonObject } from './node.ts';
import { Signatures } from './signature.ts';

/**
 * Numbers values: two nodes get the same number exactly if {@link equal} holds for them. A node is read once, however
 * often it is asked for, so that comparing all levels of two deep trees stays linear.
 */
export class ValueIds {
  readonly signatures = new Signatures();
  private readonly strings = new Map<string, number>();
  private readonly composites = new Map<string, number>();
  private readonly nodes = new Map<JsonNode, number>();
  /** Containers, with the last other node that is known to differ. */
  private readonly different = new Map<JsonNode, JsonNode>();
  private count = 0;

  /** Returns the number of a node's value. */
  of(node: JsonNode): number {
    if (node.kind === 'string') return this.number(this.strings, node.value);
    const known = this.nodes.get(node);
    if (known !== undefined) return known;
    const id = this.number(this.composites, this.describe(node));
    this.nodes.set(node, id);
    return id;
  }

  /**
   * Returns true if two nodes have the same value. Needs no numbers, so that equal parts of two versions cost little. A
   * pair of different containers is remembered: comparing all levels of a deep tree stays linear.
   */
  areEqual(left: JsonNode, right: JsonNode): boolean {
    if (left === right) return true;
    if (left.kind === 'object' || left.kind === 'array') {
      if (this.different.get(left) === right) return false;
      const isEqual = this.areContainersEqual(left, right);
      if (!isEqual) this.different.set(left, right);
      return isEqual;
    }
    return equal(left, right);
  }

  private areContainersEqual(left: JsonObject | JsonArray, right: JsonNode): boolean {
    if (left.kind === 'array') {
      if (right.kind !== 'array' || left.items.length !== right.items.length) return false;
      return left.items.every((item, index) => {
        const other = right.items[index];
        return other !== undefined && this.areEqual(item, other);
      });
    }
    if (right.kind !== 'object' || left.members.length !== right.members.length) return false;
    return left.members.every(({ key, value }, index) => {
      const same = right.members[index];
      const other = same?.key === key ? same.value : member(right, key);
      return other !== undefined && this.areEqual(value, other);
    });
  }

  /** Returns the number of a text. It is also the number of the string node with this value. */
  ofText(text: string): number {
    return this.number(this.strings, text);
  }

  private describe(node: Exclude<JsonNode, { readonly kind: 'string' }>): string {
    switch (node.kind) {
      case 'object':
        return this.describeMembers(node);
      case 'array': {
        let text = '[';
        for (const item of node.items) text += `${this.of(item)},`;
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
      const name = this.ofText(key);
      // The order of members carries no meaning.
      if (name < previous) return this.describeSorted(members);
      previous = name;
      text += `${name}:${this.of(value)},`;
    }
    return text;
  }

  private describeSorted(members: readonly JsonMember[]): string {
    const sorted = [...members].sort((left, right) => this.ofText(left.key) - this.ofText(right.key));
    let text = '{';
    for (const { key, value } of sorted) text += `${this.ofText(key)}:${this.of(value)},`;
    return text;
  }

  private number(known: Map<string, number>, key: string): number {
    const id = known.get(key);
    if (id !== undefined) return id;
    this.count += 1;
    known.set(key, this.count);
    return this.count;
  }
}
