import { ownName } from '../names.ts';
import { below, conceptText, each, textAt, type CardReference, type Place } from './parts.ts';

/** The resources within a record (FHIR R4 references.html#contained), by the reference that names each. */
export type Contained = ReadonlyMap<string, Place>;

export function containedOf(root: Place): Contained {
  return new Map(each(below(root, 'contained')).map((one) => [`#${textAt(below(one, 'id'))}`, one]));
}

/** What a resource is called by: the first of what R4's types use for that; blank where it says none of them. */
export function nameOf(resource: Place): string {
  const concepts = ['code', 'description', 'type', 'medicationCodeableConcept'].map((key) =>
    conceptText(below(resource, key)),
  );
  const name = resource.node && ownName(resource.node);
  const texts = [textAt(below(resource, 'title')), name, textAt(below(resource, 'description'))];
  return [...concepts, ...texts].find(Boolean) ?? '';
}

/** The reference with the name of what it leads to, where it has no display and leads to a contained resource. */
export function named(reference: CardReference, contained: Contained): CardReference {
  const resource = contained.get(reference.reference);
  return reference.display !== '' || !resource ? reference : { ...reference, display: nameOf(resource) };
}
