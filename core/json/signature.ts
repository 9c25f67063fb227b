import type { JsonNode } from './node.ts';

/**
 * Computes numbers that are equal for equal values and usually differ otherwise. Much cheaper than {@link
 * ValueIds}: of a long text only its length and its ends count. A container is read once.
 */
export class Signatures {
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
