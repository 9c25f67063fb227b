import type { Request, Response } from 'express';
import { fhirPath, matchRoute, type Operation, type Route } from '../../core/api/contract.ts';
import type { AuditAction } from '../../core/app/audit.ts';
import type { FaultKind } from '../../core/fhir/outcome.ts';
import type { Every } from '../backups/backups.ts';
import type { AuditStore } from '../store/sqlite/audit.ts';
import { redactPath } from '../workspace/redact.ts';
import { requestIdOf } from './head.ts';
import { bodyText, bearerIn } from './request.ts';
import { createRepeatedReads } from './repeated-reads.ts';
import { createStrangers, type Stranger } from './strangers.ts';

export type Audit = ReturnType<typeof createAudit>;

/** Takes entries, of those who are not signed in by number; closing writes what is only counted yet. */
export function createAudit(store: Pick<AuditStore, 'note'>, every: Every, clock: () => number = Date.now) {
  const note: AuditStore['note'] = (entry) => store.note(entry);
  const strangers = createStrangers(note, every, clock);
  return { note, strangers, clock, isRepeated: createRepeatedReads(), close: () => strangers.close() };
}

/** What the audit trail calls the operations of the contract; none of these is an access to records. */
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

/** What was tried where the contract has no such operation at an address. */
const tried: Readonly<Record<string, AuditAction>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Faults that refuse somebody whom nobody knows yet. */
const signInFaults: readonly FaultKind[] = ['login', 'unknown-token', 'expired-token', 'throttled'];

declare module 'express-serve-static-core' {
  interface Locals {
    /** What a request did has its entry already, written with the change itself. */
    hasEntry?: true;
    /** What a request was done to, where that is not its address. */
    audited?: string;
    /** Address of the record that a request disclosed though its own is none: that one was read. */
    disclosed?: string;
    /** Address of the search that a request made on its way. */
    searched?: string;
  }
}

/** Notes an answer of the FHIR API; runs for each read, so that it looks at nothing twice. */
export function noteAnswer(audit: Audit, request: Request, response: Response, { operation }: Route): void {
  const action = actions[operation];
  const { hasEntry: entered, disclosed } = response.locals;
  noteSearch(audit, request, response);
  if (disclosed !== undefined) note(audit, response, 'read', () => disclosed);
  else if (action !== undefined && entered !== true) {
    note(audit, response, action, () =>
      operation === 'search-post' ? withBody(request) : addressOf(request, response.statusCode),
    );
  }
}

/** The search of a conditional create, whatever came of it. */
function noteSearch(audit: Audit, request: Request, response: Response): void {
  const { searched } = response.locals;
  if (searched !== undefined) note(audit, response, 'search', () => redacted(request, searched));
}

/** Notes a request that was refused, or failed. */
export function noteRefusal(audit: Audit, request: Request, response: Response, kind: FaultKind): void {
  const unknown = response.locals.principal === undefined;
  const action = unknown && signInFaults.includes(kind) ? 'sign-in' : triedAction(request);
  noteSearch(audit, request, response);
  if (action !== undefined && response.locals.hasEntry !== true) {
    note(audit, response, action, () => redacted(request, request.originalUrl));
  }
}

/** Notes a request to one of the app's own addresses, behind its answer; the path is its route's. */
export function auditAnswer(
  audit: Audit,
  { audit: action, path }: { readonly audit: AuditAction; readonly path: string },
  request: Request,
  response: Response,
): void {
  const stranger = strangerOf(request);
  response.once('close', () => {
    const { locals, statusCode } = response;
    if (locals.hasEntry === true) return;
    const { principal } = locals;
    const read = { path, address: request.originalUrl, principal, time: audit.clock() };
    if (statusCode < 400 && audit.isRepeated(read)) return;
    note(audit, response, action, () => namedOr(request, response), stranger);
  });
}

/** Notes a request for an access token or a session, `done` where it got one: what was refused is a failed sign-in. */
export function auditSignIn(
  audit: Audit,
  request: Request,
  response: Response,
  done: AuditAction = 'token-create',
): void {
  response.locals.hasEntry = true;
  // Its credentials may stand in the body.
  const stranger = { ...strangerOf(request), credentials: true };
  response.once('close', () => {
    const action = response.statusCode < 400 ? done : 'sign-in';
    note(audit, response, action, () => namedOr(request, response), stranger);
  });
}

function namedOr(request: Request, { locals }: Response): string {
  return redacted(request, locals.audited ?? request.originalUrl);
}

function note(
  audit: Audit,
  response: Response,
  action: AuditAction,
  what: () => string,
  stranger: Stranger = strangerOf(response.req),
): void {
  const { locals, statusCode: status } = response;
  const { name: who = '', person } = locals.principal ?? {};
  const requestId = requestIdOf(response);
  const by = { who, ...(person !== undefined && { person }) };
  const entry = () => ({ time: audit.clock(), ...by, action, what: what(), status, requestId });
  if (who === '' && status >= 400) audit.strangers.refused(stranger, status, entry);
  else audit.note(entry());
}

/** Asked for while the request is there: a socket that was closed has no address any more. */
function strangerOf({ socket, headers }: Request): Stranger {
  return { address: socket.remoteAddress ?? '', credentials: headers.authorization !== undefined };
}

/** A record that was found has an id that is no secret; everything else is looked through. */
function addressOf(request: Request, status: number): string {
  const { originalUrl } = request;
  return status < 400 && !originalUrl.includes('?') ? originalUrl : redacted(request, originalUrl);
}

function withBody(request: Request): string {
  const { originalUrl } = request;
  const parameters = bodyText(request);
  const address =
    parameters === '' ? originalUrl : `${originalUrl}${originalUrl.includes('?') ? '&' : '?'}${parameters}`;
  return redacted(request, address);
}

function redacted({ headers }: Request, address: string): string {
  return redactPath(address, bearerIn(headers));
}

function triedAction({ method, originalUrl }: Request): AuditAction | undefined {
  const [path = ''] = originalUrl.split('?');
  if (!path.startsWith(`${fhirPath}/`)) return undefined;
  const item = matchRoute(path.slice(fhirPath.length))?.item;
  if (!item) return undefined;
  const route = item.routes.get(method);
  return route ? actions[route.operation] : tried[method];
}
