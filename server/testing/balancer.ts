/** A load balancer without affinity: it sends each request to the next server in turn. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  readonly origin: string;
  /** Origins of the servers. */
  servers: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a load balancer on loopback.
 *
 * @param port - 0 picks a free port.
 */
export async function startBalancer(port = 0): Promise<Balancer> {
  let turn = 0;
  const balancer = { origin: '', servers: [] as readonly string[], close: () => close() };
  const server = createServer((incoming, answer) => {
    turn += 1;
    const target = new URL(balancer.servers[turn % balancer.servers.length] ?? balancer.origin);
    const { method, url, headers } = incoming;
    const forwarded = request({ host: target.hostname, port: target.port, method, path: url, headers });
    forwarded.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(answer);
    });
    forwarded.once('error', () => answer.writeHead(502).end());
    answer.once('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  balancer.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return balancer;
}
