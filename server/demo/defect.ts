import type { Json, JsonObject } from './encode.ts';
import { put, resolve } from './place.ts';

/** One thing that the migration did wrong, and the rule that finds it. */
export interface Defect {
  /** Id of a rule of core/fhir/validation. */
  readonly rule: string;
  /** How many records have it. */
  readonly times: number;
  /**
   * What is set, in turn, or with undefined removed. `*` in a pointer is the first item that suits; the further ones
   * may begin with `{}`, which is the place of the first.
   */
  readonly puts: readonly (readonly [pointer: string, value: Json | undefined])[];
  /** Where the rule is found: the first place itself, unless this says otherwise; `{}` as above. */
  readonly found?: string;
  /** Done to the record only once it is stored: what is wrong then lies between two versions. */
  readonly later?: true;
}

export interface Planted {
  readonly record: JsonObject;
  readonly pointer: string;
}

/** The record with the defect, and where it is; undefined where the record has no place for it. */
export function plant(record: JsonObject, { puts, found = '{}' }: Defect): Planted | undefined {
  const [first] = puts;
  const place = first && resolve(record, first[0], first[1] === undefined);
  if (place === undefined) return undefined;
  const pointers = puts.map(([pointer], index) => (index === 0 ? place : pointerAt(pointer, place)));
  const changed = puts.reduce((one, [, value], index) => put(one, pointers[index] ?? '', value), record);
  return { record: changed, pointer: pointerAt(found, place) };
}

/** The pointer with `{}` filled in: `{}/x` lies below the place, and each `/..` leaves out one step of it. */
function pointerAt(pointer: string, place: string): string {
  let filled = pointer.replace('{}', place);
  while (filled.includes('/..')) filled = filled.replace(/\/[^/]+\/\.\.(?=\/|$)/, '');
  return filled;
}
