/**
 * `chartkeeper:` links, which open a record by the name of a connection and the record's id:
 * `chartkeeper://open/Local/CarePlan/abc` or, where the type is not known, `chartkeeper://open/Local/abc`. A link
 * names what the steward has set up already; an address of a server can stand in none.
 */
import * as v from 'valibot';
import { isFhirId, isResourceType, resourceTypes } from '../fhir/resource.ts';
import { is, type Shape } from '../json/shape.ts';
import { connectionLimits } from './connection-limits.ts';

export const linkScheme = 'chartkeeper';

export const RecordLink = v.object({
  /** Name of the connection, as the steward gave it; `Local` is the embedded server. */
  connection: v.string(),
  id: v.string(),
  type: v.exactOptional(v.picklist(resourceTypes)),
});
export type RecordLink = Shape<typeof RecordLink>;

const form = /^chartkeeper:\/\/open\/([^/?#]+)\/(?:([A-Za-z]+)\/)?([A-Za-z0-9.-]+)\/?$/;

/** What can name a connection: no control characters, no white space alone, not longer than the limit. */
export const ConnectionName = v.pipe(
  v.string(),
  v.maxLength(connectionLimits.name),
  v.regex(/^(?=.*\S)\P{C}+$/u),
);

/** Reads a link; undefined for anything else, one with credentials, a port, a query or a fragment among it. */
export function readRecordLink(text: string): RecordLink | undefined {
  const [, name = '', type, id = ''] = form.exec(text) ?? [];
  const connection = decoded(name);
  if (!is(ConnectionName, connection) || !isFhirId(id)) return undefined;
  if (type === undefined) return { connection, id };
  return isResourceType(type) ? { connection, id, type } : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
