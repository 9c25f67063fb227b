/** The parts of ElementDefinition that the compiler reads (FHIR R4 elementdefinition.html). */
import * as v from 'valibot';
import { optional, optionalList } from '../terminology/definitions.ts';
import { matchesSchema } from '../../json/shape.ts';

const count = optional(v.number());
const text = optional(v.string());
const texts = optionalList(v.string());

const Constraint = v.object({
  key: v.string(),
  severity: text,
  human: text,
  expression: text,
  source: text,
});

const Element = v.looseObject({
  id: v.string(),
  path: v.string(),
  sliceName: text,
  min: count,
  max: text,
  base: optional(v.object({ path: v.string(), min: v.number(), max: v.string() })),
  type: optionalList(v.object({ code: v.string(), profile: texts, targetProfile: texts })),
  binding: optional(v.object({ strength: v.string(), valueSet: text })),
  maxLength: count,
  constraint: optionalList(Constraint),
  contentReference: text,
  slicing: optional(
    v.object({
      discriminator: optionalList(v.object({ type: v.string(), path: v.string() })),
      ordered: optional(v.boolean()),
      rules: text,
    }),
  ),
});
export type ElementDefinition = v.InferOutput<typeof Element>;

const Structure = v.object({
  url: v.string(),
  type: v.string(),
  version: text,
  id: text,
  snapshot: v.optional(v.object({ element: v.array(Element) })),
  differential: optional(
    v.object({ element: v.array(v.looseObject({ id: text, constraint: optionalList(Constraint) })) }),
  ),
});
export type StructureDefinition = v.InferOutput<typeof Structure>;

/** Parses a StructureDefinition; undefined if it is invalid or its elements have no ids. */
export function readStructure(definition: unknown): StructureDefinition | undefined {
  const result = v.safeParse(Structure, definition);
  return result.success ? result.output : undefined;
}

const Headed = v.object({ type: v.string() });

/** Returns the constrained type of a StructureDefinition. */
export function typeOfStructure(definition: unknown): string | undefined {
  return matchesSchema(Headed, definition) ? definition.type : undefined;
}
