import { member, type JsonNode } from './node.ts';

/**
 * Returns true if two nodes have the same value: objects in any order of keys, strings by characters, numbers
 * by digits (1.0 and 1.00 differ, because FHIR decimals have a precision).
 */
export function equal(node: JsonNode, otherNode: JsonNode): boolean {
  switch (node.kind) {
    case 'object':
      return (
        otherNode.kind === 'object' &&
        node.members.length === otherNode.members.length &&
        node.members.every(({ key, value }, index) => {
          // A key usually has the same index on both sides.
          const candidate = otherNode.members[index];
          const otherValue = candidate?.key === key ? candidate.value : member(otherNode, key);
          return otherValue !== undefined && equal(value, otherValue);
        })
      );
    case 'array':
      return otherNode.kind === 'array' && equalAll(node.items, otherNode.items);
    case 'string':
      return otherNode.kind === 'string' && node.value === otherNode.value;
    case 'number':
      return otherNode.kind === 'number' && node.source === otherNode.source;
    case 'boolean':
      return otherNode.kind === 'boolean' && node.value === otherNode.value;
    case 'null':
      return otherNode.kind === 'null';
  }
}

/** Returns true if two lists have the same values in the same order. */
export function equalAll(nodes: readonly JsonNode[], otherNodes: readonly JsonNode[]): boolean {
  return (
    nodes.length === otherNodes.length &&
    nodes.every((node, index) => {
      const otherItem = otherNodes[index];
      return otherItem !== undefined && equal(node, otherItem);
    })
  );
}
