import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { formatPointer } from '../json/pointer.ts';
import { parseReference } from './reference.ts';

/** Values of an array that are looked at for a name: a record may have thousands. */
export const mostLooked = 20;

/** The nodes that a dotted path leads to, through arrays, of each the first values alone. */
export function nodesAt(record: JsonNode, path: string | undefined): readonly JsonNode[] {
  if (path === undefined) return [];
  return path.split('.').reduce<readonly JsonNode[]>(
    (nodes, key) =>
      nodes.flatMap((one) => {
        const value = member(one, key);
        if (value?.kind === 'array') return value.items.slice(0, mostLooked);
        return value ?? [];
      }),
    [record],
  );
}

/** What a text, a CodeableConcept, a Coding or a Reference is called; blank where it does not say. */
export function nameOf(node: JsonNode): string {
  if (node.kind === 'string') return node.value;
  const displays = items(member(node, 'coding')).map((coding) => stringMember(coding, 'display'));
  return [stringMember(node, 'text'), stringMember(node, 'display'), ...displays].find(Boolean) ?? '';
}

/** The first name that one of several paths leads to; blank where none does. */
export function firstName(record: JsonNode, paths: readonly string[]): string {
  for (const path of paths) {
    const name = nodesAt(record, path).map(nameOf).find(Boolean);
    if (name !== undefined) return name;
  }
  return '';
}

/** What a person, a place or an organization is called by itself. */
export function ownName(resource: JsonNode): string {
  const order = (name: JsonNode) => Number(!isInUse(name));
  const names = nodesAt(resource, 'name')
    .toSorted((one, other) => order(one) - order(other))
    .map(humanName);
  return names.find(Boolean) ?? stringMember(resource, 'name') ?? '';
}

/** The id of the contained resource that a literal leads to (FHIR R4 references.html#contained). */
export function containedId(literal: string | undefined): string | undefined {
  const parsed = literal === undefined ? undefined : parseReference(literal);
  return parsed?.base === '#' ? parsed.id : undefined;
}

/** JSON Pointer of the contained resource (FHIR R4 references.html#contained) that `#id` names; undefined where there is none. */
export function containedPointer(record: JsonNode, id: string): string | undefined {
  const index = items(member(record, 'contained')).findIndex((one) => stringMember(one, 'id') === id);
  return index === -1 ? undefined : formatPointer(['contained', String(index)]);
}

/** Returns whether an Identifier, ContactPoint, Address or HumanName still holds (FHIR R4 valueset-name-use.html). */
export function isInUse(node: JsonNode): boolean {
  return stringMember(node, 'use') !== 'old';
}

/** A HumanName (FHIR R4 datatypes.html#HumanName) as one writes it: its text, else given names and family name. */
export function humanName(name: JsonNode): string {
  const given = items(member(name, 'given')).map((one) => (one.kind === 'string' ? one.value : ''));
  const parts = [...given, stringMember(name, 'family') ?? ''].filter(Boolean);
  return [stringMember(name, 'text'), parts.join(' ')].find(Boolean) ?? '';
}

const [shownFirst, shownLast] = [8, 4];

/** An id cut in its middle, where the beginnings of one house's ids are often alike: `3819264d…bea1`. */
export function shortId(id: string): string {
  if (id.length <= shownFirst + shownLast + 2) return id;
  return `${id.slice(0, shownFirst)}…${id.slice(-shownLast)}`;
}
