import { noConformance, type ConformanceSet, type Definition } from '../../core/fhir/profiles/conformance.ts';

/** Datatypes and resources of R4, which the validator knows. */
const ofR4 = /^http:\/\/hl7\.org\/fhir\/StructureDefinition\/[A-Z]\w*(?:\||$)/;

/** Code systems that are rules instead of lists. They are validated without a package. */
const ruled = /^(?:urn:ietf:bcp:(?:13|47)|http:\/\/unitsofmeasure\.org)(?:\||$)/;

/** Definitions that need no package. */
export interface OwnDefinitions {
  isOwn(canonical: string): boolean;
  /** Returns a value set or code system of R4; undefined if R4 has none with this canonical. */
  find(canonical: string): Definition | undefined;
}

let cachedDefinitions: Promise<OwnDefinitions> | undefined;

/** Returns the definitions of R4. They are megabytes, loaded when a package is first read. */
export function ownDefinitions(): Promise<OwnDefinitions> {
  cachedDefinitions ??= import('../../core/fhir/terminology/r4.ts').then(({ withR4 }) =>
    toOwnDefinitions(withR4(noConformance)),
  );
  return cachedDefinitions;
}

function toOwnDefinitions(set: ConformanceSet): OwnDefinitions {
  return {
    isOwn: (canonical) => ofR4.test(canonical) || ruled.test(canonical),
    find: (canonical) => set.valueSet(canonical) ?? set.codeSystem(canonical),
  };
}

/** Returns true for packages whose content the program contains. */
export function isOwnPackage(name: string): boolean {
  return name === 'hl7.fhir.r4.core';
}
