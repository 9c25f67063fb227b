import type { ErrorRequestHandler, Express, NextFunction, Request, Response } from 'express';
import type { RequestListener } from 'node:http';
import {
  acceptPatch,
  fhirPath,
  matchRoute,
  mediaType,
  unsupportedInteractions,
} from '../../core/api/contract.ts';
import type { Match, PathItem } from '../../core/api/route-table.ts';
import type { AuditAction } from '../../core/app/audit.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { authorize, type Access } from './access.ts';
import { auditResponse, type Audit } from './audit-recorder.ts';
import { assertSupportedAddress, type Handler, type Guard } from './request.ts';

const messages = defineMessages('method', {
  notAllowed: 'This address doesn’t support the method. Allowed here: {methods}.',
  deletion: 'Records can’t be deleted. Set status to entered-in-error. Allowed here: {methods}.',
  conditionalUpdate:
    'Conditional update is not supported. Search, then update the record by its ID. Allowed here: {methods}.',
  conditionalPatch:
    'Conditional patch is not supported. Search, then patch the record by its ID. Allowed here: {methods}.',
  batch: 'Batches are not supported. Import files, or send the entries one by one. Allowed here: {methods}.',
});

/** One method of one address. */
export interface TableRoute {
  readonly method: string;
  readonly path: string;
  /** Required access. Full access if it is omitted. */
  readonly access?: Access;
  /** Audit action of a request. Undefined if the route writes no entry, or its own. */
  readonly audit?: AuditAction;
  /** Reads the body after authorization: the default reader, or a reader of the route. */
  readonly body?: true | Handler;
  readonly handler: Handler;
}

/** Handles a request of the table. Passes other addresses to `next`. Rejects with the error of a handler. */
type TableHandler = (request: Request, response: Response, next: NextFunction) => Promise<void>;

/** Finds the route item of a path. */
export type MatchRoute = (address: string) => Match<TableRoute> | undefined;

export interface RoutingDependencies {
  readonly match: MatchRoute;
  readonly guards: readonly Guard[];
  /** Finds the principal of a request, or rejects it. */
  readonly authenticate: Guard;
  /** Body reader of routes without their own. */
  readonly readBody: Handler;
  readonly audit: Audit;
}

/**
 * Creates the handler of the route table (docs/decisions/0021). Other addresses go to the next handler.
 *
 * Order of checks: guards, token, path, method, permission, then the route's own checks.
 */
export function createRouter({
  match,
  guards,
  authenticate,
  readBody,
  audit,
}: RoutingDependencies): TableHandler {
  return async (request, response, next) => {
    for (const guard of guards) {
      guard(request, response);
      if (response.writableEnded) return;
    }
    const matched = match(request.path);
    if (!matched) {
      next();
      return;
    }
    const { item } = matched;
    const route = item.routes.get(request.method);
    // An unsupported method requires the same token as the other methods of the address.
    const access = (route ?? item.routes.values().next().value)?.access ?? 'everything';
    request.params = matched.params();
    if (access !== 'open') authenticate(request, response);
    if (access !== 'everything') assertSupportedAddress(request);
    if (!route) {
      handleOtherMethod(item, request, response);
      return;
    }
    const { path, audit: action } = route;
    if (action !== undefined) auditResponse(audit, { path, audit: action }, request, response);
    authorize(request, response, access);
    if (route.body) await (route.body === true ? readBody : route.body)(request, response);
    await route.handler(request, response);
  };
}

/**
 * Looks up each request in the table before Express, as an Express request. The Express router costs as much
 * as the work of a read.
 *
 * Other addresses go to the application. `refuse` responds to errors.
 */
export function withRouteTable(
  app: Express,
  table: TableHandler,
  refuse: ErrorRequestHandler,
): RequestListener {
  return (incoming, outgoing) => {
    const request = Object.setPrototypeOf(incoming, app.request) as Request;
    const response = Object.setPrototypeOf(outgoing, app.response) as Response;
    request.res = response;
    response.req = request;
    response.locals = {};
    request.originalUrl = request.url;
    table(request, response, () => {
      app(request, response);
    })
      .catch((cause: unknown) => {
        refuse(cause, request, response, () => undefined);
      })
      // If even the error response fails, only its own connection ends.
      .catch(() => response.destroy());
  };
}

/** Responds to OPTIONS with the methods. Other methods are a 405 (RFC 9110 section 15.5.6). */
function handleOtherMethod(
  { path, allow, routes }: PathItem<TableRoute>,
  request: Request,
  response: Response,
): void {
  if (request.method !== 'OPTIONS') {
    const reason = path.startsWith(fhirPath)
      ? unsupportedInteractions.get(`${request.method} ${path.slice(fhirPath.length)}`)
      : undefined;
    const message = messages[reason ?? 'notAllowed']({ methods: allow });
    throw new FhirError('method', message, { Allow: allow });
  }
  sendOptions(response, allow, routes.has('PATCH') ? { 'Accept-Patch': acceptPatch } : {});
}

/** Responds to OPTIONS. */
export function sendOptions(response: Response, allow: string, headers: Record<string, string> = {}): void {
  response
    .status(204)
    .set({ Allow: allow, ...headers, 'Content-Type': mediaType })
    .end();
}

/** Returns the route template of a request. An address would contain ids of records and patients. */
export function routeTemplate({ originalUrl }: Request, match: MatchRoute): string {
  const [path = ''] = originalUrl.split('?');
  const template = match(path)?.item.path;
  if (template === undefined)
    return `${[fhirPath, '/app'].find((start) => path.startsWith(`${start}/`)) ?? ''}/*`;
  if (!template.endsWith('/*')) return template;
  // The contract has the templates of forwarded paths.
  const start = template.slice(0, -'/*'.length);
  const remotePath = `/${path.split('/').slice(start.split('/').length).join('/')}`;
  return start + (matchRoute(remotePath)?.item.path ?? '/*');
}
