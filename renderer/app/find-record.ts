import type { Client } from '../../core/api/client.ts';
import { ApiFailure } from '../../core/api/failure.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import { isFhirId, isResourceType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { summarize } from '../../core/fhir/summary.ts';
import { scan } from '../../core/json/scan.ts';

/** A record id and its possible types: one if the input names the type, otherwise all. */
export interface RecordQuery {
  readonly id: string;
  readonly types: readonly ResourceType[];
}

// oxlint-disable-next-line security/detect-non-literal-regexp -- of the table of types
const recordAddressPattern = new RegExp(`(?:^|/)(${resourceTypes.join('|')})/([A-Za-z0-9.-]{1,64})(?:/|$)`);

/** Parses an id, `Type/id` or the URL of a record. Returns undefined for other input. */
export function parseRecordQuery(input: string): RecordQuery | undefined {
  const text = input.trim();
  const [, type = '', id = ''] = recordAddressPattern.exec(text) ?? [];
  if (isResourceType(type)) return { id, types: [type] };
  return isFhirId(text) ? { id: text, types: resourceTypes } : undefined;
}

/** Returns true if a request is worthwhile. A word without digit and type is a name, which the finder handles. */
export function canBeId({ id, types }: RecordQuery): boolean {
  return types.length === 1 || /\d/.test(id);
}

/**
 * Reads the id as each of the types and returns the existing records.
 *
 * @throws The client's error, except for status 404 and 410.
 */
export async function findRecords(
  client: Pick<Client, 'read'>,
  { id, types }: RecordQuery,
): Promise<readonly NamedRecord[]> {
  const recordsByType = await Promise.all(types.map((type) => findByType(client, type, id)));
  return recordsByType.flat();
}

async function findByType(
  client: Pick<Client, 'read'>,
  type: ResourceType,
  id: string,
): Promise<readonly NamedRecord[]> {
  try {
    const { text } = await client.read(type, id);
    return [{ type, id, title: summarize(scan(text).root).title || id }];
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 410)) return [];
    throw error;
  }
}
