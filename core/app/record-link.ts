/**
 * `chartkeeper:` links open a record by the name of a connection and an id:
 * `chartkeeper://open/Local/CarePlan/abc`, or without the type `chartkeeper://open/Local/abc`. A link can
 * only name an existing connection, never the address of a server.
 */
import * as v from 'valibot';
import { isFhirId, isResourceType, resourceTypes } from '../fhir/resource.ts';
import { matchesSchema, type Shape } from '../json/shape.ts';
import { connectionLimits } from './connection-limits.ts';

export const linkScheme = 'chartkeeper';

export const RecordLink = v.object({
  /** Name of the connection; `Local` is the embedded server. */
  connection: v.string(),
  id: v.string(),
  type: v.exactOptional(v.picklist(resourceTypes)),
});
export type RecordLink = Shape<typeof RecordLink>;

const linkPattern = /^chartkeeper:\/\/open\/([^/?#]+)\/(?:([A-Za-z]+)\/)?([A-Za-z0-9.-]+)\/?$/;

/** Name of a connection: limited length, no control characters, not only white space. */
export const ConnectionName = v.pipe(
  v.string(),
  v.maxLength(connectionLimits.name),
  v.regex(/^(?=.*\S)\P{C}+$/u),
);

/**
 * Parses a link; undefined for anything else, for example with credentials, a port, a query or a fragment.
 */
export function readRecordLink(text: string): RecordLink | undefined {
  const [, name = '', type, id = ''] = linkPattern.exec(text) ?? [];
  const connection = decode(name);
  if (!matchesSchema(ConnectionName, connection) || !isFhirId(id)) return undefined;
  if (type === undefined) return { connection, id };
  return isResourceType(type) ? { connection, id, type } : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
