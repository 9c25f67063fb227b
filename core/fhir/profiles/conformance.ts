/**
 * core/fhir/profiles judges exact records by profiles of FHIR R4 (profiling.html): compiles the snapshots of
 * StructureDefinitions and applies them. Called by the server and by threads. Invariant: what cannot be decided with what is
 * at hand is said to be undecided, and never passed; no digit of a record is read as a number that is written.
 */

/** A StructureDefinition, ValueSet or CodeSystem as `JSON.parse` reads it. Its numbers are no record's. */
export type Definition = Readonly<Record<string, unknown>>;

/** The definitions at hand: those of the packages that were dropped in, say. */
export interface ConformanceSet {
  /** Changes whenever the set holds other definitions; what was compiled from it goes by this. */
  readonly stamp: string;
  /** By canonical address, `|version` behind it or not; without one the newest that is at hand. */
  structureDefinition(canonical: string): Definition | undefined;
  valueSet(canonical: string): Definition | undefined;
  codeSystem(canonical: string): Definition | undefined;
}

/** The set where no package is loaded. */
export const noConformance: ConformanceSet = {
  stamp: '',
  structureDefinition: () => undefined,
  valueSet: () => undefined,
  codeSystem: () => undefined,
};
