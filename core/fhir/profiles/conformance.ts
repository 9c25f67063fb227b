/**
 * core/fhir/profiles validates records against profiles of FHIR R4 (profiling.html): it compiles the
 * snapshots of StructureDefinitions and applies them. Called by the server and by workers. Invariant: a rule
 * that cannot be decided is reported as undecided and never passes; numbers of a record keep their exact
 * digits.
 */

/** A StructureDefinition, ValueSet or CodeSystem as `JSON.parse` reads it. Its numbers are not exact. */
export type Definition = Readonly<Record<string, unknown>>;

/** Available definitions, such as the definitions of the installed packages. */
export interface ConformanceSet {
  /** Changes with the definitions of the set. Compiled plans depend on it. */
  readonly stamp: string;
  /** Finds a definition by canonical URL, with or without `|version`. Without a version, the latest one is used. */
  structureDefinition(canonical: string): Definition | undefined;
  valueSet(canonical: string): Definition | undefined;
  codeSystem(canonical: string): Definition | undefined;
}

/** The set if no package is installed. */
export const noConformance: ConformanceSet = {
  stamp: '',
  structureDefinition: () => undefined,
  valueSet: () => undefined,
  codeSystem: () => undefined,
};
