/** Connections through a proxy, each bound to the time limit of the request that it is opened for. */
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import { RemoteFault } from './remote-fault.ts';

/** Options of a request whose connection may have to be opened first. */
export interface TunnelOptions extends https.RequestOptions {
  /** Aborts the request; Node does not hand the request's own `signal` on to the connection. */
  readonly until: AbortSignal;
}

/**
 * An agent that goes through a proxy. Until a tunnel and the TLS within it stand, a request has no socket, so that
 * aborting it ends nothing: a proxy that takes a connection and is silent would be waited for without end.
 */
export class TunnelAgent extends https.Agent {
  private readonly proxy: URL;

  constructor(options: https.AgentOptions, proxy: string) {
    super({ ...options, proxyEnv: { HTTPS_PROXY: proxy } });
    this.proxy = new URL(proxy);
  }

  override createConnection(
    // The agent's time is that of idle connections; Node would take it as the proxy's time to answer.
    { timeout: _idle, until, ...options }: TunnelOptions,
    made: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const socket = super.createConnection(options, (error, stream) => {
      until.removeEventListener('abort', end);
      made(error, stream);
    });
    const end = () => {
      const text = `The proxy ${this.proxy.host} opened no way to ${options.host} within the time limit of the connection.`;
      socket?.destroy(new RemoteFault('unanswered', text, false, 'proxy'));
    };
    until.addEventListener('abort', end);
    if (until.aborted) end();
    return socket;
  }
}
