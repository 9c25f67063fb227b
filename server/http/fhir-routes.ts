import type { Request, Response } from 'express';
import { acceptPatch, fhirPath, routes, type Operation, type Route } from '../../core/api/contract.ts';
import { checkAcceptable, checkContentType } from '../../core/api/negotiation.ts';
import { authorize } from './access.ts';
import { getQueryPairs, type Handler } from './request.ts';
import { sendOptions, type TableRoute } from './route-table.ts';
import { auditFhirResponse, type Audit } from './audit-recorder.ts';

/** Handlers by operation. */
export type Handlers = Readonly<
  Record<Operation, (request: Request, response: Response, route: Route) => Promise<void>>
>;

/** Returns the routes of the contract's operations. */
export function createFhirRoutes(handlers: Handlers, readBody: Handler, audit: Audit): readonly TableRoute[] {
  return [
    // The base responds to OPTIONS only. Batches and system searches are not supported.
    {
      method: 'OPTIONS',
      path: fhirPath,
      access: 'token',
      handler: (_request, response) => sendOptions(response, 'OPTIONS'),
    },
    ...routes.map((route): TableRoute => ({
      method: route.method,
      path: fhirPath + route.path,
      access: route.access,
      async handler(request, response) {
        // A conditional create also searches (row 90).
        if (route.operation === 'create' && request.headers['if-none-exist'] !== undefined)
          authorize(request, response, 's');
        const hasBody = route.consumes.length > 0 && !(route.mayBeEmpty && isEmpty(request));
        negotiate(request, route, hasBody);
        if (hasBody) await readBody(request, response);
        await handlers[route.operation](request, response, route);
        auditFhirResponse(audit, request, response, route);
        await response.locals.sendRemaining?.();
      },
    })),
  ];
}

function isEmpty({ headers }: Request): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
}

/** Checks Accept and Content-Type before the body is read (rows 73, 74 and 81). */
function negotiate(request: Request, { consumes, operation }: Route, hasBody: boolean): void {
  const format = getQueryPairs(request).find(([name]) => name === '_format')?.[1];
  checkAcceptable(request.headers.accept, format);
  if (hasBody) {
    const headers: Record<string, string> = operation === 'patch' ? { 'Accept-Patch': acceptPatch } : {};
    checkContentType(request.headers['content-type'], consumes, headers);
  }
}
