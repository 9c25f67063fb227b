import type { Client } from '../../core/api/client.ts';
import { ApiFailure } from '../../core/api/failure.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import { isFhirId, isResourceType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { summarize } from '../../core/fhir/summary.ts';
import { scan } from '../../core/json/scan.ts';

/** A record that is meant: its id, and its type where that was said. */
export interface MeantRecord {
  readonly id: string;
  readonly types: readonly ResourceType[];
}

// oxlint-disable-next-line security/detect-non-literal-regexp -- of the table of types
const recordAddressPattern = new RegExp(`(?:^|/)(${resourceTypes.join('|')})/([A-Za-z0-9.-]{1,64})(?:/|$)`);

/** Reads an id, `Type/id`, or the address of a record; undefined for what is none of these. */
export function readMeant(input: string): MeantRecord | undefined {
  const text = input.trim();
  const [, type = '', id = ''] = recordAddressPattern.exec(text) ?? [];
  if (isResourceType(type)) return { id, types: [type] };
  return isFhirId(text) ? { id: text, types: resourceTypes } : undefined;
}

/** Whether it is worth a request: a word without a digit and a type is a name, which the finder looks for. */
export function canBeId({ id, types }: MeantRecord): boolean {
  return types.length === 1 || /\d/.test(id);
}

/** The records that bear the id, by reading each type; rejects as the client does where an answer is no answer. */
export async function findRecords(
  client: Pick<Client, 'read'>,
  { id, types }: MeantRecord,
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
