/** Sign-in in the system's browser with a loopback redirect (RFC 8252) and PKCE (RFC 7636). */
import { createServer, type Server, type ServerResponse } from 'node:http';
import * as oauth from 'oauth4webapi';
import type { SignInStarted } from '../../core/app/connections.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { AccessError } from './access-error.ts';
import { codeGrant, readCallback, type Grant, type GrantParts, type SignInSecrets } from './oauth-client.ts';
import { ConnectionError } from './remote-error.ts';

const messages = defineMessages('gateway.signIn', {
  noEndpoint: 'This connection has no authorization endpoint.',
  timeout: 'The sign-in timed out. Start it again.',
  incomplete: 'The sign-in couldn’t be completed. Start it again.',
});

/** Time limit of a sign-in in milliseconds. */
const signInTime = 5 * 60_000;

const callbackPath = '/callback';
const defaultScope = 'user/*.* offline_access';

export interface SignInOptions {
  readonly dependencies: GrantParts;
  /** Base URL of the FHIR server, the audience of its tokens. */
  readonly audience: string;
  readonly time?: number;
  readonly done: (grant: Grant) => void;
  /** Called with a message if the sign-in ends without a token. */
  readonly onFailed: (message: Message) => void;
}

export interface SignIn extends SignInStarted {
  /** Ends it without a word. */
  cancel(): void;
}

/** Listens for one callback. Returns the address that the browser should open. */
export async function startSignIn(options: SignInOptions): Promise<SignIn> {
  const { dependencies, audience, time = signInTime } = options;
  const { authorization } = dependencies.endpoints;
  if (authorization === undefined) throw new AccessError(messages.noEndpoint());
  const server = createServer({ maxHeaderSize: 16 * 1024 });
  const port = await listen(server);
  const secrets: SignInSecrets = {
    state: oauth.generateRandomState(),
    verifier: oauth.generateRandomCodeVerifier(),
    redirect: `http://127.0.0.1:${port}${callbackPath}`,
  };
  const end = () => {
    clearTimeout(timer);
    server.close();
    server.closeIdleConnections();
  };
  const timer = setTimeout(() => {
    end();
    options.onFailed(messages.timeout());
  }, time);
  timer.unref();
  server.on('request', (request, response) => {
    const expected = request.headers.host === `127.0.0.1:${port}`;
    const address = new URL(secrets.redirect);
    const [path, query = ''] = (request.url ?? '').split('?');
    if (request.method !== 'GET' || !expected || path !== callbackPath) {
      send(response, 404, signInPage('Nothing here', 'This address only completes a sign-in.'));
      return;
    }
    address.search = query;
    void finish(options, secrets, address).then((page) => {
      if (page === 'foreign') {
        send(
          response,
          400,
          signInPage('Sign-in not recognized', 'No sign-in started here matches this response.'),
        );
        return;
      }
      end();
      if (page === 'signed-in') {
        send(response, 200, signInPage('Signed in', 'You can close this page and return to Chartkeeper.'));
      } else send(response, 400, signInPage('Not signed in', page.fault.text));
    });
  });
  const address = await authorizationAddress(authorization, dependencies, audience, secrets);
  return { address, ends: new Date(Date.now() + time).toISOString(), cancel: end };
}

/** Consumes a code once. A second callback during the first exchange is treated as foreign. */
const consumedSecrets = new WeakSet<SignInSecrets>();

async function finish(
  { dependencies, done, onFailed }: SignInOptions,
  secrets: SignInSecrets,
  address: URL,
): Promise<'signed-in' | 'foreign' | { readonly fault: Message }> {
  try {
    const callback = consumedSecrets.has(secrets)
      ? undefined
      : readCallback(dependencies, address, secrets.state);
    if (!callback) return 'foreign';
    consumedSecrets.add(secrets);
    done(await codeGrant(dependencies, callback, secrets));
    return 'signed-in';
  } catch (error) {
    const message = error instanceof ConnectionError ? error.sentence : messages.incomplete();
    onFailed(message);
    return { fault: message };
  }
}

async function authorizationAddress(
  endpoint: string,
  { authentication }: GrantParts,
  audience: string,
  { state, verifier, redirect }: SignInSecrets,
): Promise<string> {
  const address = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: authentication.clientId,
    redirect_uri: redirect,
    scope: authentication.scope ?? defaultScope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    aud: audience,
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

function send(response: ServerResponse, status: number, page: string): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
    })
    .end(page);
}

/**
 * Returns the last page of a sign-in for the browser: no script, no external content, nothing from the
 * request.
 */
export function signInPage(title: string, text: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title} - Chartkeeper</title>${head}</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
