import type { Connection } from '../../core/app/connections.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { AccessError } from './access-error.ts';
import { readCaFile, readClientKeys } from './key-files.ts';
import { proxyChoice, type Proxies } from './proxy.ts';
import { unusable } from './remote-error.ts';
import { secretKey, type SecretStore } from './secrets.ts';
import { createTokenSource } from './token-source.ts';
import { resourceAt } from './target.ts';
import { tlsContext } from './tls-context.ts';
import {
  createHttpTransport,
  type HttpTransport,
  type PeerCertificate,
  type TransportRequest,
  type TransportResponse,
} from './http-transport.ts';

const messages = defineMessages('gateway.remote', {
  redirectedWrite: '{host} redirects writes; nothing was sent on. Check the base URL of the connection.',
  redirectedAway: '{host} redirects to another address. Check the base URL of the connection.',
  manyRedirects: '{host} redirects more than {most} times.',
  credentialsRequired: 'The server requires credentials. Choose an authentication method in the connection.',
  tokenRejected: 'The server rejected the access token. Enter a new one in the connection.',
  issuedTokenRejected:
    'The server rejected the token it issued. Check scopes and endpoints in the connection.',
  signInRejected: 'The server rejected the sign-in’s token. Sign in again.',
});

export type Remote = Awaited<ReturnType<typeof createRemote>>;

interface RemoteRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal: AbortSignal;
  readonly onPeer?: (peer: PeerCertificate) => void;
}

export interface TransferRequest extends RemoteRequest {
  /** Sends the token of the connection along. */
  readonly sendsToken: boolean;
  readonly receive?: Exclude<TransportRequest['receive'], undefined>;
  /** Maximum size of the response in bytes. Default: {@link maxResponseBytes}. */
  readonly limit?: number;
}

interface RemoteAnswer extends TransportResponse {
  /** Address of the last request, after redirects. */
  readonly url: URL;
}

/** Maximum size of a response in bytes. */
export const maxResponseBytes = 64 * 1024 * 1024;
const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Creates the access to a remote server: certificates, tokens and connections.
 *
 * @throws KeyFileError if a named file is unusable; RemoteError if the client certificate cannot be opened.
 */
export async function createRemote(
  connection: Connection,
  secrets: Pick<SecretStore, 'get'>,
  proxies: Proxies,
) {
  const { id, caFile, clientCertificate, baseUrl, authentication } = connection;
  const ca = caFile === undefined ? undefined : await readCaFile(caFile);
  const context = tlsContext({
    ca,
    client: clientCertificate && (await readClientKeys(clientCertificate)),
    passphrase: clientCertificate && (await secrets.get(secretKey(id, 'certificate'))),
  });
  const proxyOf = await proxyChoice(connection, proxies, secrets);
  const wire = createHttpTransport({ context, proxyOf, proxyContext: () => tlsContext({ ca }) });
  let otherWire: HttpTransport | undefined;
  /** Returns the transport to an address. Other servers get no client certificate. */
  const wireTo = (url: URL) => {
    if (url.origin === base.origin) return wire;
    otherWire ??= createHttpTransport({
      context: tlsContext({ ca }),
      proxyOf,
      proxyContext: () => tlsContext({ ca }),
    });
    return otherWire;
  };
  const tokens = createTokenSource(connection, secrets, wire, connection.timeoutSeconds * 1000);
  const base = new URL(baseUrl);

  async function send(request: RemoteRequest, token: string | undefined): Promise<RemoteAnswer> {
    let { url } = request;
    for (let hop = 0; ; hop += 1) {
      const headers = headersWith(request, token);
      const response = await wire.send({ ...request, url, headers, limit: maxResponseBytes });
      if (!redirects.has(response.status)) return { ...response, url };
      const next = redirectTarget(response, request.url, url, base);
      if (!['GET', 'HEAD'].includes(request.method)) {
        throw unusable(messages.redirectedWrite({ host: url.host }), false);
      }
      if (!next) throw unusable(messages.redirectedAway({ host: url.host }), false);
      if (hop === mostRedirects) {
        throw unusable(messages.manyRedirects({ host: url.host, most: mostRedirects }), false);
      }
      url = next;
    }
  }

  /** Sends with credentials. After a 401, retries once with a new token. */
  async function sendWithToken<Answer extends TransportResponse>(
    request: RemoteRequest,
    attempt: (token: string | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const token = await tokens.token();
    const response = await attempt(token);
    const isOwn = request.url.origin === base.origin;
    if (response.status !== 401) {
      if (isOwn && isGuarded(request)) tokens.noteUse();
      return response;
    }
    const fresh = await tokens.renew(token);
    const secondResponse = fresh === undefined ? response : await attempt(fresh);
    // The rejection of another server proves nothing about a token.
    if (!isOwn) return secondResponse;
    const refusal = secondResponse.status === 401 ? rejectionMessages[authentication.kind]() : undefined;
    tokens.noteUse(refusal);
    if (refusal === undefined) return secondResponse;
    throw new AccessError(refusal);
  }

  return {
    wire,
    tokens,
    /**
     * Sends with credentials. Follows up to three redirects of a read within the same resource.
     *
     * @throws AccessError, RemoteError
     */
    ask: (request: RemoteRequest): Promise<RemoteAnswer> =>
      sendWithToken(request, (token) => send(request, token)),
    /**
     * Sends one request to this or another server and follows no redirect. The caller decides which servers are
     * asked, and which of them get the token.
     *
     * @throws AccessError, RemoteError, and what `receive` throws.
     */
    transfer({
      sendsToken,
      limit = maxResponseBytes,
      ...request
    }: TransferRequest): Promise<TransportResponse> {
      const attempt = (token: string | undefined) =>
        wireTo(request.url).send({ ...request, headers: headersWith(request, token), limit });
      return sendsToken ? sendWithToken(request, attempt) : attempt(undefined);
    },
    close(): void {
      wire.close();
      otherWire?.close();
    },
  };
}

function headersWith({ headers }: RemoteRequest, token: string | undefined): Record<string, string> {
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return { ...headers, ...bearer, 'User-Agent': 'Chartkeeper' };
}

/** /metadata is public: its success proves nothing about a token. */
function isGuarded({ url }: RemoteRequest): boolean {
  return !url.pathname.endsWith('/metadata');
}

const rejectionMessages: Readonly<Record<Connection['authentication']['kind'], () => Message>> = {
  none: messages.credentialsRequired,
  bearer: messages.tokenRejected,
  'client-credentials': messages.issuedTokenRejected,
  'smart-backend': messages.issuedTokenRejected,
  'authorization-code': messages.signInRejected,
};

/** Returns the target of a redirect if it is below the base URL and within the requested resource. */
function redirectTarget(
  { headers }: TransportResponse,
  requestedUrl: URL,
  from: URL,
  base: URL,
): URL | undefined {
  const { location } = headers;
  if (!location || !URL.canParse(location, from.href)) return undefined;
  const next = new URL(location, from.href);
  const isSameOrigin = next.origin === base.origin && next.username === '' && next.password === '';
  const plain = !/%(?:2f|5c|2e)|\\/i.test(next.pathname);
  const isBelowBase = isSameOrigin && plain && next.pathname.startsWith(`${base.pathname}/`);
  return isBelowBase && resourceAt(next, base) === resourceAt(requestedUrl, base) ? next : undefined;
}
