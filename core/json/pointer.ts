import { member, type JsonNode } from './node.ts';

/** Splits a JSON Pointer (RFC 6901 section 3) into reference tokens; undefined where it is malformed. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON Pointer of reference tokens. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `0`, or digits without a leading zero (RFC 6901 section 4). */
export function isArrayIndex(token: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(token);
}

/** The child that a token names: an own member of an object, an existing item of an array. */
export function child(node: JsonNode, token: string): JsonNode | undefined {
  if (node.kind === 'object') return member(node, token);
  if (node.kind === 'array' && isArrayIndex(token)) return node.items[Number(token)];
  return undefined;
}

/** The node that the tokens name, or undefined. */
export function locate(root: JsonNode, tokens: readonly string[]): JsonNode | undefined {
  return tokens.reduce<JsonNode | undefined>((node, token) => node && child(node, token), root);
}
