import type { Request, Response } from 'express';
import { acceptPatch, fhirPath, routes, type Operation, type Route } from '../../core/api/contract.ts';
import { checkAcceptable, checkContentType } from '../../core/api/negotiation.ts';
import { authorize } from './access.ts';
import { pairsOf, type Answer } from './request.ts';
import { sendOptions, type TableRoute } from './route-table.ts';
import { noteAnswer, type Audit } from './audit-recorder.ts';

/** Answers each operation of the contract. */
export type Answers = Readonly<
  Record<Operation, (request: Request, response: Response, route: Route) => Promise<void>>
>;

/** The contract's operations below {@link fhirPath}. */
export function fhirRoutes(answers: Answers, readBody: Answer, audit: Audit): readonly TableRoute[] {
  return [
    // Batches and system searches are not offered: the base itself answers OPTIONS alone.
    {
      method: 'OPTIONS',
      path: fhirPath,
      access: 'token',
      answer: (_request, response) => sendOptions(response, 'OPTIONS'),
    },
    ...routes.map((route): TableRoute => ({
      method: route.method,
      path: fhirPath + route.path,
      access: route.access,
      async answer(request, response) {
        // Row 90: a conditional create searches.
        if (route.operation === 'create' && request.headers['if-none-exist'] !== undefined)
          authorize(request, response, 's');
        const hasBody = route.consumes.length > 0 && !(route.mayBeEmpty && isEmpty(request));
        negotiate(request, route, hasBody);
        if (hasBody) await readBody(request, response);
        await answers[route.operation](request, response, route);
        noteAnswer(audit, request, response, route);
        await response.locals.rest?.();
      },
    })),
  ];
}

function isEmpty({ headers }: Request): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
}

/** Rows 73, 74 and 81, before a body is read. */
function negotiate(request: Request, { consumes, operation }: Route, hasBody: boolean): void {
  const format = pairsOf(request).find(([name]) => name === '_format')?.[1];
  checkAcceptable(request.headers.accept, format);
  if (hasBody) {
    const headers: Record<string, string> = operation === 'patch' ? { 'Accept-Patch': acceptPatch } : {};
    checkContentType(request.headers['content-type'], consumes, headers);
  }
}
