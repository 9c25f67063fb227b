import type { JsonNode, Span } from './node.ts';
import { child } from './pointer.ts';

/** The element that reference tokens lead to, as far as the text has it. */
export interface Reached {
  readonly node: JsonNode;
  /** The tokens that were found: all of them, or those of the nearest ancestor that is there. */
  readonly tokens: readonly string[];
  /** Where the element's name stands; absent for the root and for items of an array. */
  readonly key?: Span;
}

/** Follows reference tokens (RFC 6901 section 4) from `root` and stops at the last element that is there. */
export function reach(root: JsonNode, tokens: readonly string[]): Reached {
  let reached: Reached = { node: root, tokens: [] };
  for (const token of tokens) {
    const { node } = reached;
    const next = child(node, token);
    if (!next) break;
    const key =
      node.kind === 'object' ? node.members.find((member) => member.key === token)?.keySpan : undefined;
    reached = { node: next, tokens: [...reached.tokens, token], ...(key && { key }) };
  }
  return reached;
}

/** The characters to point at for an element: its name and value where that is short, else its name or its bracket. */
export function headOf({ node, key }: Reached): Span {
  const scalar = node.kind !== 'object' && node.kind !== 'array';
  if (scalar) return { start: key?.start ?? node.start, end: node.end };
  return key ?? { start: node.start, end: node.start + 1 };
}
