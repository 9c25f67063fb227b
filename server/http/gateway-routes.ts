import { METHODS } from 'node:http';
import { fhirPath, gatewayPath, type Operation, type Route } from '../../core/api/contract.ts';
import { provenanceHeader } from '../../core/api/provenance.ts';
import { checkContentType } from '../../core/api/negotiation.ts';
import { confirmedHeader, connectionHeader, type Connection } from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { PageResponse } from '../gateway/page-response.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { linkTarget, targetOf, checkMode } from '../gateway/target.ts';
import type { RemoteValidation } from '../remote/remote-validation.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import type { ApiRequest, ApiResponse, BodyReader, Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { findConnection } from './server-of.ts';

const messages = defineMessages('gateway', {
  invalidPage: 'Send only the link of the page and the type searched: type=…&link=…',
});

export interface GatewayRouteDependencies {
  readonly gateway: Gateway;
  readonly connections: ConnectionStore;
  readonly remote: Pick<RemoteValidation, 'revalidateSaved'>;
  readonly readBody: BodyReader;
}

/** Headers that the page can send to a remote server. The gateway sets Authorization itself. */
const forwardedHeaders = [
  'Accept',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-None-Exist',
  'If-Modified-Since',
  'Prefer',
  provenanceHeader,
] as const;

/**
 * Routes `/app/connections/{id}/fhir-r4/v1/...`, where the gateway rejects methods, and
 * `/app/connections/{id}/page`.
 */
export function createGatewayRoutes(dependencies: GatewayRouteDependencies): readonly TableRoute[] {
  const forward = createForwardHandler(dependencies);
  return [
    ...METHODS.map((method) => ({ method, path: `/app/connections/:id${fhirPath}/*`, handler: forward })),
    { method: 'GET', path: '/app/connections/:id/page', handler: createPageHandler(dependencies) },
  ];
}

function createForwardHandler({ gateway, connections, remote, readBody }: GatewayRouteDependencies): Handler {
  return async (request) => {
    const connection = await findRequestConnection(request, connections);
    const prefix = gatewayPath(connection.id);
    // The original URL: the matched path mistakes the address of another host for a path.
    const address = request.url.startsWith(`${prefix}/`) ? request.url.slice(prefix.length) : '';
    request.notes.connection = { name: connection.name, path: fhirPath + address };
    const { method } = request;
    const { route, url, expected: query } = targetOf(method, address, connection);
    checkMode(route, connection, request.header(confirmedHeader));
    const headers = listHeaders(request, route, connection);
    await readBody(request);
    const { body } = request;
    const payload = route.method !== 'GET' && body ? { body } : {};
    const { signal } = request;
    const forward = { url, route, expected: query, method, headers, disconnected: signal, ...payload };
    const remoteResponse = await gateway.forward(connection, forward);
    const type = query?.type ?? '';
    if (
      storingOperations.has(route.operation) &&
      isResourceType(type) &&
      remoteResponse.status < 300 &&
      remoteResponse.body.length > 0
    ) {
      await remote.revalidateSaved(connection, type, remoteResponse.body.toString());
    }
    return respondToPage(remoteResponse);
  };
}

/** Operations whose response contains the stored record. */
const storingOperations = new Set<Operation>(['create', 'update', 'patch']);

function createPageHandler({ gateway, connections }: GatewayRouteDependencies): Handler {
  return async (request) => {
    const connection = await findRequestConnection(request, connections);
    const { link, type } = readPageRequest(request);
    const url = linkTarget(link, connection.baseUrl, type);
    const relativePath = url.pathname.slice(new URL(connection.baseUrl).pathname.length);
    request.notes.connection = { name: connection.name, path: `${fhirPath}${relativePath}${url.search}` };
    const { method } = request;
    const headers = { Accept: request.header('Accept') ?? 'application/json' };
    const { signal } = request;
    const query = { ...(type && { type }), list: true } as const;
    return respondToPage(
      await gateway.forward(connection, { url, expected: query, method, headers, disconnected: signal }),
    );
  };
}

/**
 * Returns link and type of a page request.
 *
 * @throws FhirError `not-accepted` for other parameters.
 */
function readPageRequest(request: ApiRequest): {
  readonly link: string;
  readonly type: ResourceType | undefined;
} {
  const pairs = request.query;
  const { link, type, ...furtherParameters } = Object.fromEntries(pairs);
  const isKnownType = type === undefined || isResourceType(type);
  const count = type === undefined ? 1 : 2;
  if (
    link !== undefined &&
    isKnownType &&
    pairs.length === count &&
    Object.keys(furtherParameters).length === 0
  )
    return { link, type };
  throw new FhirError('not-accepted', messages.invalidPage());
}

async function findRequestConnection(request: ApiRequest, connections: ConnectionStore): Promise<Connection> {
  const connection = await findConnection(connections, request.id);
  request.responseHeaders[connectionHeader] = connection.id;
  return connection;
}

/**
 * Returns the headers for the remote server.
 *
 * @throws FhirError `media-type` if the address does not support the body's type.
 */
function listHeaders(request: ApiRequest, route: Route, { patchType }: Connection): Record<string, string> {
  if (route.consumes.length > 0) checkContentType(request.header('Content-Type'), route.consumes);
  const headers: Record<string, string> = { Accept: 'application/json' };
  for (const name of forwardedHeaders) {
    const value = request.header(name);
    if (value !== undefined && (name !== 'Content-Type' || route.consumes.length > 0)) headers[name] = value;
  }
  return route.operation === 'patch' ? { ...headers, 'Content-Type': patchType } : headers;
}

function respondToPage({ status, headers, body }: PageResponse): ApiResponse {
  return { status, headers, ...(status !== 204 && status !== 304 && { body }) };
}
