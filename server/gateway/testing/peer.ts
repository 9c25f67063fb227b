/** A loopback server of the gateway tests: responds as configured and records the requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Answerer = (request: RecordedRequest, response: ServerResponse) => void | Promise<void>;

export interface Peer {
  readonly origin: string;
  /** Every request, oldest first. */
  readonly requests: RecordedRequest[];
  /** Replaces the answerer. */
  answer(answerer: Answerer): void;
  close(): Promise<void>;
}

export async function startPeer(answerer: Answerer, tls?: ServerOptions): Promise<Peer> {
  let current = answerer;
  const recordedRequests: RecordedRequest[] = [];
  const listener: RequestListener = (request, response) => {
    void buffer(request).then(async (body) => {
      const recordedRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      };
      recordedRequests.push(recordedRequest);
      await current(recordedRequest, response);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests: recordedRequests,
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

/** Responds with exactly the requested content: a record with its own id, or an empty list. */
export const honest: Answerer = ({ method, url }, response) => {
  const path = /(?:CarePlan|Composition).*$/.exec(new URL(url, 'http://x').pathname)?.[0] ?? '';
  const [resourceType, id = '', , version] = path.split('/');
  const isCreate = method === 'POST' && id === '';
  const isList =
    !isCreate && (id === '' || id.startsWith('_') || (path.includes('_history') && version === undefined));
  sendFhir(
    response,
    200,
    JSON.stringify(isList ? { resourceType: 'Bundle' } : { resourceType, id: id || 'made' }),
  );
};

/** Sends JSON as FHIR servers do. */
export function sendFhir(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'Content-Type': 'application/fhir+json;charset=utf-8', ...headers }).end(body);
}
