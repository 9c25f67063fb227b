/** Sends requests unchanged over keep-alive connections. `fetch` would normalize URLs and headers. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestServer } from '../../testing/test-server.ts';

export interface RawRequest {
  readonly method: string;
  /** Path as in the request line. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawClient {
  send(question: RawRequest): Promise<RawResponse>;
  close(): void;
}

/** Creates a client that adds the server's token to requests without an Authorization header. */
export function createRawClient(server: TestServer, connections = 8): RawClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(server.origin);
  return {
    send: ({ method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        request({ agent, hostname, port, method, path, headers: headersOf(headers, server.token) as never })
          .once('response', (response) => {
            const { statusCode: status = 0, headers } = response;
            text(response).then((body) => resolve({ status, headers, text: body }), reject);
          })
          .once('error', reject)
          .end(body);
      }),
    close: () => agent.destroy(),
  };
}

function headersOf(headers: RawRequest['headers'] = {}, token: string) {
  const hasAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return hasAuthorization ? headers : { Authorization: `Bearer ${token}`, ...headers };
}

/** Runs `work` for each item in order, at most `width` at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const remainingItems = items.entries();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of remainingItems) await work(item, index);
    }),
  );
}
