import * as http from 'node:http';
import * as https from 'node:https';
import { TLSSocket, type SecureContext } from 'node:tls';
import { createGunzip } from 'node:zlib';
import { defineMessages } from '../../core/text/message.ts';
import type { ProxyChoice } from './proxy.ts';
import { closedEarly, RemoteError, remoteFault, unusable } from './remote-error.ts';
import { TunnelAgent, type TunnelOptions } from './tunnel-agent.ts';

const messages = defineMessages('gateway.wire', {
  proxyUnknown: 'The system didn’t say which proxy to use for {host} within the timeout.',
  switchedProtocol: '{host} switched to another protocol unexpectedly.',
  closedTwice: 'The server closed the connection twice without answering.',
  compressed: '{host} compressed its answer in an unexpected way.',
  tooLarge: 'The answer from {host} is larger than {megabytes} MB. Narrow the request.',
});

export interface TransportRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Aborts the request. The reason `TimeoutError` means the time limit. */
  readonly signal: AbortSignal;
  /** Maximum size of the response in bytes, uncompressed. */
  readonly limit: number;
  /** Takes the body of a successful response, which is then empty. May be called twice: the second body replaces the first. */
  readonly receive?: (chunks: AsyncIterable<Buffer>) => Promise<void>;
  /** Called with the certificate of the server, if there is one. */
  readonly onPeer?: (peer: PeerCertificate) => void;
}

/** Issuer and expiry of a server certificate. */
export interface PeerCertificate {
  readonly issuer: string | undefined;
  readonly until: string;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Idle connections are closed before the other side does: servers commonly wait five seconds. */
const idle = 4000;

/** Proxy, trust and client certificate of outgoing requests. */
export interface TransportOptions {
  readonly context: SecureContext;
  readonly proxyOf: ProxyChoice;
  /** Trust for TLS to the proxy itself. Excludes the client certificate. */
  readonly proxyContext: () => SecureContext;
}

export type HttpTransport = ReturnType<typeof createHttpTransport>;

/**
 * Creates an HTTP client that verifies certificates, follows no redirects and limits the size of responses.
 */
export function createHttpTransport({ context, proxyOf, proxyContext }: TransportOptions) {
  const options = { keepAlive: true, timeout: idle };
  const plain = new http.Agent(options);
  // Set explicitly, because an environment variable can turn verification off.
  const verified = { ...options, rejectUnauthorized: true, secureContext: context };
  const through = (proxy: string) =>
    new TunnelAgent(verified, proxy, proxy.startsWith('https:') ? proxyContext() : undefined);
  /** Agents of https, by proxy. */
  const secure = new Map<string | undefined, https.Agent>();
  const agentOf = (proxy: string | undefined) => {
    const agent = secure.get(proxy) ?? (proxy === undefined ? new https.Agent(verified) : through(proxy));
    secure.set(proxy, agent);
    return agent;
  };
  return {
    /** @throws RemoteError if no complete response arrives. */
    async send(request: TransportRequest): Promise<TransportResponse> {
      const firstAttempt = await attempt(request);
      return firstAttempt === 'again' ? onlyAnswer(await attempt(request)) : firstAttempt;
    },
    /**
     * Returns host and port of the proxy for an address; undefined for a direct connection.
     *
     * @throws RemoteError if the proxy is not known in time or is unusable.
     */
    async proxyOf(url: URL, signal: AbortSignal): Promise<string | undefined> {
      const proxy = await chooseProxy(url, signal);
      return proxy === undefined ? undefined : new URL(proxy).host;
    },
    close(): void {
      plain.destroy();
      for (const agent of secure.values()) agent.destroy();
    },
  };

  /** http is allowed only for this computer (decision 13) and uses no proxy. */
  async function chooseProxy(url: URL, signal: AbortSignal): Promise<string | undefined> {
    if (url.protocol === 'http:') return undefined;
    const late = Promise.withResolvers<never>();
    const end = () => {
      const message = messages.proxyUnknown({ host: url.host });
      late.reject(new RemoteError('unanswered', message, false, 'proxy'));
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    try {
      return await Promise.race([late.promise, proxyOf(url)]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** Returns `again` if a reused connection was closed and repeating the read is harmless. */
  async function attempt(request: TransportRequest): Promise<TransportResponse | 'again'> {
    const { url, method, headers, body, signal, onPeer } = request;
    const proxy = await chooseProxy(url, signal);
    const [start, agent] =
      url.protocol === 'https:' ? [https.request, agentOf(proxy)] : [http.request, plain];
    const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
    let sent = false;
    const options: TunnelOptions = {
      method,
      agent,
      signal,
      until: signal,
      headers: { ...headers, ...length, 'Accept-Encoding': 'gzip' },
      insecureHTTPParser: false,
    };
    const clientRequest = start(url, options);
    let receiveFailure: { readonly error: unknown } | undefined;
    clientRequest.once('finish', () => {
      sent = true;
    });
    try {
      const response = answerOf(clientRequest, url.host);
      clientRequest.end(body);
      const message = await response;
      // Later errors of the request also appear on the response.
      clientRequest.on('error', () => undefined);
      if (onPeer && message.socket instanceof TLSSocket) onPeer(peerOf(message.socket));
      const status = message.statusCode ?? 0;
      const chunks = readBody(message, request);
      if (request.receive && status < 300) {
        // Its failure is not one of the server, unless reading the chunks failed.
        const source = observeFailure(chunks);
        await request.receive(source.chunks).catch((error: unknown) => {
          if (!source.hasFailed()) receiveFailure = { error };
          throw error;
        });
        return { status, headers: message.headers, body: Buffer.alloc(0) };
      }
      return { status, headers: message.headers, body: await collect(chunks) };
    } catch (error) {
      clientRequest.destroy();
      if (receiveFailure) throw receiveFailure.error;
      if (clientRequest.reusedSocket && method === 'GET' && isReset(error)) return 'again';
      throw remoteFault(
        signal.aborted && !(error instanceof RemoteError) ? signal.reason : error,
        url.host,
        sent,
      );
    }
  }
}

function peerOf(socket: TLSSocket): PeerCertificate {
  const { issuer, valid_to: until } = socket.getPeerCertificate();
  return { issuer: [issuer.O, issuer.CN].flat().find((name) => name !== undefined), until };
}

/**
 * Resolves with the response headers. If the server switches protocols, Node ends the request without an
 * error and without a timeout.
 */
function answerOf(clientRequest: http.ClientRequest, host: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    clientRequest.once('response', resolve);
    clientRequest.once('error', reject);
    clientRequest.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(unusable(messages.switchedProtocol({ host })));
    });
    clientRequest.once('close', () => {
      reject(closedEarly(host, true, 'fhir'));
    });
  });
}

function onlyAnswer(response: TransportResponse | 'again'): TransportResponse {
  if (response !== 'again') return response;
  throw new RemoteError('unreachable', messages.closedTwice(), true);
}

function isReset(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'ECONNRESET';
}

/** Yields the body of a response, unpacked. */
async function* readBody(
  message: http.IncomingMessage,
  { limit, url: { host } }: Pick<TransportRequest, 'limit' | 'url'>,
): AsyncGenerator<Buffer> {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    message.destroy();
    throw unusable(messages.compressed({ host }));
  }
  const source = encoding === 'gzip' ? message.pipe(createGunzip()) : message;
  // A pipe does not forward errors of its source.
  if (source !== message) message.once('error', (error) => source.destroy(error));
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) {
      message.destroy();
      throw unusable(messages.tooLarge({ host, megabytes: Math.floor(limit / (1024 * 1024)) }));
    }
    yield chunk;
  }
}

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Passes the chunks on and notes if reading them fails. */
function observeFailure(body: AsyncIterable<Buffer>) {
  let hasFailed = false;
  async function* pass(): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }
  return { chunks: pass(), hasFailed: () => hasFailed };
}
