import { items, member, stringMember, type JsonNode } from './node.ts';
import { serializeNode } from './print.ts';

type KeyFunction = (item: JsonNode) => string | undefined;

/**
 * Keys that identify an item of a list, strongest first. This folder knows no FHIR types, so the members of
 * the object decide.
 */
export const elementKeys: readonly KeyFunction[] = [
  // Element.id and Resource.id, contained resources included.
  (item) => stringMember(item, 'id'),
  (item) => stringMember(item, 'linkId'),
  // An extension and its definition.
  (item) => stringMember(item, 'url'),
  // Identifier and ContactPoint.
  (item) => joinKey(stringMember(item, 'system'), stringMember(item, 'value')),
  // Coding. A Quantity has system and code of its unit too.
  (item) => (member(item, 'value') ? undefined : codingKey(item)),
  // Reference, and an activity with a reference to its definition.
  (item) => stringMember(item, 'reference') ?? stringMember(member(item, 'reference'), 'reference'),
  // CodeableConcept.
  conceptKey,
  // An activity with its detail.
  (item) => {
    const detail = member(item, 'detail');
    const code = conceptKey(member(detail, 'code'));
    return code === undefined ? undefined : `${code} ${timeOf(detail)}`;
  },
  // A section, by code or otherwise by title.
  (item) => conceptKey(member(item, 'code')),
  (item) => stringMember(item, 'title'),
];

function joinKey(firstPart: string | undefined, secondPart: string | undefined): string | undefined {
  return firstPart === undefined || secondPart === undefined
    ? undefined
    : `${firstPart.length} ${firstPart} ${secondPart}`;
}

function codingKey(item: JsonNode | undefined): string | undefined {
  return joinKey(stringMember(item, 'system'), stringMember(item, 'code'));
}

function conceptKey(item: JsonNode | undefined): string | undefined {
  const keys = items(member(item, 'coding')).flatMap((coding) => codingKey(coding) ?? []);
  return keys.length === 0 ? undefined : keys.sort().join();
}

/** Returns the text of `scheduledTiming`, `scheduledPeriod` or `scheduledString`. */
function timeOf(detail: JsonNode | undefined): string {
  if (detail?.kind !== 'object') return '';
  return detail.members
    .filter(({ key }) => key.startsWith('scheduled'))
    .map(({ value }) => serializeNode(value))
    .join();
}
