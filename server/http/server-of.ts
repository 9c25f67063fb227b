import { connectionHeader, type Connection } from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { localServer } from '../workspace/server-key.ts';
import type { ApiRequest } from './request.ts';

const messages = defineMessages('connection', { absent: 'There is no connection with this ID.' });

/** Returns the server that a workspace request is about. */
export type ServerOf = (request: ApiRequest) => Promise<string>;

/** Creates a reader of the connection header. Without the header it returns the local server. */
export function createServerReader(connections: Pick<ConnectionStore, 'find'>): ServerOf {
  return async (request) => {
    const id = request.header(connectionHeader);
    if (id === undefined) return localServer;
    const connection = await connections.find(id);
    if (connection) return connection.baseUrl;
    throw createUnknownConnectionError(`http.${connectionHeader}`);
  };
}

/**
 * Returns the connection.
 *
 * @throws FhirError `not-found` if no connection has the id.
 */
export async function findConnection(
  connections: Pick<ConnectionStore, 'find'>,
  id: string,
): Promise<Connection> {
  const connection = await connections.find(id);
  if (connection) return connection;
  throw createUnknownConnectionError();
}

/**
 * Creates the error of an unknown connection.
 *
 * @param location - Header that named the connection.
 */
export function createUnknownConnectionError(location?: string): FhirError {
  return new FhirError('not-found', { ...messages.absent(), ...(location !== undefined && { location }) });
}
