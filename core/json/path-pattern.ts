import type { JsonNode } from './node.ts';
import { child, formatPointer, parsePointer } from './pointer.ts';

/**
 * Returns the JSON Pointers of a path with `*` in a record; the path itself if it has none. `*` stands for
 * each item of an array. Missing elements are left out.
 */
export function expandPath(record: JsonNode, path: string): string[] {
  const tokens = parsePointer(path);
  if (!tokens?.includes('*')) return [path];
  let elements: { readonly node: JsonNode; readonly tokens: readonly string[] }[] = [
    { node: record, tokens: [] },
  ];
  for (const token of tokens) {
    elements = elements.flatMap(({ node, tokens: parentTokens }) => {
      if (token === '*' && node.kind === 'array') {
        return node.items.map((item, index) => ({ node: item, tokens: [...parentTokens, String(index)] }));
      }
      const next = child(node, token);
      return next ? [{ node: next, tokens: [...parentTokens, token] }] : [];
    });
  }
  return elements.map((element) => formatPointer(element.tokens));
}

/** Returns the common paths with `*` of pointers, the most frequent first. */
export function pathPatterns(pointers: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const pointer of pointers) {
    const pattern = pointer.replace(/\/[0-9]+(?=\/|$)/g, '/*');
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([pattern]) => pattern);
}
