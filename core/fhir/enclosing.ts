import { stringMember, type JsonNode } from '../json/node.ts';
import { locateOffset } from '../json/cursor-location.ts';
import { locate } from '../json/pointer.ts';

/** A pointer relative to the resource that contains it, and the type of that resource. */
export interface Enclosed {
  readonly type: string;
  readonly tokens: readonly string[];
}

/**
 * Returns the innermost resource around an element: the record, or a contained resource with a `resourceType` (FHIR
 * R4 references.html#contained).
 */
export function enclosing(root: JsonNode, type: string, tokens: readonly string[]): Enclosed {
  return enclosed(type, tokens, (resourceTokens) =>
    stringMember(locate(root, resourceTokens), 'resourceType'),
  );
}

/** Does the same as {@link enclosing} for a text that may not be JSON yet. */
export function enclosedIn(text: string, type: string, tokens: readonly string[]): Enclosed {
  return enclosed(type, tokens, (resourceTokens) => {
    const typePath = [...resourceTokens, 'resourceType'].join('/');
    const typeMembers = [...text.matchAll(/"resourceType"\s*:\s*"([A-Za-z]+)"/g)];
    return typeMembers.find(
      (match) => locateOffset(text, match.index + 1).tokens.join('/') === typePath,
    )?.[1];
  });
}

function enclosed(
  type: string,
  tokens: readonly string[],
  typeAt: (resourceTokens: readonly string[]) => string | undefined,
): Enclosed {
  for (let length = tokens.length; length > 1; length -= 1) {
    if (tokens[length - 2] !== 'contained') continue;
    const inner = typeAt(tokens.slice(0, length));
    if (inner !== undefined) return { type: inner, tokens: tokens.slice(length) };
  }
  return { type, tokens };
}
