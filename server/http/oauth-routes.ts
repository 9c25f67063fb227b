import { fhirPath } from '../../core/api/contract.ts';
import { supportedScopes } from '../../core/app/scopes.ts';
import { defineMessages } from '../../core/text/message.ts';
import {
  assertGrantType,
  findClient,
  selectGrantedScopes,
  OAuthError,
  readCredentials,
  readForm,
} from '../access/client-credentials.ts';
import type { TokenLookup } from '../access/principal.ts';
import type { TokenStore } from '../workspace/tokens.ts';
import { auditSignIn, type Audit } from './audit-recorder.ts';
import { createBodyReader } from './body.ts';
import { respondText } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { Throttle } from './access.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

const messages = defineMessages('oauth', { invalidType: 'Send the parameters as {type} in the body.' });

export interface OAuthDependencies {
  readonly tokens: TokenLookup;
  readonly store: TokenStore;
  readonly throttle: Throttle;
  readonly audit: Audit;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
}

/** Seconds until an access token expires. */
const lifetimeSeconds = 3600;

/** Bytes of a token request. */
const maxFormBytes = 16 * 1024;

const formType = 'application/x-www-form-urlencoded';

/** RFC 6749 section 5.1. Each response already has `no-store`. */
const noCache = { Pragma: 'no-cache' };

const smartPath = '/.well-known/smart-configuration';

/** SMART clients search below the FHIR base. */
const smartPaths = [smartPath, fhirPath + smartPath];

/** Routes of the SMART configuration and the token endpoint. Both need no token. */
export function createOAuthRoutes(dependencies: OAuthDependencies): readonly TableRoute[] {
  const body = createBodyReader(maxFormBytes);
  return [
    ...smartPaths.map((path): TableRoute => ({
      method: 'GET',
      path,
      access: 'open',
      handler: () => respondText(JSON.stringify(buildSmartConfiguration(dependencies.base()))),
    })),
    {
      method: 'POST',
      path: '/oauth2/token',
      access: 'open',
      body,
      async handler(request) {
        auditSignIn(dependencies.audit, request);
        try {
          return await issueToken(dependencies, request);
        } catch (error) {
          if (!(error instanceof OAuthError)) throw error;
          if (error.code === 'invalid_client') dependencies.throttle.countFailure(request);
          return respondOAuthError(error);
        }
      },
    },
  ];
}

async function issueToken({ tokens, store }: OAuthDependencies, request: ApiRequest): Promise<ApiResponse> {
  const form = readFormBody(request);
  assertGrantType(form);
  const client = findClient(readCredentials(request.headers.authorization, form), tokens);
  const scopes = selectGrantedScopes(client, form.get('scope'));
  const { token, seconds } = await store.issue(client, scopes, lifetimeSeconds);
  store.used(client.id);
  request.caller = client;
  request.notes.audited = client.id;
  const tokenResponse = {
    access_token: token,
    token_type: 'Bearer',
    expires_in: seconds,
    scope: scopes.join(' '),
  };
  return respondText(JSON.stringify(tokenResponse), 200, noCache);
}

function readFormBody(request: ApiRequest): ReadonlyMap<string, string> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const { body } = request;
  if (type !== formType || !body) {
    throw new OAuthError('invalid_request', messages.invalidType({ type: formType }));
  }
  return readForm(body.toString('utf8'));
}

function respondOAuthError({ code, message, status }: OAuthError): ApiResponse {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Basic realm="oauth2"' } : {};
  const oauthError = { error: code, error_description: message };
  return respondText(JSON.stringify(oauthError), status, { ...noCache, ...headers });
}

/** Builds the discovery document for backend services (SMART App Launch 2.2 conformance.html). */
function buildSmartConfiguration(base: string) {
  return {
    issuer: base,
    token_endpoint: `${base}/oauth2/token`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['client_credentials'],
    scopes_supported: supportedScopes,
    // Required by the standard, although this server supports no authorization code.
    code_challenge_methods_supported: ['S256'],
    capabilities: ['client-confidential-symmetric', 'permission-v1', 'permission-v2'],
  };
}
