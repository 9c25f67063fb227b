import { modifiedName, unknownModifiers } from '../modifiers/modifiers.ts';
import { resourceName } from '../resource-name.ts';
import { below, each, textAt, type CardReference, type Place } from './parts.ts';

/** The resources within a record (FHIR R4 references.html#contained), by the reference that names each. */
export type Contained = ReadonlyMap<string, Place>;

export function containedOf(root: Place): Contained {
  return new Map(each(below(root, 'contained')).map((one) => [`#${textAt(below(one, 'id'))}`, one]));
}

/**
 * Returns a Reference (FHIR R4 references.html) by its display, else by the name of the contained resource that it leads to,
 * with what changes that one's meaning; undefined where it names nothing.
 */
export function referenceAt(place: Place, contained: Contained): CardReference | undefined {
  const reference = textAt(below(place, 'reference'));
  const display = textAt(below(place, 'display')) || textAt(below(place, 'identifier', 'value'));
  if (reference === '' && display === '') return undefined;
  const { pointer } = place;
  const resource = contained.get(reference)?.node;
  if (!resource) return { reference, display, pointer };
  const siblings = [...contained.values()].flatMap(({ node }) => node ?? []);
  const { name, before } = resourceName(resource, { display, siblings });
  return { reference, display: name, pointer, ...(before !== '' && { before }) };
}

/** Returns the references of an array, empty ones left out. */
export function referencesAt(place: Place, contained: Contained): CardReference[] {
  return each(place).flatMap((one) => referenceAt(one, contained) ?? []);
}

/** Returns a reference out of a backbone element, with the modifier extensions of that element at its name. */
export function referenceWithin({ node }: Place, reference: CardReference): CardReference {
  const modifiers = unknownModifiers(node);
  if (modifiers.length === 0) return reference;
  const { name, before } = modifiedName(reference.display, modifiers, reference.reference);
  return { ...reference, display: name, before };
}
