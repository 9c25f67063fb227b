import { expressionAt } from '../../core/fhir/expression.ts';
import type { ChangeName } from '../../core/fhir/record-changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { text } from '../ui/text.ts';

/** The places of a change, as FHIRPath expressions. */
export interface ChangePlaces {
  /** Of a moved element both, of all others the present one. */
  readonly place: string;
  /** The place before, if an element changed that others moved; it says why the paths differ. */
  readonly former?: string;
}

/** Returns the places of a change; each element is named in one notation. */
export function placesOf(type: ResourceType, { kind, pointer, from = pointer }: ChangeName): ChangePlaces {
  const [present, former] = [pointer, from].map((one) => expressionAt(type, parsePointer(one) ?? []));
  const place = present ?? '';
  if (kind === 'moved') return { place: text.changes.between(former ?? '', place) };
  return former === place ? { place } : { place, former: text.changes.was(former ?? '') };
}

/** Returns a change in words, without its values: `removed Composition.section[2] “Allergies”`. */
export function wordsOfChange(type: ResourceType, name: ChangeName): string {
  const { kind, title } = name;
  const { place, former } = placesOf(type, name);
  const words = [kind !== 'changed' && text.changes.kinds[kind].toLowerCase(), place, title && `“${title}”`];
  const said = words.filter(Boolean).join(' ');
  return former === undefined ? said : `${said} (${former})`;
}
