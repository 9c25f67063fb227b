import { modifiedName, unknownModifiers } from '../modifiers/modifiers.ts';
import { resourceName } from '../resource-name.ts';
import { below, each, textAt, type CardReference, type Place } from './parts.ts';

/** The contained resources of a record by reference (FHIR R4 references.html#contained). */
export type Contained = ReadonlyMap<string, Place>;

export function containedOf(root: Place): Contained {
  return new Map(
    each(below(root, 'contained')).map((resource) => [`#${textAt(below(resource, 'id'))}`, resource]),
  );
}

/**
 * Returns a Reference with its display, otherwise the name of its contained target (FHIR R4 references.html).
 *
 * Adds the modifiers of the target. Returns undefined for a reference without content.
 */
export function referenceAt(element: Place, contained: Contained): CardReference | undefined {
  const reference = textAt(below(element, 'reference'));
  const display = textAt(below(element, 'display')) || textAt(below(element, 'identifier', 'value'));
  if (reference === '' && display === '') return undefined;
  const { pointer } = element;
  const resource = contained.get(reference)?.node;
  if (!resource) return { reference, display, pointer };
  const siblings = [...contained.values()].flatMap(({ node }) => node ?? []);
  const { name, before } = resourceName(resource, { display, siblings });
  return { reference, display: name, pointer, ...(before !== '' && { before }) };
}

/** Returns the references of a list, except empty ones. */
export function referencesAt(element: Place, contained: Contained): CardReference[] {
  return each(element).flatMap((item) => referenceAt(item, contained) ?? []);
}

/** Returns a reference in a backbone element, with that element's modifier extensions in its name. */
export function referenceWithin({ node }: Place, reference: CardReference): CardReference {
  const modifiers = unknownModifiers(node);
  if (modifiers.length === 0) return reference;
  const { name, before } = modifiedName(reference.display, modifiers, reference.reference);
  return { ...reference, display: name, before };
}
