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
    text: 'The CapabilityStatement: what this server offers.',
  },
  {
    ...get,
    operation: 'search',
    path: '/:type',
    access: 's',
    text: 'Finds records; answers a searchset Bundle.',
  },
  {
    ...post,
    operation: 'create',
    path: '/:type',
    access: 'c',
    success: 201,
    text: 'Stores a record under a new id.',
  },
  {
    ...post,
    operation: 'search-post',
    path: '/:type/_search',
    consumes: ['application/x-www-form-urlencoded'],
    access: 's',
    text: 'Finds records; the parameters stand in the body.',
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
    text: 'Answers what is wrong with a record, or with that of Parameters, without storing it.',
  },
  { ...get, operation: 'read', path: '/:type/:id', access: 'r', text: 'The current version of a record.' },
  {
    operation: 'update',
    method: 'PUT',
    path: '/:type/:id',
    consumes: json,
    access: 'u',
    success: 200,
    text: 'Replaces a record that exists.',
  },
  {
    operation: 'patch',
    method: 'PATCH',
    path: '/:type/:id',
    consumes: patchTypes,
    access: 'u',
    success: 200,
    text: 'Replaces elements of a record: an array of replace operations (RFC 6902).',
  },
  {
    ...get,
    operation: 'document',
    path: '/:type/:id/$document',
    access: 'r',
    text: 'A document Bundle: the record that heads it, then what it refers to as far as it is held here.',
  },
  {
    ...post,
    operation: 'document-post',
    path: '/:type/:id/$document',
    mayBeEmpty: true,
    access: 'r',
    text: 'The same, with Parameters or nothing in the body.',
  },
  {
    ...get,
    operation: 'validate-stored',
    path: '/:type/:id/$validate',
    access: 'r',
    text: 'Answers what is wrong with the record that is stored.',
  },
  {
    ...post,
    operation: 'validate-instance',
    path: '/:type/:id/$validate',
    mayBeEmpty: true,
    access: 'r',
    text: 'The same; or of what is sent to stand in its place.',
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

/** Why a method that FHIR has is not offered at a path below {@link fhirPath}, by both. */
export const withheld: ReadonlyMap<string, string> = new Map([
  ['DELETE /:type/:id', 'Records are not deleted; set status to entered-in-error.'],
  ['DELETE /:type', 'Records are not deleted; set status to entered-in-error.'],
  ['PUT /:type', 'Conditional updates are not offered; search, and update the record by its id.'],
  ['PATCH /:type', 'Conditional patches are not offered; search, and patch the record by its id.'],
  ['POST ', 'Batches are not offered; import files, or send the entries one by one.'],
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
