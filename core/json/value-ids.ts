import type { JsonNode, JsonObject } from './node.ts';

/**
 * Numbers values: two nodes get the same number exactly if {@link equal} holds for them. A node is read once, however
 * often it is asked for, so that comparing all levels of two deep trees stays linear.
 */
export class ValueIds {
  private readonly strings = new Map<string, number>();
  private readonly composites = new Map<string, number>();
  private readonly nodes = new Map<JsonNode, number>();
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
    // The order of members carries no meaning.
    const parts = members.map(({ key, value }) => `${this.ofText(key)}:${this.of(value)}`);
    return `{${parts.sort().join(',')}`;
  }

  private number(known: Map<string, number>, key: string): number {
    const id = known.get(key);
    if (id !== undefined) return id;
    this.count += 1;
    known.set(key, this.count);
    return this.count;
  }
}
