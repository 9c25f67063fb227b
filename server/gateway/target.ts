/**
 * Requests that the gateway forwards: the routes of the API, reads of any other R4 type, and links to
 * further pages.
 */
import { matchRoute, type Operation, type Route } from '../../core/api/contract.ts';
import type { ExpectedIdentity } from '../../core/api/identity.ts';
import { formatQuery, parseQuery } from '../../core/api/query.ts';
import { confirmedHeader, type Connection } from '../../core/app/connections.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defined } from '../../core/json/defined.ts';
import { defineMessages } from '../../core/text/message.ts';
import { isResourceType, typeList, type ResourceType } from '../../core/fhir/resource.ts';

const messages = defineMessages('gateway.target', {
  methodNotAllowed: 'Allowed here: {methods}.',
  parametersOfWrite: 'Parameters in the URL are only allowed for reads.',
  notForwarded:
    'The gateway only forwards addresses of this API for {types}, and reads of other resource types.',
  readOnly:
    'The connection {connection} is read-only. Nothing was sent to {host}. You can change this in the connection’s settings.',
  notConfirmed: 'Writes to {host} need confirmation.',
  foreignLink: 'Pages can only be read from links under the connection’s base URL.',
});

export interface Target {
  readonly route: Route;
  readonly url: URL;
  /** Expected identity of the response; absent if it is about no record. */
  readonly expected?: ExpectedIdentity;
}

/** Content of the response of each operation: a record, a list or neither. */
const responseKinds: Readonly<Record<Operation, 'record' | 'list' | undefined>> = {
  metadata: undefined,
  validate: undefined,
  document: undefined,
  'document-post': undefined,
  'validate-stored': undefined,
  'validate-instance': undefined,
  read: 'record',
  vread: 'record',
  create: 'record',
  update: 'record',
  patch: 'record',
  search: 'list',
  'search-post': 'list',
  'history-type': 'list',
  'history-instance': 'list',
};

function getExpectedIdentity(
  { operation }: Route,
  { type, id, vid }: Record<string, string>,
): ExpectedIdentity | undefined {
  const kind = responseKinds[operation];
  if (kind === undefined || type === undefined) return undefined;
  return defined({ type, id, version: vid, list: kind === 'list' ? (true as const) : undefined });
}

/** FHIR R4 datatypes.html#id, without ids of dots only, which a URL resolves as parent segments. */
const idForm = /^(?!\.+$)[A-Za-z0-9.-]{1,64}$/;

/** Parameters that a request other than a search or a read may bring. */
const plainParameters = new Set(['_format', '_pretty', 'mode', 'profile']);

/**
 * Returns the remote address of a request. `gatewayPath` is the part after the gateway's own path, as sent.
 *
 * @throws FhirError `unknown-path`, `method`, `malformed`, `not-accepted`.
 */
export function targetOf(
  method: string,
  place: string,
  { baseUrl, encounterParameter }: Pick<Connection, 'baseUrl' | 'encounterParameter'>,
): Target {
  const queryIndex = place.indexOf('?');
  const match = matchRoute(queryIndex === -1 ? place : place.slice(0, queryIndex));
  const params = match?.params() ?? {};
  if (!match) throw unknownPath();
  const { path, routes, allow } = match.item;
  const route = routes.get(method);
  const isOther = queryIndex === -1 && isReadOfOther(route, params.type);
  if (!Object.entries(params).every((parameter) => isParameter(parameter, isOther))) throw unknownPath();
  if (!route) throw new FhirError('method', messages.methodNotAllowed({ methods: allow }), { Allow: allow });
  const pairs = queryIndex === -1 ? [] : parseQuery(place.slice(queryIndex + 1));
  if (route.method !== 'GET' && !pairs.every(([name]) => plainParameters.has(name))) {
    throw new FhirError('not-accepted', messages.parametersOfWrite());
  }
  const url = new URL(baseUrl);
  const segments = path.split('/').map((segment) => {
    return segment.startsWith(':') ? encodeURIComponent(params[segment.slice(1)] ?? '') : segment;
  });
  url.pathname += segments.join('/');
  url.search = formatQuery(
    pairs.map(([name, value]) => [renameParameter(name, encounterParameter), value] as const),
  );
  const expected = getExpectedIdentity(route, params);
  return { route, url, ...(expected && { expected }) };
}

function isParameter([name, value]: readonly [string, string], isOther: boolean): boolean {
  return name === 'type' ? isOther || isResourceType(value) : idForm.test(value);
}

/** Returns true for a read of the current version of a type outside the API. */
function isReadOfOther(route: Route | undefined, type: string | undefined): boolean {
  return route?.operation === 'read' && route.method === 'GET' && type !== undefined && isR4Type(type);
}

function renameParameter(name: string, encounter: string): string {
  return name.replace(/^encounter(?=$|[:.])/, () => encounter);
}

function unknownPath(): FhirError {
  return new FhirError('unknown-path', messages.notForwarded({ types: typeList }));
}

/** Returns true for a request that may change something: all but reads and searches. */
export function isWrite({ method, operation }: Route): boolean {
  return method !== 'GET' && operation !== 'search-post';
}

/**
 * Checks a request against the mode of its connection.
 *
 * @throws FhirError `forbidden` for a write to a read-only connection; `not-confirmed` for a write without
 *   the host if the mode is `confirm`.
 */
export function checkMode(
  route: Route,
  { mode, name, baseUrl }: Connection,
  confirmed: string | undefined,
): void {
  if (!isWrite(route)) return;
  const { host } = new URL(baseUrl);
  switch (mode) {
    case 'normal':
      return;
    case 'read-only':
      throw new FhirError('forbidden', messages.readOnly({ connection: name, host }));
    case 'confirm':
      if (confirmed?.trim().toLowerCase() === host) return;
      throw new FhirError('not-confirmed', {
        ...messages.notConfirmed({ host }),
        location: `http.${confirmedHeader}`,
      });
  }
}

/**
 * Returns the address of a Bundle link: absolute, below the base URL and of the searched type. Without a
 * type, any supported type.
 *
 * @throws FhirError `not-accepted`.
 */
export function linkTarget(link: string, baseUrl: string, type?: ResourceType): URL {
  const base = new URL(baseUrl);
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const isBelowBase = url && (url.pathname === base.pathname || url.pathname.startsWith(`${base.pathname}/`));
  if (
    !url ||
    !isBelowBase ||
    url.origin !== base.origin ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== '' ||
    !isPlainPath(link, url) ||
    !isOwnPlace(resourceAt(url, base), type)
  ) {
    throw new FhirError('not-accepted', {
      ...messages.foreignLink(),
      location: 'http.link',
    });
  }
  return url;
}

/**
 * Returns true for a path without parent segments, encoding or backslashes: it is sent exactly as written.
 */
function isPlainPath(link: string, { pathname }: URL): boolean {
  const sentPath = /^[a-z]+:\/\/[^/?#\\]+([^?#]*)/i.exec(link)?.[1] ?? '';
  return !/[%\\]|\/\//.test(sentPath) && (sentPath === pathname || (sentPath === '' && pathname === '/'));
}

/** Returns true for the base, a type or a record with its history. The server owns all other addresses. */
function isOwnPlace(path: string | undefined, type: ResourceType | undefined): boolean {
  if (path === undefined) return false;
  const [firstSegment = '', id, ...remainingSegments] = path.split('/');
  if (firstSegment === '') return true;
  return (
    isResourceType(firstSegment) &&
    (type ?? firstSegment) === firstSegment &&
    (id === undefined || idForm.test(id)) &&
    remainingSegments.length === 0
  );
}

/**
 * Returns the resource type or record of an address below a base URL: `CarePlan/a` for
 * `/fhir/CarePlan/a/_history/2`, an empty string for the base. Undefined for an operation: names with an
 * underscore are never resources.
 */
export function resourceAt({ pathname }: URL, base: URL): string | undefined {
  const segments = pathname.slice(base.pathname.length).split('/').slice(1);
  if (segments.some((segment) => segment.startsWith('$'))) return undefined;
  const end = segments.findIndex((segment) => segment === '' || segment.startsWith('_'));
  return segments.slice(0, end === -1 ? undefined : end).join('/');
}
