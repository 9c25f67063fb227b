/**
 * `chartkeeper:` links, which open a record by the name of a connection and the record's id:
 * `chartkeeper://open/Local/CarePlan/abc` or, where the type is not known, `chartkeeper://open/Local/abc`. A link
 * names what the steward has set up already; an address of a server can stand in none.
 */
import { isFhirId, isResourceType, type ResourceType } from '../fhir/resource.ts';
import { connectionLimits } from './connections.ts';

export const linkScheme = 'chartkeeper';

export interface RecordLink {
  /** Name of the connection, as the steward gave it; `Local` is the embedded server. */
  readonly connection: string;
  readonly id: string;
  readonly type?: ResourceType;
}

const form = /^chartkeeper:\/\/open\/([^/?#]+)\/(?:([A-Za-z]+)\/)?([A-Za-z0-9.-]+)\/?$/;

/** Whether a text can be the name of a connection: no control characters, not longer than the limit. */
export function isConnectionName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= connectionLimits.name &&
    !/\p{C}/u.test(value)
  );
}

/** Reads a link; undefined for anything else, one with credentials, a port, a query or a fragment among it. */
export function readRecordLink(text: string): RecordLink | undefined {
  const [, name = '', type, id = ''] = form.exec(text) ?? [];
  const connection = decoded(name);
  if (!isConnectionName(connection) || !isFhirId(id)) return undefined;
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
