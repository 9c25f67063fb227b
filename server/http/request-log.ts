import type { Request, RequestHandler } from 'express';
import { fhirPath, templatePath } from '../../core/api/contract.ts';
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
      log(
        [...parts, `token ${response.locals.principal?.id ?? '-'}`, `request ${requestIdOf(response)}`].join(
          ' ',
        ),
      );
    });
    next();
  };
}

/** Addresses of FHIR's own: here, or on another server through the gateway. */
const fhirForm = /^(\/app\/connections\/[^/]+)?\/fhir-r4\/v1(\/.*)$/;

/** The path of the route that was met; never the address, which names records and patients. */
function templateOf({ originalUrl, route }: Request): string {
  const [path = ''] = originalUrl.split('?');
  const [fhir, gateway, below = ''] = fhirForm.exec(path) ?? [];
  if (fhir !== undefined) {
    return `${gateway === undefined ? '' : '/app/connections/:id'}${fhirPath}${templatePath(below) ?? '/*'}`;
  }
  const met: unknown = (route as { path?: unknown } | undefined)?.path;
  if (path.startsWith('/app/')) return typeof met === 'string' ? `/app${met}` : '/app/*';
  return typeof met === 'string' ? met : '/*';
}
