import type { RequestListener } from 'node:http';
import {
  acceptPatch,
  fhirPath,
  matchRoute,
  mediaType,
  unsupportedInteractions,
  type Match,
  type PathItem,
} from '../../core/api/contract.ts';
import type { AuditAction } from '../../core/app/audit.ts';
import { FhirError, type FhirErrorCode } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { formatError, type Log } from '../log-lines.ts';
import { authorize, type Access } from './access.ts';
import { auditResponse, type Audit } from './audit-recorder.ts';
import { createTruncatedBodyError } from './body.ts';
import type { PageHandler } from './page.ts';
import { loggedKinds, respondError, toFhirError } from './reply.ts';
import {
  ApiRequest,
  type ApiResponse,
  assertSupportedAddress,
  type Authenticate,
  type BodyReader,
  createUnsupportedError,
  type Guard,
  type Handler,
} from './request.ts';
import { ResponseSender, type PendingResponses } from './send.ts';

const messages = defineMessages('method', {
  notAllowed: 'This address doesn’t support the method. Allowed here: {methods}.',
  deletion: 'Records can’t be deleted. Set status to entered-in-error. Allowed here: {methods}.',
  conditionalUpdate:
    'Conditional update is not supported. Search, then update the record by its ID. Allowed here: {methods}.',
  conditionalPatch:
    'Conditional patch is not supported. Search, then patch the record by its ID. Allowed here: {methods}.',
  batch: 'Batches are not supported. Import files, or send the entries one by one. Allowed here: {methods}.',
});

export interface TableRoute {
  readonly method: string;
  readonly path: string;
  /** Required access. Full access if it is omitted. */
  readonly access?: Access;
  /** Audit action of a request. Undefined if the route writes no entry, or its own. */
  readonly audit?: AuditAction;
  /** Reads the body after authorization: the default reader, or a reader of the route. */
  readonly body?: true | BodyReader;
  readonly handler: Handler;
}

/** Responds to a request of the table. Undefined for other addresses. Rejects with the error of a handler. */
export type Router = (request: ApiRequest) => Promise<ApiResponse | undefined>;

export type MatchRoute = (address: string) => Match<TableRoute> | undefined;

export interface RoutingDependencies {
  readonly match: MatchRoute;
  readonly guards: readonly Guard[];
  readonly authenticate: Authenticate;
  /** Body reader of routes without their own. */
  readonly readBody: BodyReader;
  readonly audit: Audit;
}

/**
 * Creates the router of the route table (docs/decisions/0021).
 *
 * Order of checks: guards, token, path, method, permission, then the route's own checks.
 */
export function createRouter({ match, guards, authenticate, readBody, audit }: RoutingDependencies): Router {
  return async (request) => {
    for (const guard of guards) {
      const response = guard(request);
      if (response) return response;
    }
    const matched = match(request.path);
    if (!matched) return undefined;
    const { item } = matched;
    const route = item.routes.get(request.method);
    // An unsupported method requires the same token as the other methods of the address.
    const access = (route ?? item.routes.values().next().value)?.access ?? 'everything';
    request.params = matched.params();
    if (access !== 'open') authenticate(request);
    if (access !== 'everything') assertSupportedAddress(request);
    if (!route) return respondToOtherMethod(item, request.method);
    const { path, audit: action, body } = route;
    if (action !== undefined) auditResponse(audit, { path, audit: action }, request);
    authorize(request, access);
    if (body) await (body === true ? readBody : body)(request);
    return route.handler(request);
  };
}

export interface ListenerDependencies {
  readonly route: Router;
  readonly servePage: PageHandler;
  readonly authenticate: Authenticate;
  readonly pendingResponses: PendingResponses;
  readonly log: Log;
  /** Called with a rejected request after its response. */
  readonly onRejected: (request: ApiRequest, kind: FhirErrorCode, status: number) => void;
}

/** Creates the listener of a server: the route table, then the page files, then the rejection of other addresses. */
export function createRequestListener({
  route,
  servePage,
  authenticate,
  pendingResponses,
  log,
  onRejected,
}: ListenerDependencies): RequestListener {
  async function respond(request: ApiRequest, sender: ResponseSender): Promise<void> {
    const response = await route(request);
    if (response) {
      await sender.send(response);
      return;
    }
    sender.setCommonHeaders();
    await servePage(request.incoming, sender.outgoing);
    authenticate(request);
    throw createUnsupportedError(request);
  }

  async function reject(cause: unknown, request: ApiRequest, sender: ResponseSender): Promise<void> {
    const { incoming, requestId } = request;
    // A client that disconnects early is no server error.
    const error = cause === incoming.errored ? createTruncatedBodyError() : toFhirError(cause);
    if (sender.outgoing.headersSent) sender.outgoing.destroy();
    else {
      // A file or stream that failed may have set its own, such as a Content-Encoding.
      for (const name of sender.outgoing.getHeaderNames()) sender.outgoing.removeHeader(name);
      const onStarted = () => onRejected(request, error.kind, error.status);
      await sender.send({ ...respondError(error, request), onStarted });
    }
    if (loggedKinds.includes(error.kind)) log(`request ${requestId} failed: ${formatError(cause)}`);
    if (error.kind === 'damaged') log(`request ${requestId} met a damaged record; see /app/damage`);
  }

  return (incoming, outgoing) => {
    const request = new ApiRequest(incoming);
    const sender = new ResponseSender(request, outgoing, pendingResponses);
    respond(request, sender)
      .catch((cause: unknown) => reject(cause, request, sender))
      // If even the error response fails, only its own connection ends.
      .catch(() => outgoing.destroy());
  };
}

/** Responds to OPTIONS with the methods. Other methods are a 405 (RFC 9110 section 15.5.6). */
function respondToOtherMethod({ path, allow, routes }: PathItem<TableRoute>, method: string): ApiResponse {
  if (method !== 'OPTIONS') {
    const reason = path.startsWith(fhirPath)
      ? unsupportedInteractions.get(`${method} ${path.slice(fhirPath.length)}`)
      : undefined;
    const message = messages[reason ?? 'notAllowed']({ methods: allow });
    throw new FhirError('method', message, { Allow: allow });
  }
  return respondToOptions(allow, routes.has('PATCH') ? { 'Accept-Patch': acceptPatch } : {});
}

/** Responds to OPTIONS. */
export function respondToOptions(allow: string, headers: Record<string, string> = {}): ApiResponse {
  return { status: 204, headers: { Allow: allow, ...headers, 'Content-Type': mediaType } };
}

/** Returns the route template of a request. An address would contain ids of records and patients. */
export function routeTemplate({ url }: ApiRequest, match: MatchRoute): string {
  const [path = ''] = url.split('?');
  const template = match(path)?.item.path;
  if (template === undefined)
    return `${[fhirPath, '/app'].find((start) => path.startsWith(`${start}/`)) ?? ''}/*`;
  if (!template.endsWith('/*')) return template;
  // The contract has the templates of forwarded paths.
  const start = template.slice(0, -'/*'.length);
  const remotePath = `/${path.split('/').slice(start.split('/').length).join('/')}`;
  return start + (matchRoute(remotePath)?.item.path ?? '/*');
}
