/**
 * Compares JSON nodes of a record with values of an element definition. Numbers of a record keep their source
 * digits. Numbers of a definition are JavaScript numbers.
 */
import { member, type JsonArray, type JsonNode } from '../../json/node.ts';
import { isPlainObject } from '../../types/definition/rule.ts';

/**
 * Returns true if a node equals the value of `fixed[x]` (FHIR R4
 * elementdefinition-definitions.html#ElementDefinition.fixed_x_).
 */
export function equalsFixedValue(node: JsonNode | undefined, value: unknown): boolean {
  if (!node) return false;
  if (Array.isArray(value)) {
    return (
      node.kind === 'array' &&
      node.items.length === value.length &&
      node.items.every((item, index) => equalsFixedValue(item, value[index]))
    );
  }
  if (!isPlainObject(value)) return equalsPrimitive(node, value);
  return (
    node.kind === 'object' &&
    node.members.length === Object.keys(value).length &&
    node.members.every(
      ({ key, value: memberValue }) => Object.hasOwn(value, key) && equalsFixedValue(memberValue, value[key]),
    )
  );
}

/** Returns true if a node contains the value of `pattern[x]`. Items of an array may be in any order. */
export function matchesPattern(node: JsonNode | undefined, pattern: unknown): boolean {
  if (!node) return false;
  if (Array.isArray(pattern)) {
    if (node.kind !== 'array') return false;
    for (const expectedItem of pattern) if (!hasItem(node, expectedItem)) return false;
    return true;
  }
  if (!isPlainObject(pattern)) return equalsPrimitive(node, pattern);
  if (node.kind !== 'object') return false;
  for (const key of Object.keys(pattern)) if (!matchesPattern(member(node, key), pattern[key])) return false;
  return true;
}

function hasItem({ items }: JsonArray, expectedItem: unknown): boolean {
  for (const item of items) if (matchesPattern(item, expectedItem)) return true;
  return false;
}

function equalsPrimitive(node: JsonNode, value: unknown): boolean {
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

/** Length of a dateTime in seconds. A fraction and the time zone follow. */
const secondsLength = 'YYYY-MM-DDThh:mm:ss'.length;

/**
 * Compares a node with a limit (`minValue[x]`, `maxValue[x]`).
 *
 * @returns Negative, 0 or positive; undefined for incomparable values, such as dates of different precision
 * or quantities of different units.
 */
export function compareToLimit(node: JsonNode | undefined, limit: unknown): number | undefined {
  if (typeof limit === 'number' && node?.kind === 'number') return Math.sign(Number(node.source) - limit);
  if (typeof limit === 'string' && node?.kind === 'string') {
    const isComparable =
      node.value.length === limit.length && node.value.slice(secondsLength) === limit.slice(secondsLength);
    if (!isComparable) return undefined;
    // Dates of one precision and one time zone compare as text.
    return node.value < limit ? -1 : Number(node.value > limit);
  }
  if (!isPlainObject(limit) || node?.kind !== 'object') return undefined;
  const sameUnit = ['system', 'code'].every((name) => {
    const actual = member(node, name);
    return actual?.kind === 'string' && actual.value === limit[name];
  });
  return sameUnit ? compareToLimit(member(node, 'value'), limit.value) : undefined;
}
