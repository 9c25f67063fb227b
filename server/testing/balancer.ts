/** A balancer without affinity, for tests: each request goes to the next of the servers behind it. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  readonly origin: string;
  /** The servers, by their origins. */
  servers: readonly string[];
  close(): Promise<void>;
}

/** @param port - 0 picks a free one. */
export async function startBalancer(port = 0): Promise<Balancer> {
  let turn = 0;
  const balancer = { origin: '', servers: [] as readonly string[], close: () => closed() };
  const server = createServer((asked, answer) => {
    turn += 1;
    const target = new URL(balancer.servers[turn % balancer.servers.length] ?? balancer.origin);
    const { method, url, headers } = asked;
    const passed = request({ host: target.hostname, port: target.port, method, path: url, headers });
    passed.once('response', (found) => {
      answer.writeHead(found.statusCode ?? 502, found.rawHeaders);
      found.pipe(answer);
    });
    passed.once('error', () => answer.writeHead(502).end());
    answer.once('close', () => passed.destroy());
    asked.pipe(passed);
  });
  const closed = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  balancer.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return balancer;
}
