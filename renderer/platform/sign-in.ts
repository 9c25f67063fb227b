import { createClient } from '../../core/api/client.ts';
import { ApiFailure } from '../../core/api/failure.ts';
import { codeIn, OpenIdOffer, SessionList, SignedIn, SignedOut, SignInCode } from '../../core/app/sign-in.ts';
import { is } from '../../core/json/shape.ts';

function clientWith(token?: string) {
  return createClient({
    base: '',
    fetch: (address, init) => fetch(address, init),
    ...(token !== undefined && { token: () => token }),
  });
}

/**
 * Begins a session with what someone opened or pasted: a link, a code, or an access token with
 * every scope, which makes a code for itself and is then no longer needed here. Rejects as a client does.
 */
export async function signIn(pasted: string): Promise<SignedIn> {
  const code = codeIn(pasted);
  try {
    return await exchange(code);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    return exchange(await codeOf(code, error));
  }
}

/**
 * Returns whose session a token is of; undefined where the server takes the token no more, and empty where it is of no
 * session. Rejects as a client does.
 */
export async function nameOf(token: string): Promise<string | undefined> {
  try {
    const { sessions } = await clientWith(token).ask(SessionList, 'GET', '/sessions');
    return sessions.find(({ current }) => current)?.name ?? '';
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return undefined;
    throw error;
  }
}

/**
 * Ends the session of a token, from the server's next request on; answers where the browser ends its sign-in at the
 * organisation's provider, for who came that way.
 */
export async function signOut(token: string): Promise<string | undefined> {
  const answer = await clientWith(token).app('POST', '/sign-out');
  return is(SignedOut, answer) ? answer.address : undefined;
}

/** Where a sign-in at the organisation's provider begins; undefined where there is none. Rejects as a client does. */
export async function openIdAddress(): Promise<string | undefined> {
  return (await clientWith().ask(OpenIdOffer, 'GET', '/openid')).address;
}

function exchange(code: string): Promise<SignedIn> {
  return clientWith().ask(SignedIn, 'POST', '/sign-in', { code });
}

/** A code for an access token; rejects with `before` where it is no such token either. */
async function codeOf(token: string, before: unknown): Promise<string> {
  try {
    return (await clientWith(token).ask(SignInCode, 'POST', '/sign-in-codes', {})).code;
  } catch (error) {
    throw error instanceof ApiFailure && error.status === 403 ? error : before;
  }
}

/** Whether the server has never had such a code. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401 && error.outcome?.issue[0]?.code === 'unknown';
}
