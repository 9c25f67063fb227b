import express from 'express';
import type { RequestListener } from 'node:http';
import { routeTable } from '../../core/api/route-table.ts';
import type { Principal, TokenLookup } from '../access/principal.ts';
import type { SignInCodes } from '../access/sign-in-codes.ts';
import type { SearchService } from '../fhir/search.ts';
import type { Log } from '../log-lines.ts';
import { callbackPath, type OpenId } from '../openid/openid.ts';
import type { ServerSettings } from '../settings.ts';
import { authentication } from './access.ts';
import { activityRecorder } from './activity-recorder.ts';
import { PendingResponses } from './pending-responses.ts';
import { appRoutes, type AppParts } from './app-routes.ts';
import { auditRejection, type Audit } from './audit-recorder.ts';
import { BodiesUnderWay } from './bodies-under-way.ts';
import { bodyReader } from './body.ts';
import { cors } from './cors.ts';
import { fhirRoutes, type Handlers } from './fhir-routes.ts';
import { addressGuard, allowedOf, createOriginGuard } from './guards.ts';
import { withHeadOfAll } from './head.ts';
import { metadataAnswer, openApiRoutes, type Description } from './metadata-routes.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { openIdRoutes } from './openid-routes.ts';
import { pageFiles } from './page.ts';
import { documentAnswers } from './document-routes.ts';
import { createReadHandlers } from './read-routes.ts';
import { createMetrics, type Meter } from './metrics.ts';
import { errorHandler } from './reply.ts';
import { requestLog } from './request-log.ts';
import { createUnsupportedError, type Guard } from './request.ts';
import { routing, withTable, type TableRoute } from './route-table.ts';
import { createSearchHandlers } from './search-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { createThrottle } from './throttle.ts';
import { validateAnswers } from './validate-routes.ts';
import { createWriteHandlers } from './write-routes.ts';

export interface HttpDependencies extends AppParts, Description {
  readonly search: SearchService;
  readonly tokens: TokenLookup;
  readonly codes: SignInCodes;
  /** Undefined if users can sign in with codes only. */
  readonly openId: OpenId | undefined;
  readonly settings: ServerSettings;
  readonly audit: Audit;
  /** Additional `/app` routes that only some stores support. */
  readonly more: readonly TableRoute[];
  readonly asked: () => void;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly log: Log;
  /** Metrics besides those of requests and the process. */
  readonly meters: readonly Meter[];
}

/**
 * Creates the application: a route table, then the page files, then the error handler.
 *
 * Guards run in their order. {@link routing} lists the later checks.
 */
export function createApp(dependencies: HttpDependencies): RequestListener {
  const { settings, tokens, codes, openId, base, audit } = dependencies;
  const { tokens: store, sessions } = dependencies.workspace;
  const throttle = createThrottle(settings);
  const onTokenUsed = ({ id, kind }: Principal) => {
    if (kind === 'minted' || kind === 'issued') store.used(id);
  };
  const authenticate = authentication({ tokens, throttle, used: onTokenUsed });
  const readBody = bodyReader(settings.maxBody);
  const [pendingResponses, bodies] = [new PendingResponses(), new BodiesUnderWay()];
  const metrics = settings.metrics
    ? createMetrics([...dependencies.meters, pendingResponses.meter, bodies.meter])
    : undefined;
  const match = routeTable([
    ...fhirRoutes(createHandlers(dependencies), readBody, audit),
    ...oauthRoutes({ tokens, store, throttle, audit, base }),
    ...signInRoutes({ codes, sessions, throttle, audit, openId, base }),
    ...openIdRoutes({ openId, codes, throttle, audit, log: dependencies.log, base }),
    ...openApiRoutes(dependencies),
    ...appRoutes(dependencies, readBody),
    ...dependencies.more,
    ...(metrics ? [metrics.route] : []),
  ]);
  const guards: Guard[] = [
    (_request, response) => {
      dependencies.asked();
      response.locals.underWay = pendingResponses;
      response.locals.bodies = bodies;
    },
    ...(metrics ? [metrics.guard(match)] : []),
    ...(settings.logRequests ? [requestLog(dependencies.log, match)] : []),
    createOriginGuard(allowedOf(settings, openId ? [callbackPath] : [])),
    cors(settings.allowOrigins),
    addressGuard,
    activityRecorder(dependencies.workspace.activity),
  ];
  const app = express();
  withHeadOfAll(app);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(pageFiles(dependencies.pageFolder));
  app.use((request, response) => {
    authenticate(request, response);
    throw createUnsupportedError(request);
  });
  const handleError = errorHandler(dependencies.log, (request, response, kind) => {
    auditRejection(audit, request, response, kind);
  });
  app.use(handleError);
  return withTable(app, routing({ match, guards, authenticate, readBody, audit }), handleError);
}

function createHandlers(dependencies: HttpDependencies): Handlers {
  const { service, search, base } = dependencies;
  return {
    metadata: metadataAnswer(dependencies),
    ...createReadHandlers(service),
    ...createWriteHandlers(service, base, dependencies.workspace.demandsReason),
    ...validateAnswers(service, dependencies.profiles, dependencies.store),
    ...documentAnswers(service, base),
    ...createSearchHandlers(search, base),
  };
}
