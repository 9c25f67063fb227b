import { items, member, type JsonObject } from '../../json/node.ts';

/** Profiles that a record claims (FHIR R4 resource-definitions.html#Meta.profile). */
export function claimedBy(record: JsonObject): readonly string[] {
  return items(member(member(record, 'meta'), 'profile')).flatMap((one) =>
    one.kind === 'string' ? [one.value] : [],
  );
}
