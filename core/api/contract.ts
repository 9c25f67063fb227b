/**
 * core/api is the contract: paths, methods, parameters, headers and limits as tables, and a client. The
 * router of the server, its `Allow` headers, /metadata, the OpenAPI document and docs/api.md are built from
 * these tables. Nothing repeats them.
 */
import type { ResourceType } from '../fhir/resource.ts';
import type { Permission } from '../app/scopes.ts';

/** Start of every resource path: the FHIR release and the version of the contract. */
export const fhirPath = '/fhir-r4/v1';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

interface RouteRow {
  readonly operation: string;
  readonly method: Method;
  /** Path below {@link fhirPath} in the syntax of {@link routeTable}. */
  readonly path: string;
  /** Media types of the request body; empty if there is no body. */
  readonly consumes: readonly string[];
  /** True if the body is optional. */
  readonly mayBeEmpty?: true;
  /** Permission on the type that a token needs; `open` needs no token. */
  readonly access: Permission | 'open';
  /** HTTP status of a success. */
  readonly success: 200 | 201;
  /** One sentence for the documentation. */
  readonly text: string;
}

const json = ['application/json', 'application/fhir+json', 'application/json+fhir'];
const patchTypes = [...json, 'application/json-patch+json'];
const noMediaTypes: readonly string[] = [];
const get = { method: 'GET', consumes: noMediaTypes, success: 200 } as const;
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

/** All routes below {@link fhirPath}. */
export const routes: readonly Route[] = table;

/** Interaction of FHIR R4 that this server does not support. */
export type WithheldInteraction = 'deletion' | 'conditionalUpdate' | 'conditionalPatch' | 'batch';

/** Unsupported interactions, by method and path below {@link fhirPath}. */
export const unsupportedInteractions: ReadonlyMap<string, WithheldInteraction> = new Map([
  ['DELETE /:type/:id', 'deletion'],
  ['DELETE /:type', 'deletion'],
  ['PUT /:type', 'conditionalUpdate'],
  ['PATCH /:type', 'conditionalPatch'],
  ['POST ', 'batch'],
]);

/** Operations ($name) and their paths. */
export const operationPaths: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(routes, ({ path }) => /\$[a-z-]+$/.exec(path)?.[0] ?? '')].flatMap(
    ([name, operationRoutes]) =>
      name === '' ? [] : [[name, [...new Set(operationRoutes.map(({ path }) => path))]] as const],
  ),
);

/** Media type of every response. The specification requires `application/json` in each 2xx and 4xx. */
export const mediaType = 'application/json; charset=utf-8';

/** Media types of PATCH, for the `Accept-Patch` header. */
export const acceptPatch = 'application/json-patch+json, application/json';

export { limits } from '../fhir/limits.ts';

/** Returns the routes of an address below {@link fhirPath}. */
export const matchRoute = routeTable(routes);

/** Returns the encoded path of a type or of one record, below the server's origin. */
export function pathOf(type: ResourceType, id?: string): string {
  return `${fhirPath}/${type}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
}

// Addresses of remote servers behind the gateway.

/** Returns the path prefix of requests to a connection. Requests to the local server have none. */
export function gatewayRoot(id: string): string {
  return `/app/connections/${encodeURIComponent(id)}`;
}

/** Returns the base path of requests to a connection, the counterpart of {@link fhirPath}. */
export function gatewayPath(id: string): string {
  return gatewayRoot(id) + fhirPath;
}

/**
 * Returns the path that reads the page of a `next` link. The link is absolute and below the base URL of the
 * connection.
 */
export function gatewayPage(id: string, type: ResourceType, link: string): string {
  return `${gatewayRoot(id)}/page?type=${type}&link=${encodeURIComponent(link)}`;
}

/** Returns true if a path is a request to a remote server. */
export function isGatewayPath(path: string): boolean {
  const remotePath = /^\/app\/connections\/[^/]+(\/.*)$/.exec(path)?.[1] ?? '';
  return remotePath === '/page' || remotePath.startsWith(`${fhirPath}/`);
}

export interface RoutePattern {
  readonly method: string;
  /** Literal segments, `:name` for any segment, and a final `*` for any further segments or none. */
  readonly path: string;
}

export interface PathItem<Route> {
  readonly path: string;
  /** Routes by method. HEAD exists if GET does. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Methods for an `Allow` header (RFC 9110 section 10.2.1). */
  readonly allow: string;
  /** Names and indices of parameter segments. */
  readonly parameters: readonly { readonly place: number; readonly name: string }[];
}

export interface Match<Route> {
  readonly item: PathItem<Route>;
  /**
   * Returns the decoded parameters of the path.
   *
   * @throws URIError if a percent escape is invalid.
   */
  params(): Record<string, string>;
}

interface Node<Route> {
  readonly literals: Map<string, Node<Route>>;
  parameter?: Node<Route>;
  item?: PathItem<Route>;
  /** Path that ends with `*` at this node. */
  wildcard?: PathItem<Route>;
}

/**
 * Compiles routes into a tree of segments. A lookup costs one step for each segment, for any count of routes.
 * A literal segment precedes a parameter. A trailing slash is ignored.
 */
export function routeTable<Route extends RoutePattern>(
  routes: readonly Route[],
): (address: string) => Match<Route> | undefined {
  const root: Node<Route> = { literals: new Map() };
  for (const [path, pathRoutes] of Map.groupBy(routes, (route) => route.path))
    add(root, itemOf(path, pathRoutes));
  return (address) => {
    const segments = segmentsOf(address).map(decodeOperation);
    const item = find(root, segments, 0);
    return item && { item, params: () => paramsOf(item.parameters, segments) };
  };
}

function itemOf<Route extends RoutePattern>(path: string, pathRoutes: readonly Route[]): PathItem<Route> {
  const routes = new Map(
    pathRoutes.flatMap((route) =>
      (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]).map((method) => [method, route] as const),
    ),
  );
  const parameters = segmentsOf(path).flatMap((segment, place) =>
    segment.startsWith(':') ? [{ place, name: segment.slice(1) }] : [],
  );
  return { path, routes, allow: [...new Set([...routes.keys(), 'OPTIONS'])].join(', '), parameters };
}

function add<Route>(root: Node<Route>, item: PathItem<Route>): void {
  let node = root;
  for (const segment of segmentsOf(item.path)) {
    if (segment === '*') {
      node.wildcard = item;
      return;
    }
    const existingNode = segment.startsWith(':') ? node.parameter : node.literals.get(segment);
    const next: Node<Route> = existingNode ?? { literals: new Map() };
    if (segment.startsWith(':')) node.parameter = next;
    else node.literals.set(segment, next);
    node = next;
  }
  node.item = item;
}

function find<Route>(
  node: Node<Route>,
  segments: readonly string[],
  depth: number,
): PathItem<Route> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.item ?? node.wildcard;
  const literal = node.literals.get(segment);
  const { parameter } = node;
  return (
    (literal && find(literal, segments, depth + 1)) ??
    (parameter && segment !== '' ? find(parameter, segments, depth + 1) : undefined) ??
    node.wildcard
  );
}

function segmentsOf(address: string): readonly string[] {
  return (address.endsWith('/') ? address.slice(0, -1) : address).split('/');
}

/**
 * Decodes the operation prefix: libraries that encode whole segments send `%24validate` for `$validate` (row
 * 101).
 */
function decodeOperation(segment: string): string {
  return segment.startsWith('%24') ? `$${segment.slice(3)}` : segment;
}

function paramsOf(
  parameters: PathItem<unknown>['parameters'],
  segments: readonly string[],
): Record<string, string> {
  const params: Record<string, string> = {};
  for (const { place, name } of parameters) {
    const segment = segments[place] ?? '';
    params[name] = segment.includes('%') ? decodeURIComponent(segment) : segment;
  }
  return params;
}
