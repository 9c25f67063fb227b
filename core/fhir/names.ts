import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { formatPointer } from '../json/pointer.ts';
import { parseReference } from './reference.ts';
import { displayOf } from './terminology/displays.ts';

/** Values of an array that are searched for a name: a record may have thousands. */
export const maxNameValues = 20;

/** Returns the nodes at a dotted path. Of an array, only the first value counts. */
export function nodesAt(record: JsonNode, path: string | undefined): readonly JsonNode[] {
  if (path === undefined) return [];
  return path.split('.').reduce<readonly JsonNode[]>(
    (nodes, key) =>
      nodes.flatMap((node) => {
        const value = member(node, key);
        if (value?.kind === 'array') return value.items.slice(0, maxNameValues);
        return value ?? [];
      }),
    [record],
  );
}

/** Returns the name of a text, a CodeableConcept, a Coding or a Reference; blank if it has none. */
export function nameOf(node: JsonNode): string {
  if (node.kind === 'string') return node.value;
  return (
    [stringMember(node, 'text'), displayOf(items(member(node, 'coding'))), displayOf([node])].find(Boolean) ??
    ''
  );
}

/** Returns the first name at one of several paths; blank if there is none. */
export function firstName(record: JsonNode, paths: readonly string[]): string {
  for (const path of paths) {
    const name = nodesAt(record, path).map(nameOf).find(Boolean);
    if (name !== undefined) return name;
  }
  return '';
}

/** Returns the name of a person, a location or an organization. */
export function ownName(resource: JsonNode): string {
  const order = (name: JsonNode) => Number(!isInUse(name));
  const names = nodesAt(resource, 'name')
    .toSorted((leftName, rightName) => order(leftName) - order(rightName))
    .map(humanName);
  return names.find(Boolean) ?? stringMember(resource, 'name') ?? '';
}

/** Returns the id of the contained resource that a literal refers to (FHIR R4 references.html#contained). */
export function containedId(literal: string | undefined): string | undefined {
  const parsed = literal === undefined ? undefined : parseReference(literal);
  return parsed?.base === '#' ? parsed.id : undefined;
}

/**
 * Returns the JSON Pointer of a contained resource by its id (FHIR R4 references.html#contained); undefined if there
 * is none.
 */
export function containedPointer(record: JsonNode, id: string): string | undefined {
  const index = items(member(record, 'contained')).findIndex(
    (resource) => stringMember(resource, 'id') === id,
  );
  return index === -1 ? undefined : formatPointer(['contained', String(index)]);
}

/** Returns whether an Identifier, ContactPoint, Address or HumanName is current (FHIR R4 valueset-name-use.html). */
export function isInUse(node: JsonNode): boolean {
  return stringMember(node, 'use') !== 'old';
}

/** Formats a HumanName (FHIR R4 datatypes.html#HumanName): its text, otherwise given names and family name. */
export function humanName(name: JsonNode): string {
  const givenNames = items(member(name, 'given')).map((part) => (part.kind === 'string' ? part.value : ''));
  const parts = [...givenNames, stringMember(name, 'family') ?? ''].filter(Boolean);
  return [stringMember(name, 'text'), parts.join(' ')].find(Boolean) ?? '';
}

const [startLength, endLength] = [8, 4];

/** Shortens an id in its middle, because ids of one source often start alike: `3819264d…bea1`. */
export function shortId(id: string): string {
  if (id.length <= startLength + endLength + 2) return id;
  return `${id.slice(0, startLength)}…${id.slice(-endLength)}`;
}
