import type { Connection } from '../../core/app/connections.ts';
import { AccessFault } from './access-fault.ts';
import { readCaFile, readClientKeys } from './key-files.ts';
import { proxyChoice, type Proxies } from './proxy.ts';
import { unusable } from './remote-fault.ts';
import { secretKey, type SecretStore } from './secrets.ts';
import { createTokenSource } from './token-source.ts';
import { resourceAt } from './target.ts';
import { tlsContext } from './tls-context.ts';
import { createWire, type PeerCertificate, type WireAnswer } from './wire.ts';

export type Remote = Awaited<ReturnType<typeof createRemote>>;

interface RemoteRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal: AbortSignal;
  readonly onPeer?: (peer: PeerCertificate) => void;
}

interface RemoteAnswer extends WireAnswer {
  /** Address that was asked at last. */
  readonly url: URL;
}

/** Bytes of an answer. */
export const answerLimit = 64 * 1024 * 1024;
const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * One remote server as it is reached: its certificates, its tokens, its connections.
 *
 * @throws KeyFileError where the connection names a file that cannot be used, RemoteFault where its client certificate
 *   cannot be opened.
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
  const wire = createWire({ context, proxyOf, proxyContext: () => tlsContext({ ca }) });
  const tokens = createTokenSource(connection, secrets, wire, connection.timeoutSeconds * 1000);
  const base = new URL(baseUrl);

  async function send(request: RemoteRequest, token: string | undefined): Promise<RemoteAnswer> {
    let { url } = request;
    for (let hop = 0; ; hop += 1) {
      const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const headers = { ...request.headers, ...bearer, 'User-Agent': 'Chartkeeper' };
      const answer = await wire.send({ ...request, url, headers, limit: answerLimit });
      if (!redirects.has(answer.status)) return { ...answer, url };
      const next = redirectTarget(answer, request.url, url, base);
      if (!['GET', 'HEAD'].includes(request.method)) {
        throw unusable(`${url.host} redirects a write; nothing was sent further. ${checkBase}`, false);
      }
      if (!next) {
        throw unusable(`${url.host} redirects to another address. ${checkBase}`, false);
      }
      if (hop === mostRedirects) {
        throw unusable(`${url.host} redirects more than ${mostRedirects} times.`, false);
      }
      url = next;
    }
  }

  return {
    wire,
    tokens,
    /**
     * Sends with credentials, once more with new ones after a 401, and follows up to three redirects of a read within
     * the resource that was asked for.
     *
     * @throws AccessFault, RemoteFault
     */
    async ask(request: RemoteRequest): Promise<RemoteAnswer> {
      const token = await tokens.token();
      const answer = await send(request, token);
      if (answer.status !== 401) {
        if (isGuarded(request)) tokens.taken();
        return answer;
      }
      const fresh = await tokens.renew(token);
      const second = fresh === undefined ? answer : await send(request, fresh);
      const refusal = second.status === 401 ? refused[authentication.kind] : undefined;
      tokens.taken(refusal);
      if (refusal === undefined) return second;
      throw new AccessFault(refusal);
    },
  };
}

/** /metadata is open to all: its success says nothing about a token. */
function isGuarded({ url }: RemoteRequest): boolean {
  return !url.pathname.endsWith('/metadata');
}

const checkBase = 'Check the base URL of the connection.';

const refused: Readonly<Record<Connection['authentication']['kind'], string>> = {
  none: 'The server asks for credentials. Choose an authentication in the connection.',
  bearer: 'The server refuses the access token. Enter a new one in the connection.',
  'client-credentials':
    'The server refuses the token that it gave. Check scope and endpoints in the connection.',
  'smart-backend': 'The server refuses the token that it gave. Check scope and endpoints in the connection.',
  'authorization-code': 'The server refuses the token of the sign-in. Sign in again.',
};

/** Where a redirect leads, when that is below the base URL and no other resource than the one that was asked for. */
function redirectTarget({ headers }: WireAnswer, asked: URL, from: URL, base: URL): URL | undefined {
  const { location } = headers;
  if (!location || !URL.canParse(location, from.href)) return undefined;
  const next = new URL(location, from.href);
  const own = next.origin === base.origin && next.username === '' && next.password === '';
  const plain = !/%(?:2f|5c|2e)|\\/i.test(next.pathname);
  const below = own && plain && next.pathname.startsWith(`${base.pathname}/`);
  return below && resourceAt(next, base) === resourceAt(asked, base) ? next : undefined;
}
