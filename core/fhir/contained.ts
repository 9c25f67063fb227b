import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { formatPointer } from '../json/pointer.ts';

/** JSON Pointer of the contained resource (FHIR R4 references.html#contained) that `#id` names; undefined where there is none. */
export function containedPointer(record: JsonNode, id: string): string | undefined {
  const index = items(member(record, 'contained')).findIndex((one) => stringMember(one, 'id') === id);
  return index === -1 ? undefined : formatPointer(['contained', String(index)]);
}
