import { stringMember, type JsonNode } from './node.ts';
import { print } from './print.ts';

/** Whether a changed node is still the node that it was, rather than another in its place. */
export function isAlike(before: JsonNode, after: JsonNode): boolean {
  return likeness(before, after) >= enough;
}

const enough = 0.5;

/** 1 for objects with one id, 0 for those with different ones; else the share of scalars, each with its name, that are the same. */
export function likeness(before: JsonNode, after: JsonNode): number {
  if (before.kind !== after.kind) return 0;
  const [id, other] = [stringMember(before, 'id'), stringMember(after, 'id')];
  if (id !== undefined || other !== undefined) return id === other ? 1 : 0;
  const left = [...scalars(before, '')];
  const right = [...scalars(after, '')];
  const counts = new Map<string, number>();
  for (const one of left) counts.set(one, (counts.get(one) ?? 0) + 1);
  let common = 0;
  for (const one of right) {
    const count = counts.get(one) ?? 0;
    if (count > 0) common += 1;
    counts.set(one, count - 1);
  }
  return common / Math.max(left.length, right.length, 1);
}

function* scalars(node: JsonNode, name: string): Generator<string> {
  if (node.kind === 'object') {
    for (const { key, value } of node.members) yield* scalars(value, key);
  } else if (node.kind === 'array') {
    for (const item of node.items) yield* scalars(item, name);
  } else yield `${name} ${node.kind === 'string' ? `"${node.value}` : print(node)}`;
}
