/** Sign-in in the system's browser with a loopback redirect (RFC 8252) and PKCE (RFC 7636). */
import { createServer, type Server, type ServerResponse } from 'node:http';
import * as oauth from 'oauth4webapi';
import type { SignInStarted } from '../../core/app/connections.ts';
import { AccessFault } from './access-fault.ts';
import { codeGrant, readCallback, type Grant, type GrantParts, type SignInSecrets } from './oauth-client.ts';
import { ConnectionFault } from './remote-fault.ts';

/** Milliseconds that a sign-in may take. */
const signInTime = 5 * 60_000;

const callbackPath = '/callback';
const defaultScope = 'user/*.* offline_access';

export interface SignInOptions {
  readonly parts: GrantParts;
  /** Base URL of the FHIR server, the audience of its tokens. */
  readonly audience: string;
  readonly time?: number;
  readonly done: (grant: Grant) => void;
  /** Called with a sentence where it ended without a token. */
  readonly failed: (text: string) => void;
}

export interface SignIn extends SignInStarted {
  /** Ends it without a word. */
  cancel(): void;
}

/** Listens for one callback and says which address the system's browser is to open. */
export async function startSignIn(options: SignInOptions): Promise<SignIn> {
  const { parts, audience, time = signInTime } = options;
  const { authorization } = parts.endpoints;
  if (authorization === undefined) throw new AccessFault('The connection has no authorization endpoint.');
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
    options.failed('The sign-in was not finished in time. Start it again.');
  }, time);
  timer.unref();
  server.on('request', (request, response) => {
    const expected = request.headers.host === `127.0.0.1:${port}`;
    const address = new URL(secrets.redirect);
    const [path, query = ''] = (request.url ?? '').split('?');
    if (request.method !== 'GET' || !expected || path !== callbackPath) {
      send(response, 404, signInPage('Nothing is here', 'This address waits for the end of a sign-in.'));
      return;
    }
    address.search = query;
    void finish(options, secrets, address).then((ended) => {
      if (ended === 'foreign') {
        send(
          response,
          400,
          signInPage('Not this sign-in', 'The answer belongs to no sign-in that was begun here.'),
        );
        return;
      }
      end();
      if (ended === 'signed-in') {
        send(response, 200, signInPage('Signed in', 'Close this page and go on in Chartkeeper.'));
      } else send(response, 400, signInPage('Not signed in', ended.fault));
    });
  });
  const address = await authorizationAddress(authorization, parts, audience, secrets);
  return { address, ends: new Date(Date.now() + time).toISOString(), cancel: end };
}

/** A code is taken once: a second callback while the first is under way is foreign. */
const taken = new WeakSet<SignInSecrets>();

async function finish(
  { parts, done, failed }: SignInOptions,
  secrets: SignInSecrets,
  address: URL,
): Promise<'signed-in' | 'foreign' | { readonly fault: string }> {
  try {
    const callback = taken.has(secrets) ? undefined : readCallback(parts, address, secrets.state);
    if (!callback) return 'foreign';
    taken.add(secrets);
    done(await codeGrant(parts, callback, secrets));
    return 'signed-in';
  } catch (error) {
    const fault =
      error instanceof ConnectionFault ? error.message : 'The sign-in could not be finished. Start it again.';
    failed(fault);
    return { fault };
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

/** What the browser shows at the end of a sign-in: no script, nothing loaded, nothing quoted from the request. */
export function signInPage(title: string, text: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title} - Chartkeeper</title>${head}</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
