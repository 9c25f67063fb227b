import { Router, type Request, type RequestHandler, type Response } from 'express';
import {
  allowedMethods,
  fhirPath,
  pathOf,
  routes,
  type Operation,
  type Route,
} from '../../core/api/contract.ts';
import { formatQuery, parseQuery } from '../../core/api/query.ts';
import { searchSetText } from '../../core/fhir/bundle.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { formatCursor } from '../../core/fhir/search.ts';
import type { ChangeRequest, RecordService, SearchAnswer } from '../fhir/service.ts';
import { principalOf } from './access.ts';
import { sendJson, sendVersion } from './reply.ts';
import { bodyText, idOf, queryOf, typeOf } from './request.ts';

type Answer = (request: Request, response: Response, route: Route) => Promise<void>;

/** The routes below {@link fhirPath}, made from the contract's table. `base` is the absolute URL of the server. */
export function fhirRoutes(service: RecordService, base: () => string): Router {
  const router = Router({ caseSensitive: true });
  const answers = answersOf(service, base);
  for (const route of routes) {
    router[methodName(route)](route.path, async (request, response) => {
      await answers[route.operation](request, response, route);
    });
  }
  for (const path of new Set(routes.map((route) => route.path))) router.all(path, wrongMethod(path));
  return router;
}

function answersOf(service: RecordService, base: () => string): Record<Operation, Answer> {
  return {
    async search(request, response) {
      const type = typeOf(request);
      const answer = await service.search(type, parseQuery(queryOf(request)));
      sendJson(response, 200, bundleOf(answer, base() + pathOf(type)));
    },
    async create(request, response, route) {
      const type = typeOf(request);
      const text = bodyText(request, route.consumes);
      const version = await service.create({ type, text, author: principalOf(response).name });
      const location = `${base()}${pathOf(type, version.id)}/_history/${version.version}`;
      sendVersion(response, 201, version, { Location: location });
    },
    async read(request, response) {
      sendVersion(response, 200, await service.read(typeOf(request), idOf(request)));
    },
    async update(request, response, route) {
      sendVersion(response, 200, await service.update(changeOf(request, response, route)));
    },
    async patch(request, response, route) {
      sendVersion(response, 200, await service.patch(changeOf(request, response, route)));
    },
  };
}

function changeOf(request: Request, response: Response, route: Route): ChangeRequest {
  return {
    type: typeOf(request),
    id: idOf(request),
    text: bodyText(request, route.consumes),
    author: principalOf(response).name,
    ifMatch: request.headers['if-match'],
  };
}

function bundleOf({ criteria, page }: SearchAnswer, typeUrl: string): string {
  const last = page.records.at(-1);
  const without = criteria.used.filter(([name]) => name !== '_cursor');
  const address = (query: string) => (query === '' ? typeUrl : `${typeUrl}?${query}`);
  return searchSetText({
    total: page.total,
    matches: page.records,
    typeUrl,
    self: address(formatQuery(criteria.used)),
    ...(page.more && last && { next: address(formatQuery([...without, ['_cursor', formatCursor(last)]])) }),
  });
}

function methodName({ method }: Route): 'get' | 'post' | 'put' | 'patch' {
  switch (method) {
    case 'GET':
      return 'get';
    case 'POST':
      return 'post';
    case 'PUT':
      return 'put';
    case 'PATCH':
      return 'patch';
  }
}

function wrongMethod(path: Route['path']): RequestHandler {
  const allow = allowedMethods(path).join(', ');
  return (request) => {
    typeOf(request);
    throw new FhirError('method', { text: `This address answers ${allow}.` }, { Allow: allow });
  };
}

/** Answers every address that nothing else answered. */
export const unknownPath: RequestHandler = () => {
  throw new FhirError('unknown-path', {
    text: `This address is not offered; records live below ${fhirPath}.`,
  });
};
