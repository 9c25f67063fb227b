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
import { AnswersUnderWay } from './answers-under-way.ts';
import { appRoutes, type AppParts } from './app-routes.ts';
import { noteRefusal, type Audit } from './audit-recorder.ts';
import { BodiesUnderWay } from './bodies-under-way.ts';
import { bodyReader } from './body.ts';
import { cors } from './cors.ts';
import { fhirRoutes, type Answers } from './fhir-routes.ts';
import { addressGuard, allowedOf, foreignGuard } from './guards.ts';
import { withHeadOfAll } from './head.ts';
import { metadataAnswer, openApiRoutes, type Description } from './metadata-routes.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { openIdRoutes } from './openid-routes.ts';
import { pageFiles } from './page.ts';
import { documentAnswers } from './document-routes.ts';
import { readAnswers } from './read-routes.ts';
import { createMetrics, type Meter } from './metrics.ts';
import { errorHandler } from './reply.ts';
import { requestLog } from './request-log.ts';
import { notOffered, type Guard } from './request.ts';
import { routing, withTable, type TableRoute } from './route-table.ts';
import { searchAnswers } from './search-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { createThrottle } from './throttle.ts';
import { validateAnswers } from './validate-routes.ts';
import { writeAnswers } from './write-routes.ts';

export interface HttpParts extends AppParts, Description {
  readonly search: SearchService;
  readonly tokens: TokenLookup;
  readonly codes: SignInCodes;
  /** Undefined where people sign in by codes alone. */
  readonly openId: OpenId | undefined;
  readonly settings: ServerSettings;
  readonly audit: Audit;
  /** Further addresses under `/app`: what only some stores offer. */
  readonly more: readonly TableRoute[];
  /** A request came. */
  readonly asked: () => void;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly log: Log;
  /** What the page of metrics shows beside requests and the process. */
  readonly meters: readonly Meter[];
}

/**
 * What answers every request: one table of routes, behind it the page's files, and what turns a fault into an answer. What
 * the guards refuse, they refuse in their order; what stands behind them is told by {@link routing}.
 */
export function createApp(parts: HttpParts): RequestListener {
  const { settings, tokens, codes, openId, base, audit } = parts;
  const { tokens: store, sessions } = parts.workspace;
  const throttle = createThrottle(settings);
  const used = ({ id, kind }: Principal) => {
    if (kind === 'minted' || kind === 'issued') store.used(id);
  };
  const authenticate = authentication({ tokens, throttle, used });
  const readBody = bodyReader(settings.maxBody);
  const [underWay, bodies] = [new AnswersUnderWay(), new BodiesUnderWay()];
  const metrics = settings.metrics
    ? createMetrics([...parts.meters, underWay.meter, bodies.meter])
    : undefined;
  const match = routeTable([
    ...fhirRoutes(answersOf(parts), readBody, audit),
    ...oauthRoutes({ tokens, store, throttle, audit, base }),
    ...signInRoutes({ codes, sessions, throttle, audit, openId, base }),
    ...openIdRoutes({ openId, codes, throttle, audit, log: parts.log, base }),
    ...openApiRoutes(parts),
    ...appRoutes(parts, readBody),
    ...parts.more,
    ...(metrics ? [metrics.route] : []),
  ]);
  const guards: Guard[] = [
    (_request, response) => {
      parts.asked();
      response.locals.underWay = underWay;
      response.locals.bodies = bodies;
    },
    ...(metrics ? [metrics.guard(match)] : []),
    ...(settings.logRequests ? [requestLog(parts.log, match)] : []),
    foreignGuard(allowedOf(settings, openId ? [callbackPath] : [])),
    cors(settings.allowOrigins),
    addressGuard,
    activityRecorder(parts.workspace.activity),
  ];
  const app = express();
  withHeadOfAll(app);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(pageFiles(parts.pageFolder));
  app.use((request, response) => {
    authenticate(request, response);
    throw notOffered(request);
  });
  const refuse = errorHandler(parts.log, (request, response, kind) => {
    noteRefusal(audit, request, response, kind);
  });
  app.use(refuse);
  return withTable(app, routing({ match, guards, authenticate, readBody, audit }), refuse);
}

function answersOf(parts: HttpParts): Answers {
  const { service, search, base } = parts;
  return {
    metadata: metadataAnswer(parts),
    ...readAnswers(service),
    ...writeAnswers(service, base, parts.workspace.demandsReason),
    ...validateAnswers(service, parts.profiles, parts.store),
    ...documentAnswers(service, base),
    ...searchAnswers(search, base),
  };
}
