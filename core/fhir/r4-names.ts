import { resourceNames } from './validation/generated/element-table.js';

/** The resource types of FHIR R4. */
export const r4Types: readonly string[] = resourceNames;

const names: ReadonlySet<string> = new Set(resourceNames);

/** Whether FHIR R4 has a resource type of this name. */
export function isR4Type(name: string): boolean {
  return names.has(name);
}
