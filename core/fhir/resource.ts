/**
 * core/fhir works on resource types by their definitions: it reads, indexes, patches and summarizes records. Called
 * by the server's service and by the page. Invariant: pure functions from text to text that preserve digits.
 */
import type { TypeDefinition } from '../types/definition/type-definition.ts';
import { definitions } from '../types/generated/definitions.ts';

export type ResourceType = (typeof definitions)[number]['name'];

/** The types whose records are stored, searched and validated: one for each file of core/types. */
export const resourceTypes: readonly ResourceType[] = definitions.map(({ name }) => name);

export function isResourceType(name: string): name is ResourceType {
  return resourceTypes.some((type) => type === name);
}

/** Creates a value for each resource type. */
export function perType<Value>(make: (type: ResourceType) => Value): Record<ResourceType, Value> {
  return Object.fromEntries(resourceTypes.map((type) => [type, make(type)])) as Record<ResourceType, Value>;
}

const byName = new Map<string, TypeDefinition>(
  definitions.map((definition) => [definition.name, definition]),
);

/** @throws TypeError for a type without a definition. */
export function definitionOf(type: ResourceType): TypeDefinition {
  const definition = byName.get(type);
  if (!definition) throw new TypeError(`There is no definition of ${type}`);
  return definition;
}

/** The default type of a form. */
export const firstType: ResourceType = definitions[0].name;

/** The types in a sentence: `CarePlan and Composition`, `CarePlan or Composition`. */
export const typeList = new Intl.ListFormat('en').format(resourceTypes);
export const typeChoice = new Intl.ListFormat('en', { type: 'disjunction' }).format(resourceTypes);

/** Returns whether a text is a FHIR id: 1 to 64 letters, digits, hyphens and dots (FHIR R4 datatypes.html#id). */
export function isFhirId(id: string): boolean {
  return /^[A-Za-z0-9.-]{1,64}$/.test(id);
}
