import type { RequestListener } from 'node:http';
import { routeTable } from '../../core/api/contract.ts';
import type { TokenLookup } from '../access/principal.ts';
import type { SignInCodes } from '../access/sign-in-codes.ts';
import type { SearchService } from '../fhir/search.ts';
import type { Log } from '../log-lines.ts';
import type { ServerSettings } from '../settings.ts';
import { createAuthenticationGuard, createThrottle } from './access.ts';
import { createAppRoutes, type AppDependencies } from './app-routes.ts';
import { auditRejection, createActivityRecorder, type Audit } from './audit-recorder.ts';
import { createBodyReader, PendingBodies } from './body.ts';
import { createFhirRoutes, type Handlers } from './fhir-routes.ts';
import { addressGuard, createCorsGuard, createOriginGuard, getAllowedSources } from './guards.ts';
import { createMetadataHandler, createOpenApiRoutes, type ServerDescription } from './metadata-routes.ts';
import { createOAuthRoutes } from './oauth-routes.ts';
import { createPageHandler } from './page.ts';
import { createDocumentHandlers } from './document-routes.ts';
import { createReadHandlers } from './read-routes.ts';
import { createMetrics, type Meter } from './metrics.ts';
import type { Guard } from './request.ts';
import {
  createRequestListener,
  createRouter,
  routeTemplate,
  type TableRoute,
  type MatchRoute,
} from './route-table.ts';
import { createSearchHandlers } from './search-routes.ts';
import { PendingResponses } from './send.ts';
import { createSignInRoutes, type SignInProvider } from './sign-in-routes.ts';
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
  readonly onRequest: () => undefined;
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
  const authenticate = createAuthenticationGuard({ tokens, throttle, store });
  const [pendingResponses, bodies] = [new PendingResponses(), new PendingBodies()];
  const readBody = createBodyReader(settings.maxBody, bodies);
  const metrics = settings.metrics
    ? createMetrics([...dependencies.meters, pendingResponses.meter, bodies.meter])
    : undefined;
  const match = routeTable([
    ...createFhirRoutes(createHandlers(dependencies), readBody, audit),
    ...createOAuthRoutes({ tokens, store, throttle, audit, base }),
    ...createSignInRoutes({ codes, sessions, throttle, audit, log: dependencies.log, openId, base }),
    ...createOpenApiRoutes(dependencies),
    ...createAppRoutes(dependencies, readBody, bodies),
    ...dependencies.additionalRoutes,
    ...(metrics ? [metrics.route] : []),
  ]);
  const guards: Guard[] = [
    dependencies.onRequest,
    ...(metrics ? [metrics.guard(match)] : []),
    ...(settings.logRequests ? [createRequestLogger(dependencies.log, match)] : []),
    createOriginGuard(getAllowedSources(settings, openId ? [openId.callbackPath] : [])),
    createCorsGuard(settings.allowOrigins),
    addressGuard,
    createActivityRecorder(dependencies.workspace.activity),
  ];
  return createRequestListener({
    route: createRouter({ match, guards, authenticate, readBody, audit }),
    servePage: createPageHandler(dependencies.pageFolder),
    authenticate,
    pendingResponses,
    log: dependencies.log,
    onRejected: (request, kind, status) => auditRejection(audit, request, kind, status),
  });
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

/**
 * Creates a guard that logs one line per response: method, route template, status, time, size, token id,
 * request id.
 *
 * The line contains only text of the server, never text of a client.
 */
function createRequestLogger(log: Log, match: MatchRoute): Guard {
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
