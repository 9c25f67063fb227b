import express, { type Express, type RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import { fhirPath } from '../../core/api/contract.ts';
import type { Principal, TokenLookup } from '../access/principal.ts';
import type { SearchService } from '../fhir/search.ts';
import type { ServerSettings } from '../settings.ts';
import { accessGuard } from './access.ts';
import { activityRecorder } from './activity-recorder.ts';
import { appRoutes, type AppParts } from './app-routes.ts';
import { boundedAudit, noteAnswer, noteRefusal } from './audit-recorder.ts';
import { bodyReader } from './body.ts';
import { cors } from './cors.ts';
import { fhirRoutes, unknownPath, type AnswerNote, type Answers } from './fhir-routes.ts';
import { gatewayRoutes } from './gateway-routes.ts';
import { addressGuard, allowedOf, foreignGuard } from './guards.ts';
import { metadataAnswer, openApiAnswer, type Description } from './metadata-routes.ts';
import { oauthRoutes, smartRoutes } from './oauth-routes.ts';
import { pageFiles } from './page.ts';
import { readAnswers } from './read-routes.ts';
import { errorHandler, type FaultLog, type RefusalNote } from './reply.ts';
import { tableRouter } from './route-table.ts';
import { searchAnswers } from './search-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { requestLog } from './request-log.ts';
import { below, series } from './series.ts';
import { createThrottle } from './throttle.ts';
import { writeAnswers } from './write-routes.ts';

export interface HttpParts extends AppParts, Description {
  readonly search: SearchService;
  readonly tokens: TokenLookup;
  readonly settings: ServerSettings;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly log: FaultLog;
}

/**
 * The Express application. The order is the order of the checks: foreign hosts and origins, the address' escapes, what
 * is open, the token, the path, the method, the scope, then what the routes check.
 */
export function createApp(parts: HttpParts): Express {
  const { settings, tokens, base } = parts;
  const { tokens: store } = parts.workspace;
  const throttle = createThrottle({ ...settings, clock: Date.now });
  const used = ({ id, kind }: Principal) => {
    if (kind !== 'owner') store.used(id);
  };
  const access = accessGuard({ tokens, throttle, used });
  const audit = boundedAudit(parts.store.audit, Date.now);
  const answered: AnswerNote = (request, response, route) => noteAnswer(audit, request, response, route);
  const readBody = bodyReader(settings.maxBody);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  const guards = [requestId, securityHeaders, foreignGuard(allowedOf(settings)), cors(settings.allowOrigins)];
  const logged = settings.logRequests ? [requestLog(parts.log)] : [];
  const fhir = series(access, fhirRoutes(answersOf(parts), readBody, answered), unknownPath);
  app.use(
    series(
      ...logged,
      ...guards,
      addressGuard,
      activityRecorder(parts.workspace.activity),
      smartRoutes(base),
      below(fhirPath, fhir),
    ),
  );
  app.use(oauthRoutes({ tokens, store, throttle, audit }));
  app.use(tableRouter([{ method: 'get', path: '/openapi.json', handlers: [access, openApiAnswer(parts)] }]));
  const { gateway, workspace } = parts;
  const remote = gatewayRoutes({ gateway, connections: workspace.connections, readBody });
  app.use('/app', access, remote, appRoutes(parts, readBody), unknownPath);
  app.use(pageFiles(parts.pageFolder));
  app.use(access, unknownPath);
  const refused: RefusalNote = (request, response, kind) => noteRefusal(audit, request, response, kind);
  app.use(errorHandler(parts.log, refused));
  return app;
}

function answersOf(parts: HttpParts): Answers {
  const { service, search, base } = parts;
  return {
    metadata: metadataAnswer(parts),
    ...readAnswers(service),
    ...writeAnswers(service, base),
    ...searchAnswers(search, base),
  };
}

const requestId: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Request-Id', randomUUID());
  next();
};
