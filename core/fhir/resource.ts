/**
 * core/fhir knows what the two resource types are: how a record is read, stamped, indexed, patched and summed up.
 * Called by the server's service and by the page. Invariant: pure functions; text in, text out, digits untouched.
 */

export const resourceTypes = ['CarePlan', 'Composition'] as const;
export type ResourceType = (typeof resourceTypes)[number];

export function isResourceType(name: string): name is ResourceType {
  return (resourceTypes as readonly string[]).includes(name);
}

/** FHIR R4 datatypes.html#id: 1 to 64 of letters, digits, hyphen and dot. */
export function isFhirId(id: string): boolean {
  return /^[A-Za-z0-9.-]{1,64}$/.test(id);
}
