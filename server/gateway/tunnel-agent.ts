/** Connections through a proxy, each bound to the time limit of the request that it is opened for. */
import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { proxyFault, refusedTunnel, type ProxyWay } from './proxy-error.ts';

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
