import { Router, type Request, type RequestHandler, type Response } from 'express';
import {
  acceptPatch,
  allowedMethods,
  fhirPath,
  mediaType,
  paths,
  routes,
  type Operation,
  type Route,
} from '../../core/api/contract.ts';
import { checkAcceptable, checkContentType } from '../../core/api/negotiation.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { scopeGuard } from './access.ts';
import { idOf, pairsOf, typeOf } from './request.ts';

/** Answers one operation of the contract. */
export type Answer = (request: Request, response: Response, route: Route) => Promise<void>;
export type Answers = Readonly<Record<Operation, Answer>>;

/** The routes below {@link fhirPath}, made from the contract's table. */
export function fhirRoutes(answers: Answers, readBody: RequestHandler): Router {
  const router = Router({ caseSensitive: true });
  // Path by path: a literal path answers its wrong methods itself, before a path with parameters could.
  for (const path of paths()) {
    for (const route of routes.filter((one) => one.path === path)) {
      const answer: RequestHandler = (request, response) =>
        answers[route.operation](request, response, route);
      const body = route.consumes.length > 0 ? [readBody] : [];
      const checks = [typeGuard, scopeGuard(route.access), negotiate(route), ...body];
      router[verbs[route.method]](path, ...checks, answer);
    }
    router.all(path, typeGuard, otherMethods(path));
  }
  router.all('/', baseOnly);
  return router;
}

const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch' } as const;

/** Row 14: only the types that are offered exist, and of the operations ($name) those of the table. */
const typeGuard: RequestHandler = (request, _response, next) => {
  if (request.params.type !== undefined) typeOf(request);
  if (idOf(request).startsWith('$')) throw notOffered();
  next();
};

/** Rows 73, 74 and 81, before a body is read. */
function negotiate({ consumes, operation }: Route): RequestHandler {
  return (request, _response, next) => {
    const format = pairsOf(request).find(([name]) => name === '_format')?.[1];
    checkAcceptable(request.get('Accept'), format);
    if (consumes.length > 0) {
      const headers: Record<string, string> = operation === 'patch' ? { 'Accept-Patch': acceptPatch } : {};
      checkContentType(request.get('Content-Type'), consumes, headers);
    }
    next();
  };
}

/** Row 72: OPTIONS tells the methods, any other is 405. */
function otherMethods(path: string): RequestHandler {
  return answerOptions(allowedMethods(path).join(', '), path === '/:type/:id');
}

function answerOptions(allow: string, patchable = false): RequestHandler {
  const headers = { Allow: allow, ...(patchable && { 'Accept-Patch': acceptPatch }) };
  return (request, response) => {
    if (request.method !== 'OPTIONS') {
      throw new FhirError('method', { text: `This address answers ${allow}.` }, { Allow: allow });
    }
    response
      .status(204)
      .set({ ...headers, 'Content-Type': mediaType })
      .end();
  };
}

/** Batches and system searches are not offered: the base itself answers OPTIONS alone. */
const baseOnly = answerOptions('OPTIONS');

/** Answers every address that nothing else answered. */
export const unknownPath: RequestHandler = () => {
  throw notOffered();
};

function notOffered(): FhirError {
  return new FhirError('unknown-path', {
    text: `This address is not offered; records live below ${fhirPath}.`,
  });
}
