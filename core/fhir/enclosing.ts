import { stringMember, type JsonNode } from '../json/node.ts';
import { locateOffset } from '../json/cursor-location.ts';
import { locate } from '../json/pointer.ts';

/** A place as the resource sees it in which it lies: that resource's type, and the way from it. */
export interface Enclosed {
  readonly type: string;
  readonly tokens: readonly string[];
}

/**
 * The innermost resource around a place of a record: the record itself, or a contained resource, where its `resourceType`
 * says what it is (FHIR R4 references.html#contained).
 */
export function enclosing(root: JsonNode, type: string, tokens: readonly string[]): Enclosed {
  return enclosed(type, tokens, (at) => stringMember(locate(root, at), 'resourceType'));
}

/** The same of a text that may not be JSON yet. */
export function enclosedIn(text: string, type: string, tokens: readonly string[]): Enclosed {
  return enclosed(type, tokens, (at) => {
    const wanted = [...at, 'resourceType'].join('/');
    const named = [...text.matchAll(/"resourceType"\s*:\s*"([A-Za-z]+)"/g)];
    return named.find((match) => locateOffset(text, match.index + 1).tokens.join('/') === wanted)?.[1];
  });
}

function enclosed(
  type: string,
  tokens: readonly string[],
  typeAt: (at: readonly string[]) => string | undefined,
): Enclosed {
  for (let length = tokens.length; length > 1; length -= 1) {
    if (tokens[length - 2] !== 'contained') continue;
    const inner = typeAt(tokens.slice(0, length));
    if (inner !== undefined) return { type: inner, tokens: tokens.slice(length) };
  }
  return { type, tokens };
}
