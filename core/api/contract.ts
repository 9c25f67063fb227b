/**
 * core/api is the contract: paths, methods, parameters, headers and limits as tables, and the client that speaks it.
 * The server's router, its `Allow` headers, /metadata, the OpenAPI document and docs/api.md are made from these
 * tables; nothing restates them.
 */
import type { ResourceType } from '../fhir/resource.ts';
import type { Permission } from '../app/scopes.ts';
import { routeTable } from './route-table.ts';

/** Every resource path starts with this; the release of FHIR and the version of the contract. */
export const fhirPath = '/fhir-r4/v1';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

interface RouteRow {
  readonly operation: string;
  readonly method: Method;
  /** Below {@link fhirPath}, as {@link routeTable} reads it. */
  readonly path: string;
  /** Media types of the request's body; none where there is no body. */
  readonly consumes: readonly string[];
  /** Whether the body may be left out. */
  readonly mayBeEmpty?: true;
  /** What a token must be allowed to do with the type; `open` needs no token. */
  readonly access: Permission | 'open';
  /** Status of a success. */
  readonly success: 200 | 201;
  /** One sentence for the documentation. */
  readonly text: string;
}

const json = ['application/json', 'application/fhir+json', 'application/json+fhir'];
const patchTypes = [...json, 'application/json-patch+json'];
const none: readonly string[] = [];
const get = { method: 'GET', consumes: none, success: 200 } as const;
const post = { method: 'POST', consumes: json, success: 200 } as const;

const table = [
  {
    ...get,
    operation: 'metadata',
    path: '/metadata',
    access: 'open',
    text: 'The CapabilityStatement of this server.',
  },
  {
    ...get,
    operation: 'search',
    path: '/:type',
    access: 's',
    text: 'Searches records and returns a searchset Bundle.',
  },
  {
    ...post,
    operation: 'create',
    path: '/:type',
    access: 'c',
    success: 201,
    text: 'Creates a record with a new ID.',
  },
  {
    ...post,
    operation: 'search-post',
    path: '/:type/_search',
    consumes: ['application/x-www-form-urlencoded'],
    access: 's',
    text: 'Searches records, with the parameters in the body.',
  },
  {
    ...get,
    operation: 'history-type',
    path: '/:type/_history',
    access: 's',
    text: 'All versions of all records of a type, newest first.',
  },
  {
    ...post,
    operation: 'validate',
    path: '/:type/$validate',
    access: 'r',
    text: 'Validates a record, or the resource in Parameters, without storing it.',
  },
  {
    ...get,
    operation: 'read',
    path: '/:type/:id',
    access: 'r',
    text: 'Returns the current version of a record.',
  },
  {
    operation: 'update',
    method: 'PUT',
    path: '/:type/:id',
    consumes: json,
    access: 'u',
    success: 200,
    text: 'Replaces an existing record.',
  },
  {
    operation: 'patch',
    method: 'PATCH',
    path: '/:type/:id',
    consumes: patchTypes,
    access: 'u',
    success: 200,
    text: 'Replaces elements of a record (JSON Patch, replace operations only).',
  },
  {
    ...get,
    operation: 'document',
    path: '/:type/:id/$document',
    access: 'r',
    text: 'Returns a document Bundle: the record, then the resources it references, as far as they are stored here.',
  },
  {
    ...post,
    operation: 'document-post',
    path: '/:type/:id/$document',
    mayBeEmpty: true,
    access: 'r',
    text: 'The same, with Parameters or no body.',
  },
  {
    ...get,
    operation: 'validate-stored',
    path: '/:type/:id/$validate',
    access: 'r',
    text: 'Validates the stored record.',
  },
  {
    ...post,
    operation: 'validate-instance',
    path: '/:type/:id/$validate',
    mayBeEmpty: true,
    access: 'r',
    text: 'The same, or validates the body as its replacement.',
  },
  {
    ...get,
    operation: 'history-instance',
    path: '/:type/:id/_history',
    access: 'r',
    text: 'All versions of a record, newest first.',
  },
  {
    ...get,
    operation: 'vread',
    path: '/:type/:id/_history/:vid',
    access: 'r',
    text: 'One version of a record.',
  },
] as const satisfies readonly RouteRow[];

export type Operation = (typeof table)[number]['operation'];

export interface Route extends RouteRow {
  readonly operation: Operation;
}

/** The whole API below {@link fhirPath}. */
export const routes: readonly Route[] = table;

/** An interaction that FHIR R4 has and this service does not offer. */
export type WithheldInteraction = 'deletion' | 'conditionalUpdate' | 'conditionalPatch' | 'batch';

/** Interactions that are not offered, by their method and path below {@link fhirPath}. */
export const withheld: ReadonlyMap<string, WithheldInteraction> = new Map([
  ['DELETE /:type/:id', 'deletion'],
  ['DELETE /:type', 'deletion'],
  ['PUT /:type', 'conditionalUpdate'],
  ['PATCH /:type', 'conditionalPatch'],
  ['POST ', 'batch'],
]);

/** The operations ($name), each with the paths that it is called at. */
export const operationPaths: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(routes, ({ path }) => /\$[a-z-]+$/.exec(path)?.[0] ?? '')].flatMap(([name, own]) =>
    name === '' ? [] : [[name, [...new Set(own.map(({ path }) => path))]] as const],
  ),
);

/** The media type of every answer: the specification wants `application/json` in each 2xx and 4xx. */
export const mediaType = 'application/json; charset=utf-8';

/** What PATCH takes, for the `Accept-Patch` header. */
export const acceptPatch = 'application/json-patch+json, application/json';

export { limits } from '../fhir/limits.ts';

/** What the table has for an address below {@link fhirPath}. */
export const matchRoute = routeTable(routes);

/** Path of a type or of one record, encoded, below the server's origin. */
export function pathOf(type: ResourceType, id?: string): string {
  return `${fhirPath}/${type}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
}
