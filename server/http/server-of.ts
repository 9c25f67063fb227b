import type { Request } from 'express';
import { connectionHeader } from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { localServer } from '../workspace/server-key.ts';

/** The server that a request to the workspace is about. */
export type ServerOf = (request: Request) => Promise<string>;

/** Reads it from the connection that the page names in a header; the local server where it names none. */
export function serverOfRequest(connections: Pick<ConnectionStore, 'find'>): ServerOf {
  return async (request) => {
    const id = request.get(connectionHeader);
    if (id === undefined) return localServer;
    const found = await connections.find(id);
    if (found) return found.baseUrl;
    throw new FhirError('not-found', {
      text: 'No connection has this id.',
      location: `http.${connectionHeader}`,
    });
  };
}
