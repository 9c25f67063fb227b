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
      return (
        right.kind === 'array' &&
        left.items.length === right.items.length &&
        left.items.every((item, index) => {
          const other = right.items[index];
          return other !== undefined && equal(item, other);
        })
      );
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
