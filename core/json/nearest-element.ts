import type { JsonNode, Span } from './node.ts';
import { child } from './pointer.ts';

/** Element at reference tokens, or its nearest existing ancestor. */
export interface NearestElement {
  readonly node: JsonNode;
  /** Tokens of the element itself, or of its nearest ancestor. */
  readonly tokens: readonly string[];
  /** Range of the element's name; absent for the root and array items. */
  readonly key?: Span;
}

/** Follows reference tokens (RFC 6901 section 4) from `root` to the last existing element. */
export function resolveNearest(root: JsonNode, tokens: readonly string[]): NearestElement {
  let nearest: NearestElement = { node: root, tokens: [] };
  for (const token of tokens) {
    const { node } = nearest;
    const next = child(node, token);
    if (!next) break;
    const key =
      node.kind === 'object' ? node.members.find((member) => member.key === token)?.keySpan : undefined;
    nearest = { node: next, tokens: [...nearest.tokens, token], ...(key && { key }) };
  }
  return nearest;
}

/**
 * Returns the characters that represent an element: name and value of a scalar, otherwise the name or the
 * opening bracket.
 */
export function headOf({ node, key }: NearestElement): Span {
  const scalar = node.kind !== 'object' && node.kind !== 'array';
  if (scalar) return { start: key?.start ?? node.start, end: node.end };
  return key ?? { start: node.start, end: node.start + 1 };
}
