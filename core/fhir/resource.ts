/**
 * core/fhir knows what a resource type is by its definition: how its records are read, stamped, indexed, patched and
 * summed up. Called by the server's service and by the page. Invariant: pure functions; text in, text out, digits
 * untouched.
 */
import type { TypeDefinition } from '../types/definition/type-definition.ts';
import { definitions } from '../types/generated/definitions.ts';

export type ResourceType = (typeof definitions)[number]['name'];

/** The types whose records are kept, searched and judged: one for each file of core/types. */
export const resourceTypes: readonly ResourceType[] = definitions.map(({ name }) => name);

export function isResourceType(name: string): name is ResourceType {
  return resourceTypes.some((type) => type === name);
}

/** Something for each resource type. */
export function perType<Value>(make: (type: ResourceType) => Value): Record<ResourceType, Value> {
  return Object.fromEntries(resourceTypes.map((type) => [type, make(type)])) as Record<ResourceType, Value>;
}

const byName = new Map<string, TypeDefinition>(definitions.map((one) => [one.name, one]));

/** @throws TypeError for a type without a definition. */
export function definitionOf(type: ResourceType): TypeDefinition {
  const definition = byName.get(type);
  if (!definition) throw new TypeError(`There is no definition of ${type}`);
  return definition;
}

/** The type that a form begins with. */
export const firstType: ResourceType = definitions[0].name;

/** The types in a sentence: `CarePlan and Composition`, `CarePlan or Composition`. */
export const typeList = new Intl.ListFormat('en').format(resourceTypes);
export const typeChoice = new Intl.ListFormat('en', { type: 'disjunction' }).format(resourceTypes);

/** FHIR R4 datatypes.html#id: 1 to 64 of letters, digits, hyphen and dot. */
export function isFhirId(id: string): boolean {
  return /^[A-Za-z0-9.-]{1,64}$/.test(id);
}
