/**
 * core/fhir/terminology tells whether a code is in a value set (FHIR R4 valueset.html), by the definitions at hand. Called by
 * core/fhir/profiles. Invariant: what needs a code system that is not at hand, or not whole, is not decided.
 */
import * as v from 'valibot';

/** What may be absent; what has another form counts as absent. */
export function one<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(schema), undefined);
}

/** The same of a list: none where it is absent. */
export function some<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(v.array(schema), []), []);
}

const text = one(v.string());

const Component = v.object({
  system: text,
  version: text,
  valueSet: some(v.string()),
  concept: some(v.object({ code: v.string() })),
  filter: some(v.object({ property: v.string(), op: v.string(), value: v.string() })),
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
  compose: one(v.object({ include: some(Component), exclude: some(Component) })),
  expansion: one(v.object({ total: one(v.number()), contains: some(Contains) })),
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
  caseSensitive: one(v.boolean()),
  concept: some(Concept),
});
export type CodeSystem = v.InferOutput<typeof CodeSystem>;

/** A ValueSet as far as codes are told by it; undefined where it is none. */
export function readValueSet(definition: unknown): ValueSet | undefined {
  const read = v.safeParse(ValueSet, definition);
  return read.success ? read.output : undefined;
}

/** A CodeSystem as far as codes are told by it; undefined where it is none. */
export function readCodeSystem(definition: unknown): CodeSystem | undefined {
  const read = v.safeParse(CodeSystem, definition);
  return read.success ? read.output : undefined;
}
