import * as v from 'valibot';
import { matchesSchema } from '../../core/json/shape.ts';

const strings = v.array(v.string());

const Element = v.object({
  type: v.exactOptional(v.array(v.object({ profile: v.exactOptional(strings) }))),
  binding: v.exactOptional(v.object({ strength: v.string(), valueSet: v.exactOptional(v.string()) })),
});

const Include = v.object({
  system: v.exactOptional(v.string()),
  version: v.exactOptional(v.string()),
  concept: v.exactOptional(v.array(v.unknown())),
  valueSet: v.exactOptional(strings),
});

/** Parses each part of a definition separately. A malformed part is dropped. */
function parts<Schema extends v.GenericSchema>(schema: Schema, list: unknown): v.InferOutput<Schema>[] {
  return Array.isArray(list)
    ? list.filter((part): part is v.InferOutput<Schema> => matchesSchema(schema, part))
    : [];
}

const Definition = v.looseObject({
  snapshot: v.exactOptional(v.object({ element: v.unknown() })),
  compose: v.exactOptional(v.object({ include: v.unknown(), exclude: v.exactOptional(v.unknown()) })),
  expansion: v.exactOptional(v.unknown()),
});

/**
 * Returns the canonicals that the definition cannot be applied without: profiles of datatypes and
 * extensions, value sets of required and extensible bindings, and systems that a value set includes
 * completely or by a filter.
 */
export function needsOf(definition: Readonly<Record<string, unknown>>): string[] {
  if (!matchesSchema(Definition, definition)) return [];
  const needs = new Set<string>();
  for (const { type = [], binding } of parts(Element, definition.snapshot?.element)) {
    for (const { profile = [] } of type) for (const canonical of profile) needs.add(canonical);
    if (binding?.valueSet !== undefined && /^(?:required|extensible)$/.test(binding.strength)) {
      needs.add(binding.valueSet);
    }
  }
  const { include, exclude } = definition.compose ?? {};
  for (const { system, version, concept, valueSet = [] } of [
    ...parts(Include, include),
    ...parts(Include, exclude),
  ]) {
    for (const canonical of valueSet) needs.add(canonical);
    if (system !== undefined && concept === undefined) {
      needs.add(version === undefined ? system : `${system}|${version}`);
    }
  }
  return [...needs];
}

/**
 * Returns true if a code system does not list its codes. Then a value set that includes all of it cannot be
 * decided.
 */
export function isIncomplete({ resourceType, content }: Readonly<Record<string, unknown>>): boolean {
  return resourceType === 'CodeSystem' && content !== 'complete';
}
