/** FHIR R4 valueset-search-param-type.html, as far as it is offered. */
export type ParameterType = 'reference' | 'token' | 'date' | 'string' | 'uri';

/** The members that one step of a path goes to, each with the name of its FHIR type; several for a choice. */
export type R4Step = Readonly<Record<string, string>>;

/** What R4's SearchParameter resources say of a parameter of one type. */
export interface R4Parameter {
  readonly type: ParameterType;
  /** Canonical URL of the SearchParameter. */
  readonly url: string;
  /** From the record's root; arrays are gone through. */
  readonly path: readonly R4Step[];
  /** Whether the element of a date is there once at most. */
  readonly single?: true;
  /** The type that a reference must have, where its literal names one. */
  readonly only?: string;
  /** The code system that a `code` implies. */
  readonly system?: string;
  /** The types that a reference may name. */
  readonly targets?: readonly string[];
  /** R4's own sentence. */
  readonly text: string;
}

/** What R4's definitions say of a resource type. */
export interface R4Type {
  /** Top-level elements that must be there. */
  readonly mandatory: readonly string[];
  /** Top-level elements that belong to the summary, mandatory ones aside (FHIR R4 search.html#summary). */
  readonly summary: readonly string[];
  readonly parameters: Readonly<Record<string, R4Parameter>>;
}
