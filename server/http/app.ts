import express from 'express';
import type { RequestListener } from 'node:http';
import { routeTable } from '../../core/api/route-table.ts';
import type { Principal, TokenLookup } from '../access/principal.ts';
import type { SignInCodes } from '../access/sign-in-codes.ts';
import type { SearchService } from '../fhir/search.ts';
import type { Log } from '../log-lines.ts';
import type { ServerSettings } from '../settings.ts';
import { createAuthenticationGuard } from './access.ts';
import { createActivityRecorder } from './activity-recorder.ts';
import { PendingResponses } from './pending-responses.ts';
import { createAppRoutes, type AppDependencies } from './app-routes.ts';
import { auditRejection, type Audit } from './audit-recorder.ts';
import { PendingBodies } from './bodies-under-way.ts';
import { createBodyReader } from './body.ts';
import { createCorsGuard } from './cors.ts';
import { createFhirRoutes, type Handlers } from './fhir-routes.ts';
import { addressGuard, getAllowedSources, createOriginGuard } from './guards.ts';
import { addCommonHeaders } from './head.ts';
import { createMetadataHandler, createOpenApiRoutes, type ServerDescription } from './metadata-routes.ts';
import { createOAuthRoutes } from './oauth-routes.ts';
import { createPageHandler } from './page.ts';
import { createDocumentHandlers } from './document-routes.ts';
import { createReadHandlers } from './read-routes.ts';
import { createMetrics, type Meter } from './metrics.ts';
import { createErrorHandler } from './reply.ts';
import { createRequestLogger } from './request-log.ts';
import { createUnsupportedError, type Guard } from './request.ts';
import { createRouter, withRouteTable, type TableRoute } from './route-table.ts';
import { createSearchHandlers } from './search-routes.ts';
import { createSignInRoutes, type SignInProvider } from './sign-in-routes.ts';
import { createThrottle } from './throttle.ts';
import { createValidateHandlers } from './validate-routes.ts';
import { createWriteHandlers } from './write-routes.ts';

export interface HttpDependencies extends AppDependencies, ServerDescription {
  readonly search: SearchService;
  readonly tokens: TokenLookup;
  readonly codes: SignInCodes;
  /** Undefined if users can sign in with codes only. */
  readonly openId: SignInProvider | undefined;
  readonly settings: ServerSettings;
  readonly audit: Audit;
  /** Additional `/app` routes that only some stores support. */
  readonly additionalRoutes: readonly TableRoute[];
  readonly onRequest: () => void;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly log: Log;
  /** Metrics besides the metrics of requests and of the process. */
  readonly meters: readonly Meter[];
}

/**
 * Creates the application: a route table, then the page files, then the error handler.
 *
 * Guards run in their order. {@link createRouter} lists the later checks.
 */
export function createApp(dependencies: HttpDependencies): RequestListener {
  const { settings, tokens, codes, openId, base, audit } = dependencies;
  const { tokens: store, sessions } = dependencies.workspace;
  const throttle = createThrottle(settings);
  const onTokenUsed = ({ id, kind }: Principal) => {
    if (kind === 'minted' || kind === 'issued') store.used(id);
  };
  const authenticate = createAuthenticationGuard({ tokens, throttle, onTokenUsed: onTokenUsed });
  const readBody = createBodyReader(settings.maxBody);
  const [pendingResponses, bodies] = [new PendingResponses(), new PendingBodies()];
  const metrics = settings.metrics
    ? createMetrics([...dependencies.meters, pendingResponses.meter, bodies.meter])
    : undefined;
  const match = routeTable([
    ...createFhirRoutes(createHandlers(dependencies), readBody, audit),
    ...createOAuthRoutes({ tokens, store, throttle, audit, base }),
    ...createSignInRoutes({ codes, sessions, throttle, audit, log: dependencies.log, openId, base }),
    ...createOpenApiRoutes(dependencies),
    ...createAppRoutes(dependencies, readBody),
    ...dependencies.additionalRoutes,
    ...(metrics ? [metrics.route] : []),
  ]);
  const guards: Guard[] = [
    (_request, response) => {
      dependencies.onRequest();
      response.locals.pendingResponses = pendingResponses;
      response.locals.bodies = bodies;
    },
    ...(metrics ? [metrics.guard(match)] : []),
    ...(settings.logRequests ? [createRequestLogger(dependencies.log, match)] : []),
    createOriginGuard(getAllowedSources(settings, openId ? [openId.callbackPath] : [])),
    createCorsGuard(settings.allowOrigins),
    addressGuard,
    createActivityRecorder(dependencies.workspace.activity),
  ];
  const app = express();
  addCommonHeaders(app);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(createPageHandler(dependencies.pageFolder));
  app.use((request, response) => {
    authenticate(request, response);
    throw createUnsupportedError(request);
  });
  const handleError = createErrorHandler(dependencies.log, (request, response, kind) => {
    auditRejection(audit, request, response, kind);
  });
  app.use(handleError);
  return withRouteTable(app, createRouter({ match, guards, authenticate, readBody, audit }), handleError);
}

function createHandlers(dependencies: HttpDependencies): Handlers {
  const { service, search, base } = dependencies;
  return {
    metadata: createMetadataHandler(dependencies),
    ...createReadHandlers(service),
    ...createWriteHandlers(service, base, dependencies.workspace.demandsReason),
    ...createValidateHandlers(service, dependencies.profiles, dependencies.store),
    ...createDocumentHandlers(service, base),
    ...createSearchHandlers(search, base),
  };
}
