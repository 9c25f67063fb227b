import {
  copy,
  items,
  member,
  objectNode,
  setMember,
  stringMember,
  stringNode,
  serializeNode,
} from '../json/node.ts';
import type { JsonArray, JsonNode, JsonObject } from '../json/node.ts';
import { r4Types } from '../types/generated/r4-types.ts';
import { subsetted } from './record.ts';
import type { Projection } from './search-criteria.ts';

/** Elements that no projection leaves out: the identity of the record, and elements that may change its meaning. */
const alwaysIncluded = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'];

/**
 * Returns the part of a record that `_summary` or `_elements` requests, as JSON text, tagged SUBSETTED (FHIR R4
 * search.html#summary, #elements). Mandatory and modifying elements are included. Digits are unchanged.
 */
export function project(record: JsonNode, projection: Projection): string {
  if (record.kind !== 'object') return serializeNode(record);
  const isIncluded = chooser(stringMember(record, 'resourceType') ?? '', projection);
  const part: JsonObject = {
    ...record,
    members: record.members
      .filter(({ key }) => isIncluded(key.startsWith('_') ? key.slice(1) : key))
      .map((recordMember) =>
        recordMember.key === 'meta'
          ? { ...recordMember, value: copy(recordMember.value) }
          : { ...recordMember },
      ),
  };
  tag(part);
  return serializeNode(part);
}

function chooser(type: string, projection: Projection): (element: string) => boolean {
  const { mandatory = [], summary = [] } = r4Types[type] ?? {};
  const isAmong = (elements: readonly string[]) => {
    const included = new Set([...alwaysIncluded, ...mandatory, ...elements]);
    return (element: string) => included.has(element);
  };
  if ('elements' in projection) return isAmong(projection.elements);
  switch (projection.summary) {
    case 'data':
      return (element) => element !== 'text';
    case 'text':
      return isAmong(['text']);
    case 'true':
      return isAmong(summary);
  }
}

function tag(part: JsonObject): void {
  let meta = member(part, 'meta');
  if (meta?.kind !== 'object') {
    meta = objectNode();
    setMember(part, 'meta', meta, 1);
  }
  const tags = items(member(meta, 'tag'));
  if (tags.some((coding) => stringMember(coding, 'code') === subsetted.code)) return;
  const coding = objectNode();
  setMember(coding, 'system', stringNode(subsetted.system));
  setMember(coding, 'code', stringNode(subsetted.code));
  const array: JsonArray = { kind: 'array', items: [...tags, coding], start: 0, end: 0 };
  setMember(meta, 'tag', array);
}
