/**
 * Handler before the application of a server with a shared store: health checks, and consistency of the
 * shared workspace.
 *
 * Invariant: a response after a workspace change waits until other servers can read the change. A response
 * about the workspace includes all changes that other servers have confirmed.
 */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { mediaType } from '../../core/api/contract.ts';
import { FhirError, toOutcome } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { TokenLookup } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import { findBearerToken } from '../http/request.ts';
import { commonHeaders } from '../http/send.ts';
import type { Mirror } from './workspace-mirror.ts';

const messages = defineMessages('shared', {
  busy: 'The database is busy. Nothing was changed. Try again.',
});

export interface SharedHandlerDependencies {
  readonly app: RequestListener;
  readonly tokens: TokenLookup;
  readonly mirror: Pick<Mirror, 'look' | 'settle' | 'takenBack'>;
  /** Rejects if requests can't be handled now. */
  readonly ready: () => Promise<void>;
}

export function createSharedHandler({
  app,
  tokens,
  mirror,
  ready,
}: SharedHandlerDependencies): RequestListener {
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (path === '/livez') sendText(request, response, 200, 'ok');
    else if (path === '/readyz')
      ready().then(
        () => sendText(request, response, 200, 'ok'),
        () => sendText(request, response, 503, 'the store isn’t responding'),
      );
    else {
      const isWorkspacePath = workspacePaths.test(path);
      if (isWorkspacePath) delayResponse(request, response, mirror);
      // Another server may have confirmed or started a change that is not loaded here yet.
      if (!isWorkspacePath && isKnown(request, tokens)) app(request, response);
      else
        void mirror
          .look()
          .catch(() => undefined)
          .then(() => app(request, response));
    }
  };
}

/** Methods that change nothing. */
const safeMethods = new Set(['GET', 'HEAD']);

const workspacePaths = /^\/(app|oauth2)\//;

function isKnown({ headers }: IncomingMessage, tokens: TokenLookup): boolean {
  const token = findBearerToken(headers);
  if (token === '') return true;
  try {
    return tokens(hashToken(token)) !== undefined;
  } catch {
    return true;
  }
}

function sendText(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : `${text}\n`);
}

/**
 * Delays head and end of a response until workspace changes are shared. Chunks are sent at once.
 *
 * A change of a slow request may be shared or withdrawn before its response.
 */
function delayResponse(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  mirror: SharedHandlerDependencies['mirror'],
): void {
  const withdrawnBefore = mirror.takenBack();
  const isConfirmed = () => safeMethods.has(method) || mirror.takenBack() === withdrawnBefore;
  const [end, write] = ['end', 'write'].map((name) => Reflect.get(response, name) as SendFunction);
  let pendingHead: readonly [status: number, headers?: OutgoingHttpHeaders] | undefined;
  const release = (send: SendFunction | undefined, args: readonly unknown[]): unknown => {
    for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
    if (pendingHead) Reflect.apply(Reflect.get(response, 'writeHead') as SendFunction, response, pendingHead);
    return send && Reflect.apply(send, response, args);
  };
  Object.assign(response, {
    writeHead(...args: [status: number, headers?: OutgoingHttpHeaders]) {
      pendingHead = args;
      [response.statusCode] = args;
      return response;
    },
    write: (...args: unknown[]) => release(write, args),
    end(...args: unknown[]) {
      const sharing = mirror.settle();
      const deny = () => {
        rejectUnshared(response, pendingHead?.[1]);
      };
      if (!isConfirmed()) deny();
      else if (sharing) sharing.then(() => release(end, args), deny);
      else release(end, args);
      return response;
    },
  });
}

type SendFunction = (...args: unknown[]) => unknown;

/**
 * Responds that the change was not shared.
 *
 * @param head - Headers of the withdrawn response.
 */
function rejectUnshared(response: ServerResponse, head: OutgoingHttpHeaders = {}): void {
  const requestId = head['X-Request-Id'] ?? response.getHeader('X-Request-Id');
  for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const error = new FhirError('busy', messages.busy());
  const headers: OutgoingHttpHeaders = {
    ...commonHeaders,
    ...(requestId !== undefined && { 'X-Request-Id': requestId }),
    'Content-Type': mediaType,
    'Retry-After': '1',
  };
  response.writeHead(error.status, headers).end(JSON.stringify(toOutcome(error)));
}
