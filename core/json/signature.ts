import type { JsonNode } from './node.ts';

/**
 * Numbers that are equal for equal values, and mostly differ for others. Much cheaper than a number of {@link ValueIds}: a
 * long text counts by its length and its ends. A container is read once.
 */
export class Signatures {
  private readonly known = new Map<JsonNode, number>();

  /** Returns the signature of a node's value. */
  of(node: JsonNode): number {
    if (node.kind !== 'object' && node.kind !== 'array') return ofText(textOf(node));
    const known = this.known.get(node);
    if (known !== undefined) return known;
    let sum = node.kind === 'object' ? 1 : 2;
    if (node.kind === 'object') {
      // A sum, because the order of members carries no meaning.
      for (const { key, value } of node.members) sum = (sum + mix(ofText(key), this.of(value))) | 0;
    } else for (const item of node.items) sum = mix(sum, this.of(item));
    this.known.set(node, sum);
    return sum;
  }
}

function textOf(node: Exclude<JsonNode, { readonly kind: 'object' | 'array' }>): string {
  if (node.kind === 'string') return node.value;
  return node.kind === 'number' ? node.source : node.kind;
}

const sampled = 12;

function ofText(text: string): number {
  let hash = text.length;
  const { length } = text;
  for (let index = 0; index < length && index < sampled; index += 1) hash = mix(hash, text.charCodeAt(index));
  for (let index = Math.max(sampled, length - sampled); index < length; index += 1) {
    hash = mix(hash, text.charCodeAt(index));
  }
  return hash;
}

function mix(hash: number, next: number): number {
  const mixed = Math.imul(hash ^ next, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
