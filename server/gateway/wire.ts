import * as http from 'node:http';
import * as https from 'node:https';
import { TLSSocket, type SecureContext } from 'node:tls';
import { createGunzip } from 'node:zlib';
import type { ProxyChoice } from './proxy.ts';
import { RemoteFault, remoteFault, unusable } from './remote-fault.ts';
import { TunnelAgent, type TunnelOptions } from './tunnel-agent.ts';

export interface WireRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Aborts the request; its reason `TimeoutError` is the time limit. */
  readonly signal: AbortSignal;
  /** Most bytes of the answer, unpacked. */
  readonly limit: number;
  /** Told of the certificate that the server showed, where it showed one. */
  readonly onPeer?: (peer: PeerCertificate) => void;
}

/** Who signed a server's certificate, and until when it is good. */
export interface PeerCertificate {
  readonly issuer: string;
  readonly until: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Idle connections are closed before the other side does: servers commonly wait five seconds. */
const idle = 4000;

/** How requests leave this machine, and whom they trust. */
export interface WireParts {
  readonly context: SecureContext;
  readonly proxyOf: ProxyChoice;
  /** Whom a proxy that is spoken to in TLS is trusted by; the client certificate is not for it. */
  readonly proxyContext: () => SecureContext;
}

export type Wire = ReturnType<typeof createWire>;

/** Speaks HTTP with other servers: certificates checked, redirects not followed, answers of limited size. */
export function createWire({ context, proxyOf, proxyContext }: WireParts) {
  const options = { keepAlive: true, timeout: idle };
  const plain = new http.Agent(options);
  // Verification is said again, as an environment variable can turn it off.
  const verified = { ...options, rejectUnauthorized: true, secureContext: context };
  const through = (proxy: string) =>
    new TunnelAgent(verified, proxy, proxy.startsWith('https:') ? proxyContext() : undefined);
  /** Those of https, by proxy. */
  const secure = new Map<string | undefined, https.Agent>();
  const agentOf = (proxy: string | undefined) => {
    const made = secure.get(proxy) ?? (proxy === undefined ? new https.Agent(verified) : through(proxy));
    secure.set(proxy, made);
    return made;
  };
  return {
    /** @throws RemoteFault where no whole answer came. */
    async send(request: WireRequest): Promise<WireAnswer> {
      const first = await attempt(request);
      return first === 'again' ? onlyAnswer(await attempt(request)) : first;
    },
    /**
     * Host and port of the proxy that leads to an address; undefined where requests go straight.
     *
     * @throws RemoteFault where that is not known in time, or is a proxy that cannot be spoken to.
     */
    async proxyOf(url: URL, signal: AbortSignal): Promise<string | undefined> {
      const proxy = await chosen(url, signal);
      return proxy === undefined ? undefined : new URL(proxy).host;
    },
    close(): void {
      plain.destroy();
      for (const agent of secure.values()) agent.destroy();
    },
  };

  /** http is for this machine alone (decision 13), and goes through no proxy. */
  async function chosen(url: URL, signal: AbortSignal): Promise<string | undefined> {
    if (url.protocol === 'http:') return undefined;
    const late = Promise.withResolvers<never>();
    const end = () => {
      const text = `The system did not say within the time limit of the connection which proxy leads to ${url.host}.`;
      late.reject(new RemoteFault('unanswered', text, false, 'proxy'));
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    try {
      return await Promise.race([late.promise, proxyOf(url)]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** `again` where a kept connection had been closed meanwhile and reading once more does no harm. */
  async function attempt(request: WireRequest): Promise<WireAnswer | 'again'> {
    const { url, method, headers, body, signal, limit, onPeer } = request;
    const proxy = await chosen(url, signal);
    const [start, agent] =
      url.protocol === 'https:' ? [https.request, agentOf(proxy)] : [http.request, plain];
    const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
    let sent = false;
    const options: TunnelOptions = {
      ...{ method, agent, signal, until: signal },
      headers: { ...headers, ...length, 'Accept-Encoding': 'gzip' },
      insecureHTTPParser: false,
    };
    const out = start(url, options);
    out.once('finish', () => {
      sent = true;
    });
    try {
      const response = answerOf(out, url.host);
      out.end(body);
      const message = await response;
      // A fault of the request after this shows in the message as well.
      out.on('error', () => undefined);
      if (onPeer && message.socket instanceof TLSSocket) onPeer(peerOf(message.socket));
      return {
        status: message.statusCode ?? 0,
        headers: message.headers,
        body: await collect(message, limit, url.host),
      };
    } catch (error) {
      out.destroy();
      if (out.reusedSocket && method === 'GET' && isReset(error)) return 'again';
      throw remoteFault(
        signal.aborted && !(error instanceof RemoteFault) ? signal.reason : error,
        url.host,
        sent,
      );
    }
  }
}

function peerOf(socket: TLSSocket): PeerCertificate {
  const { issuer, valid_to: until } = socket.getPeerCertificate();
  return { issuer: [issuer.O, issuer.CN].flat().find((name) => name !== undefined) ?? 'nobody named', until };
}

/**
 * The head of the answer. Node ends a request without an error where protocols are switched, and no time limit ends it
 * again.
 */
function answerOf(out: http.ClientRequest, host: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    out.once('response', resolve);
    out.once('error', reject);
    out.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(unusable(`${host} switched to another protocol, which nobody asked for.`));
    });
    out.once('close', () => {
      reject(
        new RemoteFault('unreachable', `${host} closed the connection before its answer was complete.`, true),
      );
    });
  });
}

function onlyAnswer(answer: WireAnswer | 'again'): WireAnswer {
  if (answer !== 'again') return answer;
  throw new RemoteFault('unreachable', 'The server closed the connection twice before it answered.', true);
}

function isReset(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'ECONNRESET';
}

async function collect(message: http.IncomingMessage, limit: number, host: string): Promise<Buffer> {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    message.destroy();
    throw unusable(`${host} packs its answers in a way that was not asked for.`);
  }
  const source = encoding === 'gzip' ? message.pipe(createGunzip()) : message;
  // A pipe hands on no fault of its source.
  if (source !== message) message.once('error', (error) => source.destroy(error));
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) {
      message.destroy();
      const most = Math.floor(limit / (1024 * 1024));
      throw unusable(`The answer of ${host} is larger than ${most} MB; ask for less.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
