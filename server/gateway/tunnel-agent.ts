/** Connections through a proxy, each bound to the time limit of the request that it is opened for. */
import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { proxyFault, refusedTunnel, type ProxyWay } from './proxy-fault.ts';

/** Options of a request whose connection may have to be opened first. */
export interface TunnelOptions extends https.RequestOptions {
  /** Aborts the request; Node does not hand the request's own `signal` on to the connection. */
  readonly until: AbortSignal;
}

/** Bytes of the head that a proxy may answer with. */
const mostHead = 16 * 1024;

type Made = (error: Error | null, stream?: Duplex) => void;

/**
 * An agent that goes through a proxy (CONNECT, RFC 9110 section 9.3.6). The tunnel is asked for as any request of Node
 * is: its parser bounds the answer's head. Node's own `proxyEnv` does not, and listens twice as often after each piece
 * of a head. Until the TLS in the tunnel stands, a request has no socket, so that aborting it would end nothing.
 */
export class TunnelAgent extends https.Agent {
  private readonly proxy: URL;
  private readonly proxyContext: SecureContext | undefined;

  /** `proxyContext`: whom to trust, where the proxy itself is spoken to in TLS. */
  constructor(options: https.AgentOptions, proxy: string, proxyContext?: SecureContext) {
    super(options);
    this.proxy = new URL(proxy);
    this.proxyContext = proxyContext;
  }

  override createConnection({ until, ...options }: TunnelOptions, made: Made): undefined {
    const { port } = options;
    const host = options.host ?? '';
    const way: ProxyWay = { proxy: this.proxy.host, host };
    const { auth, protocol, hostname, port: proxyPort } = urlToHttpOptions(this.proxy);
    const target = `${isIPv6(host) ? `[${host}]` : host}:${port ?? 443}`;
    const ask = (protocol === 'https:' ? https : http).request({
      ...{ hostname, port: proxyPort, agent: false, signal: until },
      ...{ secureContext: this.proxyContext, rejectUnauthorized: true },
      ...{ method: 'CONNECT', path: target, maxHeaderSize: mostHead, insecureHTTPParser: false },
      headers: {
        ...{ Host: target, Connection: 'keep-alive', 'Proxy-Connection': 'keep-alive' },
        ...(auth && { 'Proxy-Authorization': `Basic ${Buffer.from(auth).toString('base64')}` }),
      },
    });
    ask.once('error', (error) => made(proxyFault(error, way)));
    ask.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) this.secure(socket, options, { until, way, made });
      else {
        socket.destroy();
        made(refusedTunnel(statusCode, way));
      }
    });
    ask.end();
    return undefined;
  }

  /** TLS with the server, through a tunnel that stands. */
  private secure(
    socket: Duplex,
    options: https.RequestOptions,
    { until, way, made }: { readonly until: AbortSignal; readonly way: ProxyWay; readonly made: Made },
  ): void {
    const inside = super.createConnection({ ...options, socket } as https.RequestOptions);
    const end = () => inside?.destroy(proxyFault(until.reason, way));
    const settle = (error: Error | null) => {
      until.removeEventListener('abort', end);
      inside?.off('error', settle);
      made(error, inside ?? undefined);
    };
    inside?.once('secureConnect', () => settle(null));
    inside?.once('error', settle);
    until.addEventListener('abort', end);
    if (until.aborted) end();
  }
}
