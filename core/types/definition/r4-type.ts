/** The supported types of FHIR R4 valueset-search-param-type.html. */
export type ParameterType = 'reference' | 'token' | 'date' | 'string' | 'uri';

/** Members of one step of a path, each with its FHIR type; several for a choice. */
export type R4Step = Readonly<Record<string, string>>;

/** SearchParameter of R4 for one type. */
export interface R4Parameter {
  readonly type: ParameterType;
  /** Canonical URL of the SearchParameter. */
  readonly url: string;
  /** Steps from the record's root, through arrays. */
  readonly path: readonly R4Step[];
  /** True if the element of a date exists at most once. */
  readonly single?: true;
  /** Required type of the reference, if its literal has one. */
  readonly only?: string;
  /** Code system that a `code` implies. */
  readonly system?: string;
  /** Permitted types of the reference. */
  readonly targets?: readonly string[];
  /** Description in R4. */
  readonly text: string;
}

/** Definition of a resource type in R4. */
export interface R4Type {
  /** Required top-level elements. */
  readonly mandatory: readonly string[];
  /** Top-level elements of the summary, without the required ones (FHIR R4 search.html#summary). */
  readonly summary: readonly string[];
  readonly parameters: Readonly<Record<string, R4Parameter>>;
}
