/** A server on loopback that the tests of the gateway talk to: answers what it is told, and remembers what came. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Answerer = (seen: Seen, response: ServerResponse) => void | Promise<void>;

export interface Peer {
  readonly origin: string;
  /** Every request, oldest first. */
  readonly seen: Seen[];
  /** Replaces what answers. */
  answer(answerer: Answerer): void;
  close(): Promise<void>;
}

export async function startPeer(answerer: Answerer, tls?: ServerOptions): Promise<Peer> {
  let current = answerer;
  const seen: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    void buffer(request).then(async (body) => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      await current(one, response);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    answer(next) {
      current = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers with what was asked for, and no more in it: a record under its own id, or a list of none. */
export const honest: Answerer = ({ method, url }, response) => {
  const place = /(?:CarePlan|Composition).*$/.exec(new URL(url, 'http://x').pathname)?.[0] ?? '';
  const [resourceType, id = '', , version] = place.split('/');
  const made = method === 'POST' && id === '';
  const isList =
    !made && (id === '' || id.startsWith('_') || (place.includes('_history') && version === undefined));
  fhir(
    response,
    200,
    JSON.stringify(isList ? { resourceType: 'Bundle' } : { resourceType, id: id || 'made' }),
  );
};

/** Sends JSON as FHIR servers do. */
export function fhir(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'Content-Type': 'application/fhir+json;charset=utf-8', ...headers }).end(body);
}
