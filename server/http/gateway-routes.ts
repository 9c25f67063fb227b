import type { Request, Response } from 'express';
import { METHODS } from 'node:http';
import { fhirPath, type Operation, type Route } from '../../core/api/contract.ts';
import { gatewayPath } from '../../core/api/gateway.ts';
import { provenanceHeader } from '../../core/api/provenance.ts';
import { checkContentType } from '../../core/api/negotiation.ts';
import { confirmedHeader, connectionHeader, type Connection } from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import type { PageAnswer } from '../gateway/answer.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { linkTarget, targetOf, checkMode } from '../gateway/target.ts';
import type { RemoteJudge } from '../remote/remote-judge.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { idOf, pairsOf, goneSignal, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { findConnection } from './server-of.ts';

export interface GatewayRouteParts {
  readonly gateway: Gateway;
  readonly connections: ConnectionStore;
  readonly remote: Pick<RemoteJudge, 'written'>;
  readonly readBody: Answer;
}

/** What the page may say to another server; authorization is the gateway's own. */
const forwarded = [
  'Accept',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-None-Exist',
  'If-Modified-Since',
  'Prefer',
  provenanceHeader,
] as const;

/** `/app/connections/{id}/fhir-r4/v1/...`, whose methods are the gateway's to refuse, and `/app/connections/{id}/page`. */
export function gatewayRoutes(parts: GatewayRouteParts): readonly TableRoute[] {
  const answer = forwarding(parts);
  return [
    ...METHODS.map((method) => ({ method, path: `/app/connections/:id${fhirPath}/*`, answer })),
    { method: 'GET', path: '/app/connections/:id/page', answer: pages(parts) },
  ];
}

function forwarding({ gateway, connections, remote, readBody }: GatewayRouteParts): Answer {
  return async (request, response) => {
    const connection = await connectionOf(request, response, connections);
    const prefix = gatewayPath(connection.id);
    // As it was sent: what was matched takes another host's address for a path.
    const place = request.originalUrl.startsWith(`${prefix}/`)
      ? request.originalUrl.slice(prefix.length)
      : '';
    response.locals.connection = { name: connection.name, path: fhirPath + place };
    const { method } = request;
    const { route, url, asked } = targetOf(method, place, connection);
    checkMode(route, connection, request.get(confirmedHeader));
    const headers = headersOf(request, route, connection);
    await readBody(request, response);
    const body: unknown = request.body;
    const sent = route.method !== 'GET' && Buffer.isBuffer(body) ? { body } : {};
    const gone = goneSignal(response);
    const forward = { url, route, asked, method, headers, gone, ...sent };
    const answer = await gateway.forward(connection, forward);
    const type = asked?.type ?? '';
    if (
      storing.has(route.operation) &&
      isResourceType(type) &&
      answer.status < 300 &&
      answer.body.length > 0
    ) {
      await remote.written(connection, type, answer.body.toString());
    }
    sendAnswer(response, answer);
  };
}

/** What is answered with the record as it is now stored. */
const storing = new Set<Operation>(['create', 'update', 'patch']);

function pages({ gateway, connections }: GatewayRouteParts): Answer {
  return async (request, response) => {
    const connection = await connectionOf(request, response, connections);
    const { link, type } = pageOf(request);
    const url = linkTarget(link, connection.baseUrl, type);
    const below = url.pathname.slice(new URL(connection.baseUrl).pathname.length);
    response.locals.connection = { name: connection.name, path: `${fhirPath}${below}${url.search}` };
    const { method } = request;
    const headers = { Accept: request.get('Accept') ?? 'application/json' };
    const gone = goneSignal(response);
    const asked = { ...(type && { type }), list: true } as const;
    sendAnswer(response, await gateway.forward(connection, { url, asked, method, headers, gone }));
  };
}

/** @throws FhirError `not-accepted` where anything else is asked. */
function pageOf(request: Request): { readonly link: string; readonly type: ResourceType | undefined } {
  const pairs = pairsOf(request);
  const { link, type, ...others } = Object.fromEntries(pairs);
  const known = type === undefined || isResourceType(type);
  const count = type === undefined ? 1 : 2;
  if (link !== undefined && known && pairs.length === count && Object.keys(others).length === 0)
    return { link, type };
  throw new FhirError('not-accepted', {
    text: 'Send the link of the page, the type that is searched, and nothing beside them: type=…&link=…',
  });
}

async function connectionOf(
  request: Request,
  response: Response,
  connections: ConnectionStore,
): Promise<Connection> {
  const connection = await findConnection(connections, idOf(request));
  response.setHeader(connectionHeader, connection.id);
  return connection;
}

/** @throws FhirError `media-type` where the body is of a kind that the address does not take. */
function headersOf(request: Request, route: Route, { patchType }: Connection): Record<string, string> {
  if (route.consumes.length > 0) checkContentType(request.get('Content-Type'), route.consumes);
  const found: Record<string, string> = { Accept: 'application/json' };
  for (const name of forwarded) {
    const value = request.get(name);
    if (value !== undefined && (name !== 'Content-Type' || route.consumes.length > 0)) found[name] = value;
  }
  return route.operation === 'patch' ? { ...found, 'Content-Type': patchType } : found;
}

function sendAnswer(response: Response, { status, headers, body }: PageAnswer): void {
  if (response.destroyed) return;
  response.status(status);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status !== 204 && status !== 304) response.setHeader('Content-Length', body.length);
  response.end(body);
}
