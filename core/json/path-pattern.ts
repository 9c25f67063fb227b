import type { JsonNode } from './node.ts';
import { child, formatPointer, parsePointer } from './pointer.ts';

/**
 * The JSON Pointers that a path with `*` names in a record; the path itself where it has none. A `*` stands for each
 * item of an array, and what the record does not hold at its end is left out.
 */
export function expandPath(record: JsonNode, path: string): string[] {
  const tokens = parsePointer(path);
  if (!tokens?.includes('*')) return [path];
  let places: { readonly node: JsonNode; readonly tokens: readonly string[] }[] = [
    { node: record, tokens: [] },
  ];
  for (const token of tokens) {
    places = places.flatMap(({ node, tokens: walked }) => {
      if (token === '*' && node.kind === 'array') {
        return node.items.map((item, index) => ({ node: item, tokens: [...walked, String(index)] }));
      }
      const next = child(node, token);
      return next ? [{ node: next, tokens: [...walked, token] }] : [];
    });
  }
  return places.map((place) => formatPointer(place.tokens));
}

/** The paths with `*` that pointers have in common, the most frequent first. */
export function pathPatterns(pointers: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const pointer of pointers) {
    const pattern = pointer.replace(/\/[0-9]+(?=\/|$)/g, '/*');
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([pattern]) => pattern);
}
