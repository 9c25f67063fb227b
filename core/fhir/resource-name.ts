import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { valueText } from './card/value-text.ts';
import { modifiedName, modifiersOf, type ModifiedName } from './modifiers/modifiers.ts';
import { containedId, ownName } from './names.ts';

/** Elements that name a resource without a name of its own; the first one with a value counts. */
const naming = [
  'code',
  'description',
  'type',
  'class',
  'serviceType',
  'vaccineCode',
  'event',
  'category',
  'medicationCodeableConcept',
  'productCodeableConcept',
  'relationship',
];

/** Elements that name a resource by another one, which it may contain. */
const namingReferences = ['medicationReference', 'productReference'];

/** Returns the name of a resource of any R4 type without its modifiers: to compare and to find, never to show. */
export function getNameWithoutModifiers(resource: JsonNode, siblings: readonly JsonNode[] = []): string {
  const names = [stringMember(resource, 'title') ?? '', ownName(resource)];
  const values = naming.map((key) => valueText(member(resource, key)));
  const referencedNames = namingReferences.map((key) => {
    const reference = member(resource, key);
    const display = stringMember(reference, 'display') ?? '';
    const contained = siblingOf(reference, [...items(member(resource, 'contained')), ...siblings]);
    return display === '' && contained ? getNameWithoutModifiers(contained) : display;
  });
  return [...names, ...values, ...referencedNames].find(Boolean) ?? '';
}

/**
 * Returns the name of a resource of any R4 type for display, with the modifiers that change its meaning.
 *
 * @param options.display - Display of the reference to it; has precedence over its own name.
 * @param options.siblings - Resources contained in the same record.
 */
export function resourceName(
  resource: JsonNode,
  {
    display = '',
    siblings = [],
  }: { readonly display?: string; readonly siblings?: readonly JsonNode[] } = {},
): ModifiedName {
  const type = stringMember(resource, 'resourceType') ?? '';
  return modifiedName(display || getNameWithoutModifiers(resource, siblings), modifiersOf(resource), type);
}

/**
 * Returns the name of a record's subject: the display of the reference, otherwise the name of the contained resource
 * that it refers to.
 */
export function subjectNameOf(record: JsonNode, subject: JsonNode | undefined): string {
  const display = stringMember(subject, 'display') ?? '';
  const contained = siblingOf(subject, items(member(record, 'contained')));
  if (!contained || (display === '' && ownName(contained) === '')) return display;
  return resourceName(contained, { display }).name;
}

/** Returns the contained resource that a reference refers to. */
export function siblingOf(
  reference: JsonNode | undefined,
  siblings: readonly JsonNode[],
): JsonNode | undefined {
  const id = containedId(stringMember(reference, 'reference'));
  return id === undefined ? undefined : siblings.find((sibling) => stringMember(sibling, 'id') === id);
}
