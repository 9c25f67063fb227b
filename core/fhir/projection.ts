import { copy, items, member, objectNode, setMember, stringMember, stringNode } from '../json/node.ts';
import type { JsonArray, JsonNode, JsonObject } from '../json/node.ts';
import { print } from '../json/print.ts';
import { r4Types } from '../types/generated/r4-types.ts';
import { subsetted } from './record.ts';
import type { Projection } from './search-criteria.ts';

/** Always there: what the record is, and what may change its meaning. */
const kept = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'];

/**
 * The part of a record that `_summary` or `_elements` asks for, as JSON text, tagged SUBSETTED (FHIR R4
 * search.html#summary, #elements). Mandatory and modifying elements are kept; digits are untouched.
 */
export function project(record: JsonNode, projection: Projection): string {
  if (record.kind !== 'object') return print(record);
  const keeps = chooser(stringMember(record, 'resourceType') ?? '', projection);
  const part: JsonObject = {
    ...record,
    members: record.members
      .filter(({ key }) => keeps(key.startsWith('_') ? key.slice(1) : key))
      .map((one) => (one.key === 'meta' ? { ...one, value: copy(one.value) } : { ...one })),
  };
  tag(part);
  return print(part);
}

function chooser(type: string, projection: Projection): (element: string) => boolean {
  const { mandatory = [], summary = [] } = r4Types[type] ?? {};
  const among = (elements: readonly string[]) => {
    const chosen = new Set([...kept, ...mandatory, ...elements]);
    return (element: string) => chosen.has(element);
  };
  if ('elements' in projection) return among(projection.elements);
  switch (projection.summary) {
    case 'data':
      return (element) => element !== 'text';
    case 'text':
      return among(['text']);
    case 'true':
      return among(summary);
  }
}

function tag(part: JsonObject): void {
  let meta = member(part, 'meta');
  if (meta?.kind !== 'object') {
    meta = objectNode();
    setMember(part, 'meta', meta, 1);
  }
  const tags = items(member(meta, 'tag'));
  if (tags.some((one) => stringMember(one, 'code') === subsetted.code)) return;
  const coding = objectNode();
  setMember(coding, 'system', stringNode(subsetted.system));
  setMember(coding, 'code', stringNode(subsetted.code));
  const array: JsonArray = { kind: 'array', items: [...tags, coding], start: 0, end: 0 };
  setMember(meta, 'tag', array);
}
