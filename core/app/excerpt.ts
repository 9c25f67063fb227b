import type { JsonNode } from '../json/node.ts';
import { print } from '../json/print.ts';

const longest = 160;

/** The beginning of an element's exact text, for one line of a list; empty where there is no element. */
export function excerptOf(node: JsonNode | undefined, length: number = longest): string {
  if (!node) return '';
  const text = print(node);
  if (text.length <= length) return text;
  // Never half a character: a high surrogate goes with its low one.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}
