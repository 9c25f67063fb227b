import { behindAnswer } from './answer-size.ts';
import { requestIdOf } from './head.ts';
import type { Log } from '../log-lines.ts';
import type { Guard } from './request.ts';
import { routeTemplate, type MatchRoute } from './route-table.ts';

/**
 * Logs one line behind each answer: method, route template, status, milliseconds, bytes, token id, request id. The
 * line is made of what the server itself says; nothing that a client sends stands in it.
 */
export function requestLog(log: Log, match: MatchRoute): Guard {
  return (request, response) => {
    behindAnswer(request, response, (ms, bytes) => {
      const status = response.writableFinished ? response.statusCode : 'broken off';
      const { id: token = '-' } = response.locals.principal ?? {};
      const [{ method }, route, id] = [request, routeTemplate(request, match), requestIdOf(response)];
      const line = `${method} ${route} ${status} ${ms} ms ${bytes} bytes token ${token} request ${id}`;
      log(line, { method, route, status, ms, bytes, token, request: id });
    });
  };
}
