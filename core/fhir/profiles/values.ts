/** Compares exact nodes with values of a definition. A definition's numbers are JavaScript's; a record's stay as they are. */
import { member, type JsonArray, type JsonNode } from '../../json/node.ts';
import { isMembers } from '../../types/definition/rule.ts';

/** Whether a node is the very value: `fixed[x]` (FHIR R4 elementdefinition-definitions.html#ElementDefinition.fixed_x_). */
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
    node.members.every(({ key, value: own }) => Object.hasOwn(value, key) && isFixed(own, value[key]))
  );
}

/** Whether a node holds at least a value: `pattern[x]`; each item of an array of it is there, wherever. */
export function holdsPattern(node: JsonNode | undefined, pattern: unknown): boolean {
  if (!node) return false;
  if (Array.isArray(pattern)) {
    if (node.kind !== 'array') return false;
    for (const wanted of pattern) if (!hasItem(node, wanted)) return false;
    return true;
  }
  if (!isMembers(pattern)) return isPrimitive(node, pattern);
  if (node.kind !== 'object') return false;
  for (const key of Object.keys(pattern)) if (!holdsPattern(member(node, key), pattern[key])) return false;
  return true;
}

function hasItem({ items }: JsonArray, wanted: unknown): boolean {
  for (const item of items) if (holdsPattern(item, wanted)) return true;
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
 * How a node stands to a limit (`minValue[x]`, `maxValue[x]`): below 0, 0, above 0; undefined where the two cannot be
 * compared, as a date that is less precise or a quantity of another unit.
 */
export function compareTo(node: JsonNode | undefined, limit: unknown): number | undefined {
  if (typeof limit === 'number' && node?.kind === 'number') return Math.sign(Number(node.source) - limit);
  if (typeof limit === 'string' && node?.kind === 'string') {
    if (node.value.length !== limit.length || node.value.slice(19) !== limit.slice(19)) return undefined;
    return node.value < limit ? -1 : Number(node.value > limit);
  }
  if (!isMembers(limit) || node?.kind !== 'object') return undefined;
  const sameUnit = ['system', 'code'].every((name) => {
    const own = member(node, name);
    return own?.kind === 'string' && own.value === limit[name];
  });
  return sameUnit ? compareTo(member(node, 'value'), limit.value) : undefined;
}
