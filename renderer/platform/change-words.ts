import { expressionAt } from '../../core/fhir/validation/finding.ts';
import type { ChangeName } from '../../core/fhir/record-changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { text } from '../ui/text.ts';

/** Locations of a change as FHIRPath expressions. */
export interface ChangePlaces {
  /** Current location. For a moved element, both locations. */
  readonly place: string;
  /** Previous location, if other elements moved. It explains why the paths differ. */
  readonly former?: string;
}

/** Returns the locations of a change in FHIRPath notation. */
export function placesOf(type: ResourceType, { kind, pointer, from = pointer }: ChangeName): ChangePlaces {
  const [present, former] = [pointer, from].map((token) => expressionAt(type, parsePointer(token) ?? []));
  const place = present ?? '';
  if (kind === 'moved') return { place: text.changes.between(former ?? '', place) };
  return former === place ? { place } : { place, former: text.changes.was(former ?? '') };
}

/** Describes a change without its values: `removed Composition.section[2] “Allergies”`. */
export function wordsOfChange(type: ResourceType, name: ChangeName): string {
  const { kind, title } = name;
  const { place, former } = placesOf(type, name);
  const element = title ? `${place} “${title}”` : place;
  const description = text.changes.named[kind](element);
  return former === undefined ? description : `${description} (${former})`;
}
