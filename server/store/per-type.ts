import type { ResourceType } from '../../core/fhir/resource.ts';

/** Something for each resource type. */
export function perType<Value>(make: (type: ResourceType) => Value): Record<ResourceType, Value> {
  return { CarePlan: make('CarePlan'), Composition: make('Composition') };
}
