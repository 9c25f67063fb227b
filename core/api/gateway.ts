/** The addresses by which a remote server is reached through the gateway. */
import type { ResourceType } from '../fhir/resource.ts';
import { fhirPath } from './contract.ts';

/** What stands before the path of a request to a connection; before the local one there is nothing. */
export function gatewayRoot(id: string): string {
  return `/app/connections/${encodeURIComponent(id)}`;
}

/** The base of requests to a connection, in place of the local {@link fhirPath}. */
export function gatewayPath(id: string): string {
  return gatewayRoot(id) + fhirPath;
}

/** Where the page behind a `next` link of a type is read; the link is absolute, below the connection's base URL. */
export function gatewayPage(id: string, type: ResourceType, link: string): string {
  return `${gatewayRoot(id)}/page?type=${type}&link=${encodeURIComponent(link)}`;
}

/** Whether a path is that of a request to a remote server. */
export function isGatewayPath(path: string): boolean {
  const below = /^\/app\/connections\/[^/]+(\/.*)$/.exec(path)?.[1] ?? '';
  return below === '/page' || below.startsWith(`${fhirPath}/`);
}
