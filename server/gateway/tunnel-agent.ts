/** Connections through a proxy, each bound to the time limit of the request that it is opened for. */
import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { RemoteError, detailsOf, knownFault, type ReachFault } from './remote-error.ts';

/** Options of a request that may have to open its connection first. */
export interface TunnelOptions extends https.RequestOptions {
  /** Aborts the request. Node does not pass the request's own `signal` to the connection. */
  readonly until: AbortSignal;
}

/** Maximum size of the proxy's response headers in bytes. */
const mostHead = 16 * 1024;

type SocketCallback = (error: Error | null, stream?: Duplex) => void;

/**
 * Agent for a proxy (CONNECT, RFC 9110 section 9.3.6). It sends CONNECT as an ordinary Node request: its
 * parser limits the response headers. Node's own `proxyEnv` has no limit and adds listeners with each
 * chunk. A request has no socket before TLS is established, so that aborting the request would stop
 * nothing.
 */
export class TunnelAgent extends https.Agent {
  private readonly proxy: URL;
  private readonly proxyContext: SecureContext | undefined;

  /** `proxyContext`: trust for TLS to the proxy itself. */
  constructor(options: https.AgentOptions, proxy: string, proxyContext?: SecureContext) {
    super(options);
    this.proxy = new URL(proxy);
    this.proxyContext = proxyContext;
  }

  override createConnection({ until, ...options }: TunnelOptions, callback: SocketCallback): undefined {
    const { port } = options;
    const host = options.host ?? '';
    const route: ProxyWay = { proxy: this.proxy.host, host };
    const { auth, protocol, hostname, port: proxyPort } = urlToHttpOptions(this.proxy);
    const target = `${isIPv6(host) ? `[${host}]` : host}:${port ?? 443}`;
    // Node passes the TLS options on, but its types have them only for https.
    const tls = { secureContext: this.proxyContext, rejectUnauthorized: true };
    const ask = (protocol === 'https:' ? https : http).request({
      ...tls,
      hostname,
      port: proxyPort,
      agent: false,
      signal: until,
      method: 'CONNECT',
      path: target,
      maxHeaderSize: mostHead,
      insecureHTTPParser: false,
      headers: {
        Host: target,
        Connection: 'keep-alive',
        'Proxy-Connection': 'keep-alive',
        ...(auth && { 'Proxy-Authorization': `Basic ${Buffer.from(auth).toString('base64')}` }),
      },
    });
    ask.once('error', (error) => callback(proxyFault(error, route)));
    ask.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) this.secure(socket, options, { until, route, callback });
      else {
        socket.destroy();
        callback(refusedTunnel(statusCode, route));
      }
    });
    ask.end();
    return undefined;
  }

  /** Starts TLS with the server through an open tunnel. */
  private secure(
    socket: Duplex,
    options: https.RequestOptions,
    {
      until,
      route,
      callback,
    }: { readonly until: AbortSignal; readonly route: ProxyWay; readonly callback: SocketCallback },
  ): void {
    const inside = super.createConnection({ ...options, socket } as https.RequestOptions);
    const end = () => inside?.destroy(proxyFault(until.reason, route));
    const settle = (error: Error | null) => {
      until.removeEventListener('abort', end);
      inside?.off('error', settle);
      callback(error, inside ?? undefined);
    };
    inside?.once('secureConnect', () => settle(null));
    inside?.once('error', settle);
    until.addEventListener('abort', end);
    if (until.aborted) end();
  }
}

// Errors at a proxy. The server was not reached and received nothing.

interface ProxyWay {
  /** Host and port of the proxy. */
  readonly proxy: string;
  readonly host: string;
}

const messages = defineMessages('gateway.proxy', {
  blocked: 'The proxy {proxy} blocks requests to {host} (403).',
  rejected: 'The proxy {proxy} rejected the user or password (407). Check them.',
  unreachable: 'The proxy {proxy} can’t reach {host} (502). Check the base URL.',
  unreachableNow: 'The proxy {proxy} can’t reach {host} right now (503).',
  unanswered: 'The proxy {proxy} got no answer from {host} in time (504).',
  notConnected: 'The proxy {proxy} didn’t connect to {host}. Check its address.',
  timeout: 'The proxy {proxy} didn’t connect to {host} within the timeout.',
  longHeaders: 'The proxy {proxy} returned headers of more than 16 kB. Check its address.',
  notHttp: 'The proxy {proxy} returned something that is not HTTP. Check its address.',
  closed: 'The proxy {proxy} closed the connection before reaching {host}.',
  unknownHost: 'Can’t reach the proxy. Unknown host {proxy}. Check the proxy’s address and the network.',
  unresolvedHost: 'Can’t reach the proxy. Couldn’t resolve {proxy} right now. Check the network.',
  connectionRefused:
    'Can’t reach the proxy. {proxy} refused the connection. No server is listening there, or a firewall blocks it.',
  noRoute: 'Can’t reach the proxy. There is no network route to {proxy}.',
  unknownAuthority:
    'Can’t reach the proxy. The certificate of {proxy} is from an unknown authority. Add the authority’s CA file to the connection.',
  certificateExpired: 'Can’t reach the proxy. The certificate of {proxy} has expired.',
  certificateNotYetValid:
    'Can’t reach the proxy. The certificate of {proxy} is not valid yet. Check this computer’s clock.',
  certificateRevoked: 'Can’t reach the proxy. The certificate of {proxy} was revoked.',
  certificateOfOtherHost: 'Can’t reach the proxy. The certificate of {proxy} is for another host name.',
  clientCertificateRequired:
    'Can’t reach the proxy. {proxy} requires a client certificate, which is not supported for proxies.',
  clientCertificateRejected: 'Can’t reach the proxy. {proxy} rejected the client certificate.',
  noCommonTls:
    'Can’t reach the proxy. {proxy} doesn’t support the TLS versions used here. Check the port and whether it uses https.',
});

const reachMessages: Readonly<Record<ReachFault, (route: ProxyWay) => Message>> = messages;

/** Messages by the status of a rejected tunnel. */
const refusals: Readonly<Record<number, (route: ProxyWay) => Message>> = {
  403: messages.blocked,
  407: messages.rejected,
  502: messages.unreachable,
  503: messages.unreachableNow,
  504: messages.unanswered,
};

/** Returns the error for a proxy that rejected the tunnel. */
function refusedTunnel(status: number, { proxy, host }: ProxyWay): RemoteError {
  const message = (refusals[status] ?? messages.notConnected)({ proxy, host });
  return new RemoteError('unreachable', message, false, 'proxy', status !== 407);
}

/** Returns the error for a failed connection to a proxy or an invalid proxy response. */
function proxyFault(error: unknown, { proxy, host }: ProxyWay): RemoteError {
  const { name, code } = detailsOf(error);
  if (name === 'AbortError' || name === 'TimeoutError') {
    return new RemoteError('unanswered', messages.timeout({ proxy, host }), false, 'proxy');
  }
  if (code.startsWith('HPE_')) {
    const message = code === 'HPE_HEADER_OVERFLOW' ? messages.longHeaders : messages.notHttp;
    return new RemoteError('unreachable', message({ proxy }), false, 'proxy', false);
  }
  const knownError = knownFault(code);
  if (knownError) {
    const [step, messageKey] = knownError;
    const message = reachMessages[messageKey]({ proxy, host });
    return new RemoteError('unreachable', message, false, 'proxy', step !== 'tls');
  }
  return new RemoteError('unreachable', messages.closed({ proxy, host }), false, 'proxy');
}
