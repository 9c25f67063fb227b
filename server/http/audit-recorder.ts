import type { Request, Response } from 'express';
import { fhirPath, matchRoute, type Operation, type Route } from '../../core/api/contract.ts';
import type { AuditAction } from '../../core/app/audit.ts';
import type { FhirErrorCode } from '../../core/fhir/outcome.ts';
import type { ScheduleEvery } from '../backups/backups.ts';
import type { AuditStore } from '../store/audit-log.ts';
import { redactPath } from '../workspace/redact.ts';
import { getRequestId } from './head.ts';
import { readBodyText, findBearerToken } from './request.ts';
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

declare module 'express-serve-static-core' {
  interface Locals {
    /** True if the change itself already wrote the audit entry. */
    isAudited?: true;
    /** Audited target if it differs from the address. */
    audited?: string;
    /** Address of a record that a request disclosed without naming it. The entry is a read. */
    disclosed?: string;
    /** Address of the search that a request caused. */
    searched?: string;
  }
}

/** Audits a response of the FHIR API. Runs for each read, so it evaluates nothing twice. */
export function auditFhirResponse(
  audit: Audit,
  request: Request,
  response: Response,
  { operation }: Route,
): void {
  const action = actions[operation];
  const { isAudited, disclosed } = response.locals;
  auditSearch(audit, request, response);
  if (disclosed !== undefined) appendEntry(audit, response, 'read', () => disclosed);
  else if (action !== undefined && isAudited !== true) {
    appendEntry(audit, response, action, () =>
      operation === 'search-post'
        ? formatSearchAddress(request)
        : formatAddress(request, response.statusCode),
    );
  }
}

/** Audits the search of a conditional create, with any result. */
function auditSearch(audit: Audit, request: Request, response: Response): void {
  const { searched } = response.locals;
  if (searched !== undefined) appendEntry(audit, response, 'search', () => redactAddress(request, searched));
}

/** Audits a rejected or failed request. */
export function auditRejection(
  audit: Audit,
  request: Request,
  response: Response,
  kind: FhirErrorCode,
): void {
  const isUnauthenticated = response.locals.principal === undefined;
  const action = isUnauthenticated && signInErrors.includes(kind) ? 'sign-in' : findAttemptedAction(request);
  auditSearch(audit, request, response);
  if (action !== undefined && response.locals.isAudited !== true) {
    appendEntry(audit, response, action, () => redactAddress(request, request.originalUrl));
  }
}

/** Audits an app request after its response. The entry has the path of the route. */
export function auditResponse(
  audit: Audit,
  { audit: action, path }: { readonly audit: AuditAction; readonly path: string },
  request: Request,
  response: Response,
): void {
  const source = getSource(request);
  response.once('close', () => {
    const { locals, statusCode } = response;
    if (locals.isAudited === true) return;
    const { principal } = locals;
    const readRequest = { path, address: request.originalUrl, principal, time: audit.clock() };
    if (statusCode < 400 && audit.isRepeated(readRequest)) return;
    appendEntry(audit, response, action, () => formatAuditTarget(request, response), source);
  });
}

/**
 * Audits a request for an access token or a session. A rejected request is a failed sign-in.
 *
 * @param done - Action of a successful request.
 */
export function auditSignIn(
  audit: Audit,
  request: Request,
  response: Response,
  done: AuditAction = 'token-create',
): void {
  response.locals.isAudited = true;
  // The body may contain credentials.
  const source = { ...getSource(request), credentials: true };
  response.once('close', () => {
    const action = response.statusCode < 400 ? done : 'sign-in';
    appendEntry(audit, response, action, () => formatAuditTarget(request, response), source);
  });
}

function formatAuditTarget(request: Request, { locals }: Response): string {
  return redactAddress(request, locals.audited ?? request.originalUrl);
}

function appendEntry(
  audit: Audit,
  response: Response,
  action: AuditAction,
  getTarget: () => string,
  source: UnauthenticatedRequest = getSource(response.req),
): void {
  const { locals, statusCode: status } = response;
  const { name: author = '', person } = locals.principal ?? {};
  const requestId = getRequestId(response);
  const actorFields = { who: author, ...(person !== undefined && { person }) };
  const entry = () => ({ time: audit.clock(), ...actorFields, action, what: getTarget(), status, requestId });
  if (author === '' && status >= 400) audit.strangers.addRejection(source, status, entry);
  else audit.note(entry());
}

/** Reads the address while the request is open, because a closed socket has none. */
function getSource({ socket, headers }: Request): UnauthenticatedRequest {
  return { address: socket.remoteAddress ?? '', credentials: headers.authorization !== undefined };
}

/** Returns the audited address. The id of an existing record is no secret. Other addresses are redacted. */
function formatAddress(request: Request, status: number): string {
  const { originalUrl } = request;
  return status < 400 && !originalUrl.includes('?') ? originalUrl : redactAddress(request, originalUrl);
}

function formatSearchAddress(request: Request): string {
  const { originalUrl } = request;
  const parameters = readBodyText(request);
  const address =
    parameters === '' ? originalUrl : `${originalUrl}${originalUrl.includes('?') ? '&' : '?'}${parameters}`;
  return redactAddress(request, address);
}

function redactAddress({ headers }: Request, address: string): string {
  return redactPath(address, findBearerToken(headers));
}

function findAttemptedAction({ method, originalUrl }: Request): AuditAction | undefined {
  const [path = ''] = originalUrl.split('?');
  if (!path.startsWith(`${fhirPath}/`)) return undefined;
  const item = matchRoute(path.slice(fhirPath.length))?.item;
  if (!item) return undefined;
  const route = item.routes.get(method);
  return route ? actions[route.operation] : actionsByMethod[method];
}
