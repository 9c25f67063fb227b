import { parseAddress } from '../../core/api/address.ts';
import { clientHeader, workbenchClient } from '../../core/api/client.ts';
import { fhirPath, isGatewayPath } from '../../core/api/contract.ts';
import { versionOf } from '../../core/api/precondition.ts';
import { allowsEverything } from '../../core/app/scopes.ts';
import type { ActivityRecord, RequestKind } from '../../core/app/activity.ts';
import type { ActivityLog, NewRequest } from '../store/activity-log.ts';
import { localName } from '../store/activity-rows.ts';
import { redactPath } from '../workspace/redact.ts';
import type { ApiRequest, Guard, SentResponse } from './request.ts';

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
