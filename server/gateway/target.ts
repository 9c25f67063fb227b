/**
 * What the gateway forwards: the shapes of the API's own table, the read of a resource of any other type of R4, and links to
 * further pages. Nothing else.
 */
import { matchRoute, type Operation, type Route } from '../../core/api/contract.ts';
import type { Asked } from '../../core/api/identity.ts';
import { formatQuery, parseQuery } from '../../core/api/query.ts';
import { confirmedHeader, type Connection } from '../../core/app/connections.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defined } from '../../core/json/defined.ts';
import { isResourceType, typeList, type ResourceType } from '../../core/fhir/resource.ts';

export interface Target {
  readonly route: Route;
  readonly url: URL;
  /** What the answer must be about; absent where it is about no record. */
  readonly asked?: Asked;
}

/** What each operation answers with: a record, a list of them, or neither. */
const answers: Readonly<Record<Operation, 'record' | 'list' | undefined>> = {
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

function askedOf({ operation }: Route, { type, id, vid }: Record<string, string>): Asked | undefined {
  const kind = answers[operation];
  if (kind === undefined || type === undefined) return undefined;
  return defined({ type, id, version: vid, list: kind === 'list' ? (true as const) : undefined });
}

/** FHIR R4 datatypes.html#id, but for dots alone, which an address would read as a way up. */
const idForm = /^(?!\.+$)[A-Za-z0-9.-]{1,64}$/;

/** Parameters that a request other than a search or a read may bring. */
const plainParameters = new Set(['_format', '_pretty', 'mode', 'profile']);

/**
 * The remote address of a request, built from what its address means; `place` is what stands behind the gateway's own
 * path, as it was sent.
 *
 * @throws FhirError `unknown-path`, `method`, `malformed`, `not-accepted`.
 */
export function targetOf(
  method: string,
  place: string,
  { baseUrl, encounterParameter }: Pick<Connection, 'baseUrl' | 'encounterParameter'>,
): Target {
  const at = place.indexOf('?');
  const found = matchRoute(at === -1 ? place : place.slice(0, at));
  const params = found?.params() ?? {};
  if (!found) throw unknownPath();
  const { path, routes, allow } = found.item;
  const route = routes.get(method);
  const isOther = at === -1 && isReadOfOther(route, params.type);
  if (!Object.entries(params).every((one) => isParameter(one, isOther))) throw unknownPath();
  if (!route) throw new FhirError('method', { text: `This address answers ${allow}.` }, { Allow: allow });
  const pairs = at === -1 ? [] : parseQuery(place.slice(at + 1));
  if (route.method !== 'GET' && !pairs.every(([name]) => plainParameters.has(name))) {
    throw new FhirError('not-accepted', {
      text: 'A request that is no read takes no parameters in its address.',
    });
  }
  const url = new URL(baseUrl);
  const segments = path.split('/').map((segment) => {
    return segment.startsWith(':') ? encodeURIComponent(params[segment.slice(1)] ?? '') : segment;
  });
  url.pathname += segments.join('/');
  url.search = formatQuery(pairs.map(([name, value]) => [renamed(name, encounterParameter), value] as const));
  const asked = askedOf(route, params);
  return { route, url, ...(asked && { asked }) };
}

function isParameter([name, value]: readonly [string, string], isOther: boolean): boolean {
  return name === 'type' ? isOther || isResourceType(value) : idForm.test(value);
}

/** Whether a resource of a type that is not offered is read: as it is now, and nothing else of it. */
function isReadOfOther(route: Route | undefined, type: string | undefined): boolean {
  return route?.operation === 'read' && route.method === 'GET' && type !== undefined && isR4Type(type);
}

function renamed(name: string, encounter: string): string {
  return name.replace(/^encounter(?=$|[:.])/, () => encounter);
}

function unknownPath(): FhirError {
  return new FhirError('unknown-path', {
    text: `The gateway forwards the addresses of this API only, for ${typeList}, and the read of a resource of another type.`,
  });
}

/** Whether a request changes something, or might: all but reads and searches. */
export function isWrite({ method, operation }: Route): boolean {
  return method !== 'GET' && operation !== 'search-post';
}

/**
 * Holds a request against the mode of its connection.
 *
 * @throws FhirError `forbidden` for a write to a read-only connection, `not-confirmed` for one that does not name the
 *   host where each write is confirmed.
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
      throw new FhirError('forbidden', {
        text: `The connection ${name} is read-only: nothing is sent to ${host}. Its mode is changed in the connection.`,
      });
    case 'confirm':
      if (confirmed?.trim().toLowerCase() === host) return;
      throw new FhirError('not-confirmed', {
        text: `Each write to ${host} is confirmed: confirm this one.`,
        location: `http.${confirmedHeader}`,
      });
  }
}

/**
 * The address behind a link of a Bundle: absolute, below the base URL, and of the type that was searched, or of one that
 * is offered where that is not said.
 *
 * @throws FhirError `not-accepted`.
 */
export function linkTarget(link: string, baseUrl: string, type?: ResourceType): URL {
  const base = new URL(baseUrl);
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const below = url && (url.pathname === base.pathname || url.pathname.startsWith(`${base.pathname}/`));
  if (
    !url ||
    !below ||
    url.origin !== base.origin ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== '' ||
    !isPlainPath(link, url) ||
    !isOwnPlace(resourceAt(url, base), type)
  ) {
    throw new FhirError('not-accepted', {
      text: 'A page is read from a link below the base URL of the connection only.',
      location: 'http.link',
    });
  }
  return url;
}

/** No way up, nothing encoded, no backslash: the path stands in the link as it will be asked for. */
function isPlainPath(link: string, { pathname }: URL): boolean {
  const sent = /^[a-z]+:\/\/[^/?#\\]+([^?#]*)/i.exec(link)?.[1] ?? '';
  return !/[%\\]|\/\//.test(sent) && (sent === pathname || (sent === '' && pathname === '/'));
}

/** The base alone, a type, or a record with its history; the rest of an address is the server's own. */
function isOwnPlace(place: string | undefined, type: ResourceType | undefined): boolean {
  if (place === undefined) return false;
  const [first = '', id, ...rest] = place.split('/');
  if (first === '') return true;
  return (
    isResourceType(first) &&
    (type ?? first) === first &&
    (id === undefined || idForm.test(id)) &&
    rest.length === 0
  );
}

/**
 * The resource type, or the record, that an address below a base URL stands in: `CarePlan/a` of
 * `/fhir/CarePlan/a/_history/2`, nothing of the base itself. Undefined for an operation. Names with an underscore are
 * FHIR's or the server's own, never a resource.
 */
export function resourceAt({ pathname }: URL, base: URL): string | undefined {
  const segments = pathname.slice(base.pathname.length).split('/').slice(1);
  if (segments.some((segment) => segment.startsWith('$'))) return undefined;
  const end = segments.findIndex((segment) => segment === '' || segment.startsWith('_'));
  return segments.slice(0, end === -1 ? undefined : end).join('/');
}
