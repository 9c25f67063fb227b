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
  return (request) => {
    request.onClosed(({ status: sentStatus, isComplete, bytes, ms }) => {
      const status = isComplete ? sentStatus : 'broken off';
      const { id: token = '-' } = request.caller ?? {};
      const { method, requestId: id } = request;
      const route = routeTemplate(request, match);
      const line = `${method} ${route} ${status} ${ms} ms ${bytes} bytes token ${token} request ${id}`;
      log(line, { method, route, status, ms, bytes, token, request: id });
    });
  };
}
