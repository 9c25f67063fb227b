import type { Request } from 'express';
import { fhirPath, matchRoute } from '../../core/api/contract.ts';
import { answerSize } from './answer-size.ts';
import { requestIdOf } from './head.ts';
import type { FaultLog } from './reply.ts';
import type { Guard } from './request.ts';
import type { MatchRoute } from './route-table.ts';

/**
 * Logs one line behind each answer: method, route template, status, milliseconds, bytes, token id, request id. The
 * line is made of what the server itself says; nothing that a client sends stands in it.
 */
export function requestLog(log: FaultLog, match: MatchRoute): Guard {
  return (request, response) => {
    const started = performance.now();
    const sent = request.socket.bytesWritten;
    response.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const status = response.writableFinished ? response.statusCode : 'broken off';
      const bytes = answerSize(request, response, sent);
      const { id: token = '-' } = response.locals.principal ?? {};
      const parts = [request.method, templateOf(request, match), status, `${ms} ms`, `${bytes} bytes`];
      log([...parts, `token ${token}`, `request ${requestIdOf(response)}`].join(' '));
    });
  };
}

/** The path of the route that was met; never the address, which names records and patients. */
function templateOf({ originalUrl }: Request, match: MatchRoute): string {
  const [path = ''] = originalUrl.split('?');
  const met = match(path)?.item.path;
  if (met === undefined) return `${[fhirPath, '/app'].find((start) => path.startsWith(`${start}/`)) ?? ''}/*`;
  if (!met.endsWith('/*')) return met;
  // What the gateway forwards is described by the contract's own paths.
  const start = met.slice(0, -'/*'.length);
  const below = `/${path.split('/').slice(start.split('/').length).join('/')}`;
  return start + (matchRoute(below)?.item.path ?? '/*');
}
