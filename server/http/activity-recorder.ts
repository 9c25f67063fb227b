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
import { principalOf } from './access.ts';
import { behindAnswer, sizeOf } from './answer-size.ts';
import { headerOf, requestIdOf } from './head.ts';
import { bearerIn, type Guard } from './request.ts';

/** What the workbench keeps of itself, several times a minute: no one looks for it in the log. */
const ownKeeping = [
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
 * Notes each request of the workbench behind its answer: the FHIR ones, and those of the app's own that change
 * something. Requests without the header, or without a token that allows everything, leave nothing; those to a remote
 * server are all kept, under its name.
 */
export function activityRecorder(store: ActivityLog): Guard {
  return (request, response) => {
    const gateway = isGatewayPath(request.path);
    if (gateway || (request.headers[sentHeader] === workbenchClient && isKept(request))) {
      const time = new Date().toISOString();
      behindAnswer(request, response, (ms, answerBytes) => {
        if (!isWorkbench(response) || (gateway && !response.locals.connection)) return;
        store.note({ time, ms, answerBytes, ...requestOf(request, response) });
      });
    }
  };
}

const sentHeader = clientHeader.toLowerCase();

declare module 'express-serve-static-core' {
  interface Locals {
    /** The remote server that a request belongs to, and the path below this API that stands for what it was asked. */
    connection?: { readonly name: string; readonly path: string };
  }
}

function isKept({ method, path }: Request): boolean {
  if (path.startsWith(`${fhirPath}/`)) return true;
  if (!path.startsWith('/app/') || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return false;
  return !ownKeeping.includes(path.split('/')[2] ?? '');
}

function isWorkbench(response: Response): boolean {
  return response.locals.principal !== undefined && allowsEverything(principalOf(response).scopes);
}

function requestOf(request: Request, response: Response): Omit<NewRequest, 'time' | 'ms' | 'answerBytes'> {
  const bearer = bearerIn(request.headers);
  const remote = response.locals.connection;
  const path = redactPath(remote?.path ?? request.originalUrl, bearer);
  const record = recordOf(request, response, path);
  return {
    kind: kindOf(request.method, path),
    connection: remote?.name ?? localName,
    method: request.method,
    path,
    status: response.writableFinished ? response.statusCode : 0,
    requestBytes: sizeOf(request.headers['content-length']),
    requestId: requestIdOf(response),
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

/** The record that was named, or made; versions as If-Match and the answer's ETag tell them. */
function recordOf(request: Request, response: Response, path: string): ActivityRecord | undefined {
  const named = parseAddress(path);
  const made = parseAddress(pathIn(headerOf(response, 'Location')));
  const { type, id } = made?.id === undefined ? (named ?? {}) : made;
  if (type === undefined || id === undefined) return undefined;
  if (request.method === 'GET' || request.method === 'HEAD') return { type, id };
  const before = versionOf(request.get('If-Match') ?? '');
  const after = response.statusCode < 300 ? versionOf(headerOf(response, 'ETag') ?? '') : undefined;
  return { type, id, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function pathIn(location = ''): string {
  const at = location.indexOf(`${fhirPath}/`);
  return at === -1 ? '' : location.slice(at);
}
