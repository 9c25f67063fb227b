/** A loopback proxy that opens tunnels (CONNECT, RFC 9110 section 9.3.6) for clients with its password. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ConnectProxy {
  readonly url: string;
  /** Authorities that a tunnel was opened to, oldest first. */
  readonly openedTunnels: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy; without a user it accepts every client. `status` replaces the tunnel of accepted clients;
 * `tls` adds TLS to the proxy.
 */
export async function startProxy(
  user: string,
  password: string,
  status?: number,
  tls?: ServerOptions,
): Promise<ConnectProxy> {
  const expected = user === '' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const openedTunnels: string[] = [];
  const sockets = new Set<Socket>();
  const listener: RequestListener = (_request, response) => void response.writeHead(405).end();
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    const refusal = headers['proxy-authorization'] === expected ? status : 407;
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${url}`);
    const upstream = connect(Number(port), hostname, () => {
      openedTunnels.push(url);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.end('HTTP/1.1 502 Bad gateway\r\n\r\n'));
    socket.on('error', () => upstream.destroy());
    socket.once('close', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openedTunnels,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
