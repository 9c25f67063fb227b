import type { Request, RequestHandler, Response } from 'express';
import {
  acceptPatch,
  allowedMethods,
  fhirPath,
  mediaType,
  paths,
  placeOf,
  routes,
  type Operation,
  type Route,
} from '../../core/api/contract.ts';
import { checkAcceptable, checkContentType } from '../../core/api/negotiation.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { checkScope } from './access.ts';
import { idOf, pairsOf, typeOf } from './request.ts';

/** Answers one operation of the contract. */
export type Answer = (request: Request, response: Response, route: Route) => Promise<void>;
export type Answers = Readonly<Record<Operation, Answer>>;

/** Takes a request behind its answer; those that are refused come to nobody here. */
export type AnswerNote = (request: Request, response: Response, route: Route) => void;

/** What one path of the contract answers: a route for each method, `Allow` for the others. */
interface PathAnswers {
  readonly methods: ReadonlyMap<string, Route>;
  readonly otherwise: (request: Request, response: Response) => void;
}

/**
 * The routes below {@link fhirPath}, looked up in the contract's table: a router would try its patterns one after the
 * other on each request. An address that the table does not have goes on to the next handler.
 */
export function fhirRoutes(answers: Answers, readBody: RequestHandler, answered: AnswerNote): RequestHandler {
  const table = new Map(paths().map((path) => [path, pathAnswers(path)]));
  return async (request, response, next) => {
    const address = request.path.slice(fhirPath.length);
    const place = placeOf(address);
    const found = place && table.get(place.path);
    if (!found) {
      if (address === '' || address === '/') baseOnly(request, response);
      else next();
      return;
    }
    request.params = { ...place.params };
    checkAddress(request);
    const route = found.methods.get(request.method);
    if (!route) {
      found.otherwise(request, response);
      return;
    }
    checkScope(request, response, route.access);
    negotiate(request, route);
    if (route.consumes.length > 0) await run(readBody, request, response);
    await answers[route.operation](request, response, route);
    answered(request, response, route);
  };
}

function pathAnswers(path: string): PathAnswers {
  const own = routes.filter((route) => route.path === path);
  const methods = own.flatMap((route): [string, Route][] =>
    route.method === 'GET'
      ? [
          ['GET', route],
          ['HEAD', route],
        ]
      : [[route.method, route]],
  );
  const patchable = own.some(({ operation }) => operation === 'patch');
  return {
    methods: new Map(methods),
    otherwise: answerOptions(allowedMethods(path).join(', '), patchable),
  };
}

function run(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(request, response, (fault?: unknown) => {
      if (fault === undefined) resolve();
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the handler passes on
      else reject(fault);
    });
  });
}

/** Row 14: only the types that are offered exist, and of the operations ($name) those of the table. */
function checkAddress(request: Request): void {
  if (request.params.type !== undefined) typeOf(request);
  if (idOf(request).startsWith('$')) throw notOffered();
}

/** Rows 73, 74 and 81, before a body is read. */
function negotiate(request: Request, { consumes, operation }: Route): void {
  const format = pairsOf(request).find(([name]) => name === '_format')?.[1];
  checkAcceptable(request.headers.accept, format);
  if (consumes.length > 0) {
    const headers: Record<string, string> = operation === 'patch' ? { 'Accept-Patch': acceptPatch } : {};
    checkContentType(request.headers['content-type'], consumes, headers);
  }
}

/** Row 72: OPTIONS tells the methods, any other is 405. */
function answerOptions(allow: string, patchable = false): PathAnswers['otherwise'] {
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
