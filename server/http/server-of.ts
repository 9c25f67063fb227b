import type { Request } from 'express';
import { connectionHeader, type Connection } from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { localServer } from '../workspace/server-key.ts';
import { found } from './request.ts';

/** The server that a request to the workspace is about. */
export type ServerOf = (request: Request) => Promise<string>;

/** Reads it from the connection that the page names in a header; the local server where it names none. */
export function serverOfRequest(connections: Pick<ConnectionStore, 'find'>): ServerOf {
  return async (request) => {
    const id = request.get(connectionHeader);
    if (id === undefined) return localServer;
    const connection = await connections.find(id);
    if (connection) return connection.baseUrl;
    throw new FhirError('not-found', {
      text: 'No connection has this id.',
      location: `http.${connectionHeader}`,
    });
  };
}

/** @throws FhirError `not-found` where no connection has the id. */
export async function findConnection(
  connections: Pick<ConnectionStore, 'find'>,
  id: string,
): Promise<Connection> {
  return found(await connections.find(id), 'No connection has this id.');
}
