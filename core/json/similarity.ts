import { stringMember, serializeNode, type JsonNode } from './node.ts';

/** Returns true if a changed node is the same node, not a replacement. */
export function isSimilar(before: JsonNode, after: JsonNode): boolean {
  return computeSimilarity(before, after) >= minSimilarity;
}

const minSimilarity = 0.5;

/**
 * Returns the similarity of two nodes from 0 to 1: 1 for objects with the same id, 0 for different ids,
 * otherwise the share of equal scalars, compared with their names.
 */
export function computeSimilarity(before: JsonNode, after: JsonNode): number {
  if (before.kind !== after.kind) return 0;
  const [id, otherId] = [stringMember(before, 'id'), stringMember(after, 'id')];
  if (id !== undefined || otherId !== undefined) return id === otherId ? 1 : 0;
  const beforeScalars = [...scalars(before, '')];
  const afterScalars = [...scalars(after, '')];
  const counts = new Map<string, number>();
  for (const scalar of beforeScalars) counts.set(scalar, (counts.get(scalar) ?? 0) + 1);
  let common = 0;
  for (const scalar of afterScalars) {
    const count = counts.get(scalar) ?? 0;
    if (count > 0) common += 1;
    counts.set(scalar, count - 1);
  }
  return common / Math.max(beforeScalars.length, afterScalars.length, 1);
}

function* scalars(node: JsonNode, name: string): Generator<string> {
  if (node.kind === 'object') {
    for (const { key, value } of node.members) yield* scalars(value, key);
  } else if (node.kind === 'array') {
    for (const item of node.items) yield* scalars(item, name);
  } else yield `${name} ${node.kind === 'string' ? `"${node.value}` : serializeNode(node)}`;
}
