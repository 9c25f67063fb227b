import { onResponseFinished } from './response-size.ts';
import { getRequestId } from './head.ts';
import type { Log } from '../log-lines.ts';
import type { Guard } from './request.ts';
import { routeTemplate, type MatchRoute } from './route-table.ts';

/**
 * Creates a guard that logs one line per response: method, route template, status, time, size, token id,
 * request id.
 *
 * The line contains only text of the server, never text of a client.
 */
export function createRequestLogger(log: Log, match: MatchRoute): Guard {
  return (request, response) => {
    onResponseFinished(request, response, (ms, bytes) => {
      const status = response.writableFinished ? response.statusCode : 'broken off';
      const { id: token = '-' } = response.locals.principal ?? {};
      const [{ method }, route, id] = [request, routeTemplate(request, match), getRequestId(response)];
      const line = `${method} ${route} ${status} ${ms} ms ${bytes} bytes token ${token} request ${id}`;
      log(line, { method, route, status, ms, bytes, token, request: id });
    });
  };
}
