import type { JsonNode } from '../json/node.ts';
import { print } from '../json/print.ts';

const maxExcerptLength = 160;

/** Returns the beginning of an element's exact text, for one line of a list; empty without an element. */
export function excerptOf(node: JsonNode | undefined, length: number = maxExcerptLength): string {
  if (!node) return '';
  const text = print(node);
  if (text.length <= length) return text;
  // Never splits a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}
