/**
 * core/api is the contract: paths, methods, parameters, headers and limits as tables, and the client that speaks it.
 * The server's router, its `Allow` headers and the documentation are made from these tables; nothing restates them.
 */
import type { ResourceType } from '../fhir/resource.ts';

/** Every resource path starts with this; the release of FHIR and the version of the contract. */
export const fhirPath = '/fhir-r4/v1';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';
export type Operation = 'search' | 'create' | 'read' | 'update' | 'patch';

export interface Route {
  readonly operation: Operation;
  readonly method: Method;
  /** Below {@link fhirPath}, in Express' notation. */
  readonly path: '/:type' | '/:type/:id';
  /** Media types of the request's body; none where there is no body. */
  readonly consumes: readonly string[];
  /** What a token must be allowed to do. */
  readonly access: 'read' | 'write';
}

const json = ['application/json', 'application/fhir+json'];

export const routes: readonly Route[] = [
  { operation: 'search', method: 'GET', path: '/:type', consumes: [], access: 'read' },
  { operation: 'create', method: 'POST', path: '/:type', consumes: json, access: 'write' },
  { operation: 'read', method: 'GET', path: '/:type/:id', consumes: [], access: 'read' },
  { operation: 'update', method: 'PUT', path: '/:type/:id', consumes: json, access: 'write' },
  {
    operation: 'patch',
    method: 'PATCH',
    path: '/:type/:id',
    consumes: [...json, 'application/json-patch+json'],
    access: 'write',
  },
];

/** The media type of every answer: the specification wants `application/json` in each 2xx and 4xx. */
export const mediaType = 'application/json; charset=utf-8';

export const limits = {
  /** Bytes of a request's body. */
  body: 5 * 1024 * 1024,
  /** Most matches answered where the request does not ask for pages. */
  matches: 5000,
  /** Largest page. */
  page: 1000,
} as const;

/** The methods that a path answers, in the order of an `Allow` header. */
export function allowedMethods(path: Route['path']): string[] {
  const methods = routes.filter((route) => route.path === path).map((route) => route.method);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** Path of a type or of one record, encoded, below the server's origin. */
export function pathOf(type: ResourceType, id?: string): string {
  return `${fhirPath}/${type}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
}
