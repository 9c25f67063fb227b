import { Router, type RequestHandler } from 'express';
import type { AuditAction } from '../../core/app/audit.ts';
import { mediaType } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';

/** One method of one address, with the handlers that answer it in turn. */
export interface TableRoute {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  /** What the audit trail calls a request to it; absent where it leaves no entry. */
  readonly audit?: AuditAction;
  readonly handlers: readonly RequestHandler[];
}

/**
 * A router of a table: each path answers its methods, OPTIONS with 204, and any other method with 405 and `Allow`
 * (RFC 9110 section 15.5.6).
 */
export function tableRouter(table: readonly TableRoute[]): Router {
  const router = Router({ caseSensitive: true });
  for (const { method, path, handlers } of table) router[method](path, ...handlers);
  for (const path of new Set(table.map((route) => route.path))) {
    const methods = table.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
    const all = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    router.all(path, otherMethods([...all, 'OPTIONS'].join(', ')));
  }
  return router;
}

function otherMethods(allow: string): RequestHandler {
  return (request, response) => {
    if (request.method !== 'OPTIONS') {
      throw new FhirError('method', { text: `This address answers ${allow}.` }, { Allow: allow });
    }
    response.status(204).set({ Allow: allow, 'Content-Type': mediaType }).end();
  };
}
