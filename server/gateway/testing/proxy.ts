/** A proxy on loopback that opens tunnels (CONNECT, RFC 9110 section 9.3.6) to whoever knows its password. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ConnectProxy {
  readonly url: string;
  /** Authorities that a tunnel was opened to, oldest first. */
  readonly opened: readonly string[];
  close(): Promise<void>;
}

/** One without a user lets everybody in. `status` is what it answers to those that it lets in, in place of a tunnel; with `tls` it is spoken to in TLS. */
export async function startProxy(
  user: string,
  password: string,
  status?: number,
  tls?: ServerOptions,
): Promise<ConnectProxy> {
  const expected = user === '' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const opened: string[] = [];
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
    const out = connect(Number(port), hostname, () => {
      opened.push(url);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      out.pipe(socket).pipe(out);
    });
    out.on('error', () => socket.end('HTTP/1.1 502 Bad gateway\r\n\r\n'));
    socket.on('error', () => out.destroy());
    socket.once('close', () => out.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    opened,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
