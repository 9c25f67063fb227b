import type { ErrorRequestHandler, Express, NextFunction, Request, Response } from 'express';
import type { RequestListener } from 'node:http';
import { acceptPatch, fhirPath, matchRoute, mediaType, withheld } from '../../core/api/contract.ts';
import type { Match, PathItem } from '../../core/api/route-table.ts';
import type { AuditAction } from '../../core/app/audit.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { authorize, type Access } from './access.ts';
import { auditAnswer, type Audit } from './audit-recorder.ts';
import { checkAddress, type Answer, type Guard } from './request.ts';

/** One method of one address. */
export interface TableRoute {
  readonly method: string;
  readonly path: string;
  /** Who is answered; holders of everything alone where it is left out. */
  readonly access?: Access;
  /** What the audit trail calls a request to it; absent where it leaves no entry, or notes its own. */
  readonly audit?: AuditAction;
  /** Reads the body, once the request may be answered: as most do, or in a way of its own. */
  readonly body?: true | Answer;
  readonly answer: Answer;
}

/** Answers what the table has; any other address goes on to `next`. Rejects with why not. */
type TableHandler = (request: Request, response: Response, next: NextFunction) => Promise<void>;

/** Finds what the table has for a path. */
export type MatchRoute = (address: string) => Match<TableRoute> | undefined;

export interface RoutingParts {
  readonly match: MatchRoute;
  readonly guards: readonly Guard[];
  /** Finds the principal of a request, or refuses it. */
  readonly authenticate: Guard;
  /** Of the routes that have no way of their own. */
  readonly readBody: Answer;
  readonly audit: Audit;
}

/**
 * Answers what the table has (docs/decisions/0021); any other address goes on to the next handler. The order is that
 * of the checks: the guards, the token, the path, the method, the right, then what the route itself checks.
 */
export function routing({ match, guards, authenticate, readBody, audit }: RoutingParts): TableHandler {
  return async (request, response, next) => {
    for (const guard of guards) {
      guard(request, response);
      if (response.writableEnded) return;
    }
    const found = match(request.path);
    if (!found) {
      next();
      return;
    }
    const { item } = found;
    const route = item.routes.get(request.method);
    // A method that an address does not have needs the token that its own ones need.
    const access = (route ?? item.routes.values().next().value)?.access ?? 'everything';
    request.params = found.params();
    if (access !== 'open') authenticate(request, response);
    if (access !== 'everything') checkAddress(request);
    if (!route) {
      answerOther(item, request, response);
      return;
    }
    const { path, audit: action } = route;
    if (action !== undefined) auditAnswer(audit, { path, audit: action }, request, response);
    authorize(request, response, access);
    if (route.body) await (route.body === true ? readBody : route.body)(request, response);
    await route.answer(request, response);
  };
}

/**
 * Has each request looked up in the table first, as Express' own request: the application's router costs a read as much as
 * its row in the table does. What the table does not have goes on to the application; `refuse` answers what it throws.
 */
export function withTable(app: Express, table: TableHandler, refuse: ErrorRequestHandler): RequestListener {
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
      .catch((thrown: unknown) => {
        refuse(thrown, request, response, () => undefined);
      })
      // What cannot even be refused ends its own connection, and nothing else.
      .catch(() => response.destroy());
  };
}

/** OPTIONS tells the methods, any other is 405 (RFC 9110 section 15.5.6). */
function answerOther(
  { path, allow, routes }: PathItem<TableRoute>,
  request: Request,
  response: Response,
): void {
  if (request.method !== 'OPTIONS') {
    const why = path.startsWith(fhirPath)
      ? withheld.get(`${request.method} ${path.slice(fhirPath.length)}`)
      : undefined;
    const text = `${why === undefined ? '' : `${why} `}This address answers ${allow}.`;
    throw new FhirError('method', { text }, { Allow: allow });
  }
  sendOptions(response, allow, routes.has('PATCH') ? { 'Accept-Patch': acceptPatch } : {});
}

/** Answers OPTIONS. */
export function sendOptions(response: Response, allow: string, headers: Record<string, string> = {}): void {
  response
    .status(204)
    .set({ Allow: allow, ...headers, 'Content-Type': mediaType })
    .end();
}

/** The path of the route that a request met; never its address, which names records and patients. */
export function routeTemplate({ originalUrl }: Request, match: MatchRoute): string {
  const [path = ''] = originalUrl.split('?');
  const met = match(path)?.item.path;
  if (met === undefined) return `${[fhirPath, '/app'].find((start) => path.startsWith(`${start}/`)) ?? ''}/*`;
  if (!met.endsWith('/*')) return met;
  // What the gateway forwards is described by the contract's own paths.
  const start = met.slice(0, -'/*'.length);
  const below = `/${path.split('/').slice(start.split('/').length).join('/')}`;
  return start + (matchRoute(below)?.item.path ?? '/*');
}
