import type { Request, Response } from 'express';
import { parseAddress } from '../../core/api/address.ts';
import { clientHeader, workbenchClient } from '../../core/api/client.ts';
import { fhirPath } from '../../core/api/contract.ts';
import { isGatewayPath } from '../../core/api/gateway.ts';
import { versionOf } from '../../core/api/precondition.ts';
import { allowsEverything } from '../../core/app/scopes.ts';
import type { ActivityRecord, RequestKind } from '../../core/app/activity.ts';
import type { ActivityLog, NewRequest } from '../store/activity-log.ts';
import { localName } from '../store/activity-rows.ts';
import { redactPath } from '../workspace/redact.ts';
import { getPrincipal } from './access.ts';
import { onResponseFinished, parseContentLength } from './response-size.ts';
import { getHeader, getRequestId } from './head.ts';
import { findBearerToken, type Guard } from './request.ts';

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
  return (request, response) => {
    const gateway = isGatewayPath(request.path);
    if (gateway || (request.headers[clientHeaderName] === workbenchClient && isLogged(request))) {
      const time = new Date().toISOString();
      onResponseFinished(request, response, (ms, answerBytes) => {
        if (!isWorkbench(response) || (gateway && !response.locals.connection)) return;
        store.note({ time, ms, answerBytes, ...requestOf(request, response) });
      });
    }
  };
}

const clientHeaderName = clientHeader.toLowerCase();

declare module 'express-serve-static-core' {
  interface Locals {
    /** Remote server of a request, and the path below this API that corresponds to the remote path. */
    connection?: { readonly name: string; readonly path: string };
  }
}

function isLogged({ method, path }: Request): boolean {
  if (path.startsWith(`${fhirPath}/`)) return true;
  if (!path.startsWith('/app/') || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return false;
  return !backgroundPaths.includes(path.split('/')[2] ?? '');
}

function isWorkbench(response: Response): boolean {
  return response.locals.principal !== undefined && allowsEverything(getPrincipal(response).scopes);
}

function requestOf(request: Request, response: Response): Omit<NewRequest, 'time' | 'ms' | 'answerBytes'> {
  const bearer = findBearerToken(request.headers);
  const remote = response.locals.connection;
  const path = redactPath(remote?.path ?? request.originalUrl, bearer);
  const record = recordOf(request, response, path);
  return {
    kind: kindOf(request.method, path),
    connection: remote?.name ?? localName,
    method: request.method,
    path,
    status: response.writableFinished ? response.statusCode : 0,
    requestBytes: parseContentLength(request.headers['content-length']),
    requestId: getRequestId(response),
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
function recordOf(request: Request, response: Response, path: string): ActivityRecord | undefined {
  const requestAddress = parseAddress(path);
  const createdAddress = parseAddress(pathIn(getHeader(response, 'Location')));
  const { type, id } = createdAddress?.id === undefined ? (requestAddress ?? {}) : createdAddress;
  if (type === undefined || id === undefined) return undefined;
  if (request.method === 'GET' || request.method === 'HEAD') return { type, id };
  const before = versionOf(request.get('If-Match') ?? '');
  const after = response.statusCode < 300 ? versionOf(getHeader(response, 'ETag') ?? '') : undefined;
  return { type, id, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function pathIn(location = ''): string {
  const offset = location.indexOf(`${fhirPath}/`);
  return offset === -1 ? '' : location.slice(offset);
}
