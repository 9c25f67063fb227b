import { member, type JsonNode } from './node.ts';

/** Splits a JSON Pointer (RFC 6901 section 3) into reference tokens; undefined if it is malformed. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Formats reference tokens as a JSON Pointer. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns true for `0` and for digits without a leading zero (RFC 6901 section 4). */
export function isArrayIndex(token: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(token);
}

/** Returns the child of a token: a member of an object, an existing item of an array. */
export function child(node: JsonNode, token: string): JsonNode | undefined {
  if (node.kind === 'object') return member(node, token);
  if (node.kind === 'array' && isArrayIndex(token)) return node.items[Number(token)];
  return undefined;
}

/** Returns the node at the tokens; undefined if it does not exist. */
export function locate(root: JsonNode, tokens: readonly string[]): JsonNode | undefined {
  return tokens.reduce<JsonNode | undefined>((node, token) => node && child(node, token), root);
}
