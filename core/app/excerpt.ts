import { serializeNode, type JsonNode } from '../json/node.ts';

const maxExcerptLength = 160;

/** Returns the beginning of an element's exact text, for one line of a list, or an empty string if there is no element. */
export function excerptOf(node: JsonNode | undefined, maxLength: number = maxExcerptLength): string {
  if (!node) return '';
  const text = serializeNode(node);
  if (text.length <= maxLength) return text;
  // Never splits a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}…`;
}
