import type { Request, Response } from 'express';
import { fhirPath } from '../../core/api/contract.ts';
import { offeredScopes } from '../../core/app/scopes.ts';
import {
  checkGrantType,
  findClient,
  grantedScopes,
  OAuthError,
  readCredentials,
  readForm,
} from '../access/client-credentials.ts';
import type { TokenLookup } from '../access/principal.ts';
import type { TokenStore } from '../workspace/tokens.ts';
import { auditSignIn, type Audit } from './audit-recorder.ts';
import { bodyReader } from './body.ts';
import { sendJson } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { Throttle } from './throttle.ts';

export interface OAuthParts {
  readonly tokens: TokenLookup;
  readonly store: TokenStore;
  readonly throttle: Throttle;
  readonly audit: Audit;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
}

/** Seconds that an access token holds. */
const lifetime = 3600;

/** Bytes of a token request. */
const formLimit = 16 * 1024;

const formType = 'application/x-www-form-urlencoded';

/** RFC 6749 section 5.1; `no-store` is on every answer. */
const noCache = { Pragma: 'no-cache' };

const smartPath = '/.well-known/smart-configuration';

/** SMART clients know the FHIR base alone and look below it. */
const smartPaths = [smartPath, fhirPath + smartPath];

/** The SMART configuration and the token endpoint; open, since a client without a token starts here. */
export function oauthRoutes(parts: OAuthParts): readonly TableRoute[] {
  const body = bodyReader(formLimit);
  return [
    ...smartPaths.map((path): TableRoute => ({
      method: 'GET',
      path,
      access: 'open',
      answer(_request, response) {
        sendJson(response, 200, JSON.stringify(smartConfiguration(parts.base())));
      },
    })),
    {
      method: 'POST',
      path: '/oauth2/token',
      access: 'open',
      body,
      async answer(request, response) {
        auditSignIn(parts.audit, request, response);
        try {
          await issueToken(parts, request, response);
        } catch (thrown) {
          if (!(thrown instanceof OAuthError)) throw thrown;
          if (thrown.code === 'invalid_client') parts.throttle.failed(request);
          sendFault(response, thrown);
        }
      },
    },
  ];
}

async function issueToken(
  { tokens, store }: OAuthParts,
  request: Request,
  response: Response,
): Promise<void> {
  const form = formOf(request);
  checkGrantType(form);
  const client = findClient(readCredentials(request.headers.authorization, form), tokens);
  const scopes = grantedScopes(client, form.get('scope'));
  const { token, seconds } = await store.issue(client, scopes, lifetime);
  store.used(client.id);
  response.locals.principal = client;
  response.locals.audited = client.id;
  const answer = {
    access_token: token,
    token_type: 'Bearer',
    expires_in: seconds,
    scope: scopes.join(' '),
  };
  sendJson(response, 200, JSON.stringify(answer), noCache);
}

function formOf(request: Request): ReadonlyMap<string, string> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const body: unknown = request.body;
  if (type !== formType || !Buffer.isBuffer(body)) {
    throw new OAuthError('invalid_request', `Send the parameters as ${formType} in the body.`);
  }
  return readForm(body.toString('utf8'));
}

function sendFault(response: Response, { code, message, status }: OAuthError): void {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Basic realm="oauth2"' } : {};
  const fault = { error: code, error_description: message };
  sendJson(response, status, JSON.stringify(fault), { ...noCache, ...headers });
}

/** The discovery document (SMART App Launch 2.2 conformance.html), of a server for backend services. */
function smartConfiguration(base: string) {
  return {
    issuer: base,
    token_endpoint: `${base}/oauth2/token`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['client_credentials'],
    scopes_supported: offeredScopes,
    // Required by the standard, also where no authorization code is offered that it could apply to.
    code_challenge_methods_supported: ['S256'],
    capabilities: ['client-confidential-symmetric', 'permission-v1', 'permission-v2'],
  };
}
