import type { Request, RequestHandler, Response } from 'express';
import { fhirPath, templatePath } from '../../core/api/contract.ts';
import { belowConnection } from '../../core/app/connections.ts';
import { answerSize } from './answer-size.ts';
import { requestIdOf, type FaultLog } from './reply.ts';

/**
 * Logs one line behind each answer: method, route template, status, milliseconds, bytes, token id, request id. The
 * line is made of what the server itself says; nothing that a client sends stands in it.
 */
export function requestLog(log: FaultLog): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const sent = request.socket.bytesWritten;
    response.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const status = response.writableFinished ? response.statusCode : 'broken off';
      const bytes = answerSize(request, response, sent);
      const parts = [request.method, templateOf(request), status, `${ms} ms`, `${bytes} bytes`];
      log([...parts, `token ${tokenOf(response)}`, `request ${requestIdOf(response)}`].join(' '));
    });
    next();
  };
}

/** The path of the route that was met; never the address, which names records and patients. */
function templateOf({ originalUrl, route }: Request): string {
  const [path = ''] = originalUrl.split('?');
  // FHIR's own addresses, here or on another server through the gateway.
  const remote = belowConnection(path);
  const fhir = remote ?? path;
  if (fhir.startsWith(`${fhirPath}/`)) {
    const template = templatePath(fhir.slice(fhirPath.length)) ?? '/*';
    return `${remote === undefined ? '' : '/app/connections/:id'}${fhirPath}${template}`;
  }
  const met: unknown = (route as { path?: unknown } | undefined)?.path;
  if (path.startsWith('/app/')) return typeof met === 'string' ? `/app${met}` : '/app/*';
  return typeof met === 'string' ? met : '/*';
}

function tokenOf({ locals }: Response): string {
  const principal: unknown = locals.principal;
  return typeof principal === 'object' && principal !== null && 'id' in principal
    ? String(principal.id)
    : '-';
}
