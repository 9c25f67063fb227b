import { fhirPath, matchRoute, type Operation, type Route } from '../../core/api/contract.ts';
import type { AuditAction } from '../../core/app/audit.ts';
import type { FhirErrorCode } from '../../core/fhir/outcome.ts';
import type { ScheduleEvery } from '../background/background.ts';
import type { AuditStore } from '../store/audit-log.ts';
import { redactPath } from '../workspace/redact.ts';
import type { ApiRequest } from './request.ts';
import { createRepeatedReads } from './repeated-reads.ts';
import { createRejectionAudit, type UnauthenticatedRequest } from './rejection-audit.ts';

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
