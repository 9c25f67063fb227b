/** Addresses of remote servers behind the gateway. */
import type { ResourceType } from '../fhir/resource.ts';
import { fhirPath } from './contract.ts';

/** Returns the path prefix of requests to a connection. Requests to the local server have none. */
export function gatewayRoot(id: string): string {
  return `/app/connections/${encodeURIComponent(id)}`;
}

/** Returns the base path of requests to a connection, the counterpart of {@link fhirPath}. */
export function gatewayPath(id: string): string {
  return gatewayRoot(id) + fhirPath;
}

/**
 * Returns the path that reads the page of a `next` link. The link is absolute and below the base URL of the
 * connection.
 */
export function gatewayPage(id: string, type: ResourceType, link: string): string {
  return `${gatewayRoot(id)}/page?type=${type}&link=${encodeURIComponent(link)}`;
}

/** Returns true if a path is a request to a remote server. */
export function isGatewayPath(path: string): boolean {
  const remotePath = /^\/app\/connections\/[^/]+(\/.*)$/.exec(path)?.[1] ?? '';
  return remotePath === '/page' || remotePath.startsWith(`${fhirPath}/`);
}
