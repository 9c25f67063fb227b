import { items, member, stringMember, type JsonNode } from './node.ts';
import { serializeNode } from './print.ts';

type KeyFunction = (item: JsonNode) => string | undefined;

/**
 * Functions that return an identifying key of a list item, strongest first. This folder knows no FHIR types, so each
 * function tests which members the item has.
 */
export const keyFunctions: readonly KeyFunction[] = [
  // Element.id and Resource.id, also of contained resources.
  (item) => stringMember(item, 'id'),
  (item) => stringMember(item, 'linkId'),
  // Extension, by the URL of its definition.
  (item) => stringMember(item, 'url'),
  // Identifier and ContactPoint.
  (item) => joinKey(stringMember(item, 'system'), stringMember(item, 'value')),
  // Coding. A Quantity also has the system and code of its unit.
  (item) => (member(item, 'value') ? undefined : codingKey(item)),
  // Reference, and CarePlan activity, by its `reference`.
  (item) => stringMember(item, 'reference') ?? stringMember(member(item, 'reference'), 'reference'),
  // CodeableConcept.
  conceptKey,
  // CarePlan activity, by its detail.
  (item) => {
    const detail = member(item, 'detail');
    const code = conceptKey(member(detail, 'code'));
    return code === undefined ? undefined : `${code} ${scheduleKey(detail)}`;
  },
  // Section, by code or title.
  (item) => conceptKey(member(item, 'code')),
  (item) => stringMember(item, 'title'),
];

/** Joins two parts. The length keeps different pairs apart. */
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
function scheduleKey(detail: JsonNode | undefined): string {
  if (detail?.kind !== 'object') return '';
  return detail.members
    .filter(({ key }) => key.startsWith('scheduled'))
    .map(({ value }) => serializeNode(value))
    .join();
}
