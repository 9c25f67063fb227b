import type { Json, JsonObject } from './encode.ts';
import { put, resolve } from './place.ts';

/** One thing that the migration did wrong, and the rule that finds it. */
export interface Defect {
  /** Id of a rule of core/fhir/validation. */
  readonly rule: string;
  /** How many records have it. */
  readonly times: number;
  /**
   * Values that are set in order; undefined removes one. `*` in a pointer is the first matching item. Later
   * pointers may begin with `{}`, the location of the first.
   */
  readonly puts: readonly (readonly [pointer: string, value: Json | undefined])[];
  /** Pointer of the finding; the first location if absent. `{}` as above. */
  readonly findingPointer?: string;
  /** True if the change follows after the record was stored: the problem is then between two versions. */
  readonly later?: true;
}

export interface SeededDefect {
  readonly record: JsonObject;
  readonly pointer: string;
}

/** Returns the record with the defect and its location; undefined if the defect does not fit the record. */
export function seedDefect(
  record: JsonObject,
  { puts, findingPointer = '{}' }: Defect,
): SeededDefect | undefined {
  const [firstStep] = puts;
  const location = firstStep && resolve(record, firstStep[0], firstStep[1] === undefined);
  if (location === undefined) return undefined;
  const pointers = puts.map(([pointer], index) => (index === 0 ? location : pointerAt(pointer, location)));
  const changedRecord = puts.reduce(
    (current, [, value], index) => put(current, pointers[index] ?? '', value),
    record,
  );
  return { record: changedRecord, pointer: pointerAt(findingPointer, location) };
}

/** Replaces `{}` in a pointer: `{}/x` is below the location, and each `/..` removes one step of it. */
function pointerAt(pointer: string, location: string): string {
  let resolvedPointer = pointer.replace('{}', location);
  while (resolvedPointer.includes('/..'))
    resolvedPointer = resolvedPointer.replace(/\/[^/]+\/\.\.(?=\/|$)/, '');
  return resolvedPointer;
}
