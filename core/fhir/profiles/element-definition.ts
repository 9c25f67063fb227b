/** ElementDefinition (FHIR R4 elementdefinition.html) as the compiler reads it; what it does not look at may be anything. */
import * as v from 'valibot';
import { one, some } from '../terminology/definitions.ts';
import { is } from '../../json/shape.ts';

const count = one(v.number());
const text = one(v.string());
const texts = some(v.string());

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
  base: one(v.object({ path: v.string(), min: v.number(), max: v.string() })),
  type: some(v.object({ code: v.string(), profile: texts, targetProfile: texts })),
  binding: one(v.object({ strength: v.string(), valueSet: text })),
  maxLength: count,
  constraint: some(Constraint),
  contentReference: text,
  slicing: one(
    v.object({
      discriminator: some(v.object({ type: v.string(), path: v.string() })),
      ordered: one(v.boolean()),
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
  differential: one(
    v.object({ element: v.array(v.looseObject({ id: text, constraint: some(Constraint) })) }),
  ),
});
export type StructureDefinition = v.InferOutput<typeof Structure>;

/** A StructureDefinition; undefined where it is none, or where its elements have no ids. */
export function readStructure(definition: unknown): StructureDefinition | undefined {
  const read = v.safeParse(Structure, definition);
  return read.success ? read.output : undefined;
}

const Headed = v.object({ type: v.string() });

/** The type that a StructureDefinition is of. */
export function typeOfStructure(definition: unknown): string | undefined {
  return is(Headed, definition) ? definition.type : undefined;
}
