import { noConformance, type ConformanceSet, type Definition } from '../../core/fhir/profiles/conformance.ts';

/** R4's datatypes and resources: whoever judges knows them. */
const ofR4 = /^http:\/\/hl7\.org\/fhir\/StructureDefinition\/[A-Z]\w*(?:\||$)/;

/** Code systems that are rules rather than lists: they are judged without a package. */
const ruled = /^(?:urn:ietf:bcp:(?:13|47)|http:\/\/unitsofmeasure\.org)(?:\||$)/;

/** What is defined without any package. */
export interface OwnDefinitions {
  isOwn(canonical: string): boolean;
  /** A value set or code system of R4; undefined where R4 has none of this address. */
  find(canonical: string): Definition | undefined;
}

let own: Promise<OwnDefinitions> | undefined;

/** R4's own definitions; they are megabytes, loaded when a package is first looked at. */
export function ownDefinitions(): Promise<OwnDefinitions> {
  own ??= import('../../core/fhir/terminology/r4.ts').then(({ withR4 }) => ownOf(withR4(noConformance)));
  return own;
}

function ownOf(set: ConformanceSet): OwnDefinitions {
  return {
    isOwn: (canonical) => ofR4.test(canonical) || ruled.test(canonical),
    find: (canonical) => set.valueSet(canonical) ?? set.codeSystem(canonical),
  };
}

/** Packages whose content Chartkeeper brings along. */
export function isOwnPackage(name: string): boolean {
  return name === 'hl7.fhir.r4.core';
}
