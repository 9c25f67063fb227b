/**
 * Compares exact nodes with values of a definition. Numbers of a definition are JavaScript numbers; those of
 * a record stay exact.
 */
import { member, type JsonArray, type JsonNode } from '../../json/node.ts';
import { isMembers } from '../../types/definition/rule.ts';

/**
 * Returns true if a node equals a value: `fixed[x]` (FHIR R4
 * elementdefinition-definitions.html#ElementDefinition.fixed_x_).
 */
export function isFixed(node: JsonNode | undefined, value: unknown): boolean {
  if (!node) return false;
  if (Array.isArray(value)) {
    return (
      node.kind === 'array' &&
      node.items.length === value.length &&
      node.items.every((item, index) => isFixed(item, value[index]))
    );
  }
  if (!isMembers(value)) return isPrimitive(node, value);
  return (
    node.kind === 'object' &&
    node.members.length === Object.keys(value).length &&
    node.members.every(
      ({ key, value: memberValue }) => Object.hasOwn(value, key) && isFixed(memberValue, value[key]),
    )
  );
}

/** Returns true if a node contains a value: `pattern[x]`. Items of an array may be in any order. */
export function holdsPattern(node: JsonNode | undefined, pattern: unknown): boolean {
  if (!node) return false;
  if (Array.isArray(pattern)) {
    if (node.kind !== 'array') return false;
    for (const expectedItem of pattern) if (!hasItem(node, expectedItem)) return false;
    return true;
  }
  if (!isMembers(pattern)) return isPrimitive(node, pattern);
  if (node.kind !== 'object') return false;
  for (const key of Object.keys(pattern)) if (!holdsPattern(member(node, key), pattern[key])) return false;
  return true;
}

function hasItem({ items }: JsonArray, expectedItem: unknown): boolean {
  for (const item of items) if (holdsPattern(item, expectedItem)) return true;
  return false;
}

function isPrimitive(node: JsonNode, value: unknown): boolean {
  switch (node.kind) {
    case 'string':
    case 'boolean':
      return node.value === value;
    case 'number':
      return Number(node.source) === value;
    case 'object':
    case 'array':
    case 'null':
      return false;
  }
}

/**
 * Compares a node with a limit (`minValue[x]`, `maxValue[x]`).
 *
 * @returns Negative, 0 or positive; undefined for incomparable values, such as dates of different precision
 * or quantities of different units.
 */
export function compareTo(node: JsonNode | undefined, limit: unknown): number | undefined {
  if (typeof limit === 'number' && node?.kind === 'number') return Math.sign(Number(node.source) - limit);
  if (typeof limit === 'string' && node?.kind === 'string') {
    if (node.value.length !== limit.length || node.value.slice(19) !== limit.slice(19)) return undefined;
    return node.value < limit ? -1 : Number(node.value > limit);
  }
  if (!isMembers(limit) || node?.kind !== 'object') return undefined;
  const sameUnit = ['system', 'code'].every((name) => {
    const actual = member(node, name);
    return actual?.kind === 'string' && actual.value === limit[name];
  });
  return sameUnit ? compareTo(member(node, 'value'), limit.value) : undefined;
}
