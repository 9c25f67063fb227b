/**
 * core/fhir/terminology decides whether a code is in a value set (FHIR R4 valueset.html), by the available
 * definitions. Called by core/fhir/profiles. Invariant: without a complete code system, membership in its
 * value sets is undecided.
 */
import * as v from 'valibot';

/** Schema of an optional value. A value of another form counts as absent. */
export function optional<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(schema), undefined);
}

/** Schema of an optional list, empty by default. */
export function optionalList<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(v.array(schema), []), []);
}

const text = optional(v.string());

const Component = v.object({
  system: text,
  version: text,
  valueSet: optionalList(v.string()),
  concept: optionalList(v.object({ code: v.string() })),
  filter: optionalList(v.object({ property: v.string(), op: v.string(), value: v.string() })),
});
export type Component = v.InferOutput<typeof Component>;

export interface Contained {
  readonly system?: string | undefined;
  readonly code?: string | undefined;
  readonly abstract?: boolean | undefined;
  readonly contains?: readonly Contained[] | undefined;
}
const Contains: v.GenericSchema<unknown, Contained> = v.object({
  system: v.optional(v.string()),
  code: v.optional(v.string()),
  abstract: v.optional(v.boolean()),
  contains: v.optional(v.array(v.lazy(() => Contains))),
});

const ValueSet = v.object({
  compose: optional(v.object({ include: optionalList(Component), exclude: optionalList(Component) })),
  expansion: optional(v.object({ total: optional(v.number()), contains: optionalList(Contains) })),
});
export type ValueSet = v.InferOutput<typeof ValueSet>;

export interface Concept {
  readonly code: string;
  readonly display?: string | undefined;
  readonly property?:
    | readonly { readonly code: string; readonly valueCode?: string | undefined }[]
    | undefined;
  readonly concept?: readonly Concept[] | undefined;
}
const Concept: v.GenericSchema<unknown, Concept> = v.object({
  code: v.string(),
  display: v.optional(v.string()),
  property: v.optional(v.array(v.object({ code: v.string(), valueCode: v.optional(v.string()) }))),
  concept: v.optional(v.array(v.lazy(() => Concept))),
});

const CodeSystem = v.object({
  content: text,
  caseSensitive: optional(v.boolean()),
  concept: optionalList(Concept),
});
export type CodeSystem = v.InferOutput<typeof CodeSystem>;

/** Parses the code-related parts of a ValueSet; undefined if it is invalid. */
export function readValueSet(definition: unknown): ValueSet | undefined {
  const result = v.safeParse(ValueSet, definition);
  return result.success ? result.output : undefined;
}

/** Parses the code-related parts of a CodeSystem; undefined if it is invalid. */
export function readCodeSystem(definition: unknown): CodeSystem | undefined {
  const result = v.safeParse(CodeSystem, definition);
  return result.success ? result.output : undefined;
}
