import type { NextFunction, Request, Response } from 'express';
import { acceptPatch, fhirPath, mediaType, withheld } from '../../core/api/contract.ts';
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
  /** Reads the body, once the request may be answered. */
  readonly readBody?: Answer;
  readonly answer: Answer;
}

/** Answers what the table has; any other address goes on to `next`. Rejects with why not. */
export type TableHandler = (request: Request, response: Response, next: NextFunction) => Promise<void>;

/** Finds what the table has for a path. */
export type MatchRoute = (address: string) => Match<TableRoute> | undefined;

export interface RoutingParts {
  readonly match: MatchRoute;
  readonly guards: readonly Guard[];
  /** Finds the principal of a request, or refuses it. */
  readonly authenticate: Guard;
  readonly audit: Audit;
}

/**
 * Answers what the table has (docs/decisions/0021); any other address goes on to the next handler. The order is that
 * of the checks: the guards, the token, the path, the method, the right, then what the route itself checks.
 */
export function routing({ match, guards, authenticate, audit }: RoutingParts): TableHandler {
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
    const access = accessOf(route ?? item.routes.values().next().value);
    request.params = found.params();
    if (access !== 'open') authenticate(request, response);
    if (access !== 'everything') checkAddress(request);
    if (!route) {
      answerOther(item, request, response);
      return;
    }
    if (route.audit !== undefined) auditAnswer(audit, route.audit, request, response);
    authorize(request, response, access);
    await route.readBody?.(request, response);
    await route.answer(request, response);
  };
}

/** A method that an address does not have needs the token that its own ones need. */
function accessOf(route: TableRoute | undefined): Access {
  return route?.access ?? 'everything';
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
