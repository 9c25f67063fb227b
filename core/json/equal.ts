import { member, type JsonNode } from './node.ts';

/**
 * Whether two nodes hold the same value: objects without regard to the order of keys, strings by their characters,
 * numbers by their digits (1.0 and 1.00 differ: FHIR's decimals carry their precision).
 */
export function equal(left: JsonNode, right: JsonNode): boolean {
  switch (left.kind) {
    case 'object':
      return (
        right.kind === 'object' &&
        left.members.length === right.members.length &&
        left.members.every(({ key, value }, index) => {
          // Most often a key stands in the same place on both sides.
          const same = right.members[index];
          const other = same?.key === key ? same.value : member(right, key);
          return other !== undefined && equal(value, other);
        })
      );
    case 'array':
      return right.kind === 'array' && equalAll(left.items, right.items);
    case 'string':
      return right.kind === 'string' && left.value === right.value;
    case 'number':
      return right.kind === 'number' && left.source === right.source;
    case 'boolean':
      return right.kind === 'boolean' && left.value === right.value;
    case 'null':
      return right.kind === 'null';
  }
}

/** Whether nodes hold the same values, one by one. */
export function equalAll(left: readonly JsonNode[], right: readonly JsonNode[]): boolean {
  return (
    left.length === right.length &&
    left.every((node, index) => {
      const other = right[index];
      return other !== undefined && equal(node, other);
    })
  );
}
