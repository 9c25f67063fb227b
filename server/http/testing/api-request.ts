import { IncomingMessage, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { owner, type Principal } from '../../access/principal.ts';
import type { Log } from '../../log-lines.ts';
import { noFault } from '../../testing/test-server.ts';
import { ApiRequest, type Handler } from '../request.ts';
import { createRequestListener } from '../route-table.ts';
import { PendingResponses } from '../send.ts';

export interface TestRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly principal?: Principal;
}

/** Creates a request that no socket has received, as a handler gets it. */
export function createApiRequest({
  method = 'GET',
  url = '/',
  headers = {},
  params = {},
  body,
  principal = owner,
}: TestRequest): ApiRequest {
  const incoming = new IncomingMessage(new Socket());
  incoming.method = method;
  incoming.url = url;
  incoming.rawHeaders = Object.entries(headers).flat();
  for (const [name, value] of Object.entries(headers)) incoming.headers[name.toLowerCase()] = value;
  const request = new ApiRequest(incoming);
  request.params = params;
  request.caller = principal;
  request.body = body === undefined ? undefined : Buffer.from(body);
  return request;
}

/** Creates a listener that answers every request with one handler. */
export function listenWith(handler: Handler, log: Log = noFault): RequestListener {
  return createRequestListener({
    route: async (request) => handler(request),
    servePage: () => Promise.resolve(),
    authenticate: () => undefined,
    pendingResponses: new PendingResponses(),
    log,
    onRejected: () => undefined,
  });
}
