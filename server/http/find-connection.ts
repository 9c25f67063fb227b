import type { Connection } from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ConnectionStore } from '../workspace/connections.ts';

/** @throws FhirError `not-found` where no connection has the id. */
export async function findConnection(
  connections: Pick<ConnectionStore, 'find'>,
  id: string,
): Promise<Connection> {
  const found = await connections.find(id);
  if (found) return found;
  throw new FhirError('not-found', { text: 'No connection has this id.' });
}
