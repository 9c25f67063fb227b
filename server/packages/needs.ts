import * as v from 'valibot';
import { is } from '../../core/json/shape.ts';

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

/** Reads each of a definition's parts by itself: one that is odd says nothing. */
function parts<Schema extends v.GenericSchema>(schema: Schema, list: unknown): v.InferOutput<Schema>[] {
  return Array.isArray(list) ? list.filter((one): one is v.InferOutput<Schema> => is(schema, one)) : [];
}

const Definition = v.looseObject({
  snapshot: v.exactOptional(v.object({ element: v.unknown() })),
  compose: v.exactOptional(v.object({ include: v.unknown(), exclude: v.exactOptional(v.unknown()) })),
  expansion: v.exactOptional(v.unknown()),
});

/**
 * The canonicals without which a definition cannot be applied to the end: profiles of datatypes and extensions, value
 * sets that bind (required and extensible), and what a value set takes whole or by a filter.
 */
export function needsOf(definition: Readonly<Record<string, unknown>>): string[] {
  if (!is(Definition, definition)) return [];
  const needs = new Set<string>();
  for (const { type = [], binding } of parts(Element, definition.snapshot?.element)) {
    for (const { profile = [] } of type) for (const one of profile) needs.add(one);
    if (binding?.valueSet !== undefined && /^(?:required|extensible)$/.test(binding.strength)) {
      needs.add(binding.valueSet);
    }
  }
  const { include, exclude } = definition.compose ?? {};
  for (const { system, version, concept, valueSet = [] } of [
    ...parts(Include, include),
    ...parts(Include, exclude),
  ]) {
    for (const one of valueSet) needs.add(one);
    if (system !== undefined && concept === undefined) {
      needs.add(version === undefined ? system : `${system}|${version}`);
    }
  }
  return [...needs];
}

/** Whether a code system does not list its codes: what takes all of it cannot be decided. */
export function isIncomplete({ resourceType, content }: Readonly<Record<string, unknown>>): boolean {
  return resourceType === 'CodeSystem' && content !== 'complete';
}
