import express, { type Express, type RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import { fhirPath, limits } from '../../core/api/contract.ts';
import { accessGuard, type TokenLookup } from './access.ts';
import { appRoutes, type AppParts } from './app-routes.ts';
import { fhirRoutes, unknownPath } from './fhir-routes.ts';
import { foreignGuard } from './guards.ts';
import { pageFiles, securityHeaders } from './page.ts';
import { errorHandler, type FaultLog } from './reply.ts';

export interface HttpParts extends AppParts {
  readonly tokens: TokenLookup;
  /** Absolute URL of this server without a trailing slash, once it listens. */
  readonly base: () => string;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly log: FaultLog;
}

/**
 * The Express application. The order is the order of the checks: foreign hosts and origins, the page's files, the
 * token, the address, the method, then what the routes check.
 */
export function createApp(parts: HttpParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.use(requestId, securityHeaders, foreignGuard);
  app.use(pageFiles(parts.pageFolder));
  app.use(accessGuard(parts.tokens));
  app.use(express.raw({ type: () => true, limit: limits.body, inflate: false }));
  app.use(fhirPath, fhirRoutes(parts.service, parts.base));
  app.use('/app', appRoutes(parts));
  app.use(unknownPath);
  app.use(errorHandler(parts.log));
  return app;
}

const requestId: RequestHandler = (_request, response, next) => {
  response.set('X-Request-Id', randomUUID());
  next();
};
