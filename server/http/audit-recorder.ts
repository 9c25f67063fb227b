import { fhirPath, matchRoute, isGatewayPath, type Operation, type Route } from '../../core/api/contract.ts';
import type { AuditAction } from '../../core/app/audit.ts';
import type { FhirErrorCode } from '../../core/fhir/outcome.ts';
import type { ScheduleEvery } from '../background/background.ts';
import type { AuditStore } from '../store/audit-log.ts';
import { redactPath } from '../workspace/redact.ts';
import type { ApiRequest, Guard, SentResponse } from './request.ts';
import { createRejectionAudit, type UnauthenticatedRequest } from './rejection-audit.ts';
import { parseAddress } from '../../core/api/address.ts';
import { clientHeader, workbenchClient } from '../../core/api/client.ts';
import { versionOf } from '../../core/api/precondition.ts';
import { allowsEverything } from '../../core/app/scopes.ts';
import type { ActivityRecord, RequestKind } from '../../core/app/activity.ts';
import type { ActivityLog, NewRequest } from '../store/activity-log.ts';
import { localName } from '../store/activity-rows.ts';
import type { Principal } from '../access/principal.ts';

export type Audit = ReturnType<typeof createAudit>;

/** Creates the audit recorder. `close` writes pending counts of unauthenticated requests. */
export function createAudit(
  store: Pick<AuditStore, 'note'>,
  scheduleEvery: ScheduleEvery,
  clock: () => number = Date.now,
) {
  const note: AuditStore['note'] = (entry) => store.note(entry);
  const rejections = createRejectionAudit(note, scheduleEvery, clock);
  return {
    note,
    strangers: rejections,
    clock,
    isRepeated: createRepeatedReads(),
    close: () => rejections.close(),
  };
}

/** Audit actions of operations. Undefined if an operation does not access records. */
const actions: Readonly<Record<Operation, AuditAction | undefined>> = {
  metadata: undefined,
  validate: undefined,
  'validate-stored': 'read',
  'validate-instance': 'read',
  document: 'read',
  'document-post': 'read',
  read: 'read',
  vread: 'read',
  'history-instance': 'read',
  search: 'search',
  'search-post': 'search',
  'history-type': 'search',
  create: 'create',
  update: 'update',
  patch: 'patch',
};

/** Audit actions of methods that an address does not support. */
const actionsByMethod: Readonly<Record<string, AuditAction>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Errors that reject a caller before authentication. */
const signInErrors: readonly FhirErrorCode[] = ['login', 'unknown-token', 'expired-token', 'throttled'];

/** Audits a response of the FHIR API. Runs for each read, so it evaluates nothing twice. */
export function auditFhirResponse(
  audit: Audit,
  request: ApiRequest,
  status: number,
  { operation }: Route,
): void {
  const action = actions[operation];
  const { isAudited, disclosed } = request.notes;
  auditSearch(audit, request, status);
  if (disclosed !== undefined) appendEntry(audit, request, status, 'read', () => disclosed);
  else if (action !== undefined && isAudited !== true) {
    appendEntry(audit, request, status, action, () =>
      operation === 'search-post' ? formatSearchAddress(request) : formatAddress(request, status),
    );
  }
}

/** Audits the search of a conditional create, with any result. */
function auditSearch(audit: Audit, request: ApiRequest, status: number): void {
  const { searched } = request.notes;
  if (searched !== undefined)
    appendEntry(audit, request, status, 'search', () => redactAddress(request, searched));
}

/** Audits a rejected or failed request. */
export function auditRejection(audit: Audit, request: ApiRequest, kind: FhirErrorCode, status: number): void {
  const isUnauthenticated = request.caller === undefined;
  const action = isUnauthenticated && signInErrors.includes(kind) ? 'sign-in' : findAttemptedAction(request);
  auditSearch(audit, request, status);
  if (action !== undefined && request.notes.isAudited !== true) {
    appendEntry(audit, request, status, action, () => redactAddress(request, request.url));
  }
}

/** Audits an app request after its response. The entry has the path of the route. */
export function auditResponse(
  audit: Audit,
  { audit: action, path }: { readonly audit: AuditAction; readonly path: string },
  request: ApiRequest,
): void {
  const source = getSource(request);
  request.onClosed(({ status }) => {
    if (request.notes.isAudited === true) return;
    const readRequest = { path, address: request.url, principal: request.caller, time: audit.clock() };
    if (status < 400 && audit.isRepeated(readRequest)) return;
    appendEntry(audit, request, status, action, () => formatAuditTarget(request), source);
  });
}

/**
 * Audits a request for an access token or a session. A rejected request is a failed sign-in.
 *
 * @param done - Action of a successful request.
 */
export function auditSignIn(audit: Audit, request: ApiRequest, done: AuditAction = 'token-create'): void {
  request.notes.isAudited = true;
  // The body may contain credentials.
  const source = { ...getSource(request), credentials: true };
  request.onClosed(({ status }) => {
    const action = status < 400 ? done : 'sign-in';
    appendEntry(audit, request, status, action, () => formatAuditTarget(request), source);
  });
}

function formatAuditTarget(request: ApiRequest): string {
  return redactAddress(request, request.notes.audited ?? request.url);
}

function appendEntry(
  audit: Audit,
  request: ApiRequest,
  status: number,
  action: AuditAction,
  getTarget: () => string,
  source: UnauthenticatedRequest = getSource(request),
): void {
  const { caller, requestId } = request;
  const { name: author = '', person } = caller ?? {};
  const actorFields = { who: author, ...(person !== undefined && { person }) };
  const entry = () => ({ time: audit.clock(), ...actorFields, action, what: getTarget(), status, requestId });
  if (author === '' && status >= 400) audit.strangers.addRejection(source, status, entry);
  else audit.note(entry());
}

/** Reads the address while the request is open, because a closed socket has none. */
function getSource({ remoteAddress, headers }: ApiRequest): UnauthenticatedRequest {
  return { address: remoteAddress, credentials: headers.authorization !== undefined };
}

/** Returns the audited address. The id of an existing record is no secret. Other addresses are redacted. */
function formatAddress(request: ApiRequest, status: number): string {
  const { url } = request;
  return status < 400 && !url.includes('?') ? url : redactAddress(request, url);
}

function formatSearchAddress(request: ApiRequest): string {
  const { url } = request;
  const parameters = request.readText();
  const address = parameters === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${parameters}`;
  return redactAddress(request, address);
}

function redactAddress({ bearerToken }: ApiRequest, address: string): string {
  return redactPath(address, bearerToken);
}

function findAttemptedAction({ method, url }: ApiRequest): AuditAction | undefined {
  const [path = ''] = url.split('?');
  if (!path.startsWith(`${fhirPath}/`)) return undefined;
  const item = matchRoute(path.slice(fhirPath.length))?.item;
  if (!item) return undefined;
  const route = item.routes.get(method);
  return route ? actions[route.operation] : actionsByMethod[method];
}

/** Background requests of the workbench. The log omits them because they are frequent and of no interest. */
const backgroundPaths = [
  'drafts',
  'session',
  'preferences',
  'activity',
  'recents',
  'issue-counts',
  'subject-names',
  'reference-names',
];

/**
 * Creates a guard that logs workbench requests after the response: FHIR requests and changing app requests.
 *
 * Requests without the client header or without full access are not logged. Requests to a remote server are
 * always logged under the name of its connection.
 */
export function createActivityRecorder(store: ActivityLog): Guard {
  return (request) => {
    const gateway = isGatewayPath(request.path);
    if (gateway || (request.headers[clientHeaderName] === workbenchClient && isLogged(request))) {
      const time = new Date().toISOString();
      request.onClosed((sent) => {
        if (!isWorkbench(request) || (gateway && !request.notes.connection)) return;
        store.note({ time, ms: sent.ms, answerBytes: sent.bytes, ...requestOf(request, sent) });
      });
    }
  };
}

const clientHeaderName = clientHeader.toLowerCase();

function isLogged({ method, path }: ApiRequest): boolean {
  if (path.startsWith(`${fhirPath}/`)) return true;
  if (!path.startsWith('/app/') || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return false;
  return !backgroundPaths.includes(path.split('/')[2] ?? '');
}

function isWorkbench({ caller }: ApiRequest): boolean {
  return caller !== undefined && allowsEverything(caller.scopes);
}

function requestOf(request: ApiRequest, sent: SentResponse): Omit<NewRequest, 'time' | 'ms' | 'answerBytes'> {
  const remote = request.notes.connection;
  const path = redactPath(remote?.path ?? request.url, request.bearerToken);
  const record = recordOf(request, sent, path);
  return {
    kind: kindOf(request.method, path),
    connection: remote?.name ?? localName,
    method: request.method,
    path,
    status: sent.isComplete ? sent.status : 0,
    requestBytes: parseContentLength(request.headers['content-length']),
    requestId: request.requestId,
    ...(record && { record }),
  };
}

function kindOf(method: string, path: string): RequestKind {
  if (path.startsWith('/app/')) return 'app';
  const { id, operation } = parseAddress(path) ?? {};
  if (operation === '_history') return 'history';
  if (operation === '$validate') return 'validate';
  if (operation === '$document') return 'read';
  if (operation === '_search') return 'search';
  if (method !== 'GET' && method !== 'HEAD') return 'write';
  return id === undefined && parseAddress(path) ? 'search' : 'read';
}

/** Returns the requested or created record. Versions come from If-Match and the ETag of the response. */
function recordOf(request: ApiRequest, sent: SentResponse, path: string): ActivityRecord | undefined {
  const requestAddress = parseAddress(path);
  const createdAddress = parseAddress(pathIn(sent.findHeader('Location')));
  const { type, id } = createdAddress?.id === undefined ? (requestAddress ?? {}) : createdAddress;
  if (type === undefined || id === undefined) return undefined;
  if (request.method === 'GET' || request.method === 'HEAD') return { type, id };
  const before = versionOf(request.header('If-Match') ?? '');
  const after = sent.status < 300 ? versionOf(sent.findHeader('ETag') ?? '') : undefined;
  return { type, id, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function pathIn(location = ''): string {
  const offset = location.indexOf(`${fhirPath}/`);
  return offset === -1 ? '' : location.slice(offset);
}

/** Parses a Content-Length. Returns 0 for an invalid value. */
function parseContentLength(length: string | undefined): number {
  const size = Number(length ?? 0);
  return Number.isSafeInteger(size) && size >= 0 ? size : 0;
}

/**
 * Addresses that the page requests again after each change event.
 *
 * The audit log has an entry of the first response in each hour, so one viewer causes 24 entries a day. The
 * address alone decides. Rejected requests and other addresses always have an entry.
 */
const repeatedPaths: ReadonlySet<string> = new Set([
  '/app/overview',
  '/app/overview/records',
  '/app/quality/findings',
  '/app/quality/groups',
  '/app/quality/records/:type/:id',
]);

/** Milliseconds until the same read of the same person has a new entry. */
const spanMs = 60 * 60_000;

/** Limit of remembered reads. Beyond it, all reads have entries again. */
const maxReads = 10_000;

interface CompletedRead {
  /** Path of the route with parameter names. */
  readonly path: string;
  readonly address: string;
  readonly principal: Pick<Principal, 'id' | 'person'> | undefined;
  readonly time: number;
}

/** Returns true if an entry of the last hour already covers this read. */
type IsRepeated = (request: CompletedRead) => boolean;

export function createRepeatedReads(): IsRepeated {
  const loggedAtByKey = new Map<string, number>();
  return ({ path, address, principal, time }) => {
    if (!repeatedPaths.has(path) || principal === undefined) return false;
    const key = JSON.stringify([principal.id, principal.person, address]);
    const loggedAt = loggedAtByKey.get(key);
    // If the clock was set back, the hour starts again.
    if (loggedAt !== undefined && time >= loggedAt && time - loggedAt < spanMs) return true;
    if (loggedAtByKey.size >= maxReads) loggedAtByKey.clear();
    loggedAtByKey.set(key, time);
    return false;
  };
}
