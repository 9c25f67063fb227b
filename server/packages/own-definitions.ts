/** What R4 itself defines and Chartkeeper brings along: datatypes and resources, their value sets and code systems. */
const own =
  /^(?:http:\/\/hl7\.org\/fhir\/(?:StructureDefinition\/[A-Z]\w*|ValueSet\/[\w-]+|[a-z][\w-]*)|urn:ietf:bcp:(?:13|47)|http:\/\/unitsofmeasure\.org)(?:\||$)/;

/** Whether a canonical is defined without any package. */
export function isOwnDefinition(canonical: string): boolean {
  return own.test(canonical);
}

/** Packages whose content Chartkeeper brings along. */
export function isOwnPackage(name: string): boolean {
  return name === 'hl7.fhir.r4.core';
}
