/**
 * What stands before the application of a server that shares its store: where a balancer asks whether it is up, and what
 * keeps the shared workspace's promises. Invariant: an answer that follows a change of the workspace leaves once the other
 * servers can read the change, and one that tells of the workspace knows what they have answered.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { mediaType } from '../../core/api/contract.ts';
import { FhirError, toOutcome } from '../../core/fhir/outcome.ts';
import type { TokenLookup } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import { bearerIn } from './request.ts';
import type { Mirror } from '../workspace/mirror.ts';

export interface SharedHandlerParts {
  readonly app: RequestListener;
  readonly tokens: TokenLookup;
  readonly mirror: Pick<Mirror, 'look' | 'settle' | 'takenBack'>;
  /** Rejects where requests cannot be answered now. */
  readonly ready: () => Promise<void>;
}

export function sharedHandler({ app, tokens, mirror, ready }: SharedHandlerParts): RequestListener {
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (path === '/livez') sendText(request, response, 200, 'ok');
    else if (path === '/readyz')
      ready().then(
        () => sendText(request, response, 200, 'ok'),
        () => sendText(request, response, 503, 'the store does not answer'),
      );
    else {
      const ofWorkspace = workspacePaths.test(path);
      if (ofWorkspace) holdBack(request, response, mirror);
      // What another server has answered a moment ago, or began, may not be known here yet.
      if (!ofWorkspace && isKnown(request, tokens)) app(request, response);
      else
        void mirror
          .look()
          .catch(() => undefined)
          .then(() => app(request, response));
    }
  };
}

/** Methods that change nothing. */
const reading = new Set(['GET', 'HEAD']);

const workspacePaths = /^\/(app|oauth2)\//;

function isKnown({ headers }: IncomingMessage, tokens: TokenLookup): boolean {
  const token = bearerIn(headers);
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
 * Has the head and the end of an answer wait for what was changed in the workspace; one in pieces goes out as it comes. What a
 * slow request changed may have been shared, or taken back, before it is answered.
 */
function holdBack(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  mirror: SharedHandlerParts['mirror'],
): void {
  const before = mirror.takenBack();
  const isKept = () => reading.has(method) || mirror.takenBack() === before;
  const [end, write] = ['end', 'write'].map((name) => Reflect.get(response, name) as Sending);
  let head: readonly unknown[] | undefined;
  const goOn = (send: Sending | undefined, given: readonly unknown[]): unknown => {
    for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
    if (head) Reflect.apply(Reflect.get(response, 'writeHead') as Sending, response, head);
    return send && Reflect.apply(send, response, given);
  };
  Object.assign(response, {
    writeHead(...given: [status: number, ...more: unknown[]]) {
      head = given;
      [response.statusCode] = given;
      return response;
    },
    write: (...given: unknown[]) => goOn(write, given),
    end(...given: unknown[]) {
      const shared = mirror.settle();
      const deny = () => {
        head = undefined;
        refuse(response);
      };
      if (!isKept()) deny();
      else if (shared) shared.then(() => goOn(end, given), deny);
      else goOn(end, given);
      return response;
    },
  });
}

type Sending = (...given: unknown[]) => unknown;

/** What was to be answered is not shared: nobody is told that it is. */
function refuse(response: ServerResponse): void {
  for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const fault = new FhirError('busy', { text: 'The database is busy, and nothing was changed. Try again.' });
  const headers = { 'Content-Type': mediaType, 'Retry-After': '1' };
  response.writeHead(fault.status, headers).end(JSON.stringify(toOutcome(fault)));
}
