/** Requests below `fetch`, which mends addresses and headers: sent as they are, over connections kept alive. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestServer } from '../../testing/test-server.ts';

export interface Question {
  readonly method: string;
  /** As it is to stand in the request line. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asker {
  ask(question: Question): Promise<Heard>;
  close(): void;
}

/** Sends with the server's token unless `headers` hold an Authorization of their own. */
export function asker(server: TestServer, connections = 8): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(server.origin);
  return {
    ask: ({ method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        request({ agent, hostname, port, method, path, headers: headersOf(headers, server.token) as never })
          .once('response', (response) => {
            const { statusCode: status = 0, headers } = response;
            text(response).then((all) => resolve({ status, headers, text: all }), reject);
          })
          .once('error', reject)
          .end(body);
      }),
    close: () => agent.destroy(),
  };
}

function headersOf(headers: Question['headers'] = {}, token: string) {
  const own = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return own ? headers : { Authorization: `Bearer ${token}`, ...headers };
}

/** Does `work` for each item, `width` at a time, in order of starting. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of rest) await work(item, index);
    }),
  );
}
