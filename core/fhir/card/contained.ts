import { modifiedName, unknownModifiers } from '../modifiers/modifiers.ts';
import { resourceName } from '../resource-name.ts';
import { getChild, listItems, textAt, type CardReference, type NodeAtPointer } from './parts.ts';

/** The contained resources of a record by reference (FHIR R4 references.html#contained). */
export type Contained = ReadonlyMap<string, NodeAtPointer>;

export function containedOf(root: NodeAtPointer): Contained {
  return new Map(
    listItems(getChild(root, 'contained')).map((resource) => [
      `#${textAt(getChild(resource, 'id'))}`,
      resource,
    ]),
  );
}

/**
 * Returns a Reference with its display, otherwise the name of its contained target (FHIR R4 references.html).
 *
 * Adds the modifiers of the target. Returns undefined for a reference without content.
 */
export function referenceAt(element: NodeAtPointer, contained: Contained): CardReference | undefined {
  const reference = textAt(getChild(element, 'reference'));
  const display = textAt(getChild(element, 'display')) || textAt(getChild(element, 'identifier', 'value'));
  if (reference === '' && display === '') return undefined;
  const { pointer } = element;
  const resource = contained.get(reference)?.node;
  if (!resource) return { reference, display, pointer };
  const siblings = [...contained.values()].flatMap(({ node }) => node ?? []);
  const { name, negation } = resourceName(resource, { display, siblings });
  return { reference, display: name, pointer, ...(negation !== '' && { negation }) };
}

/** Returns the references of a list, except empty ones. */
export function referencesAt(element: NodeAtPointer, contained: Contained): CardReference[] {
  return listItems(element).flatMap((item) => referenceAt(item, contained) ?? []);
}

/** Returns a reference in a backbone element, with that element's modifier extensions in its name. */
export function referenceWithin({ node }: NodeAtPointer, reference: CardReference): CardReference {
  const modifiers = unknownModifiers(node);
  if (modifiers.length === 0) return reference;
  const { name, negation } = modifiedName(reference.display, modifiers, reference.reference);
  return { ...reference, display: name, negation };
}
