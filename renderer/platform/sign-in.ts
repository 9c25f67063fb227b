import { createClient } from '../../core/api/client.ts';
import { ApiFailure } from '../../core/api/failure.ts';
import {
  codeIn,
  OpenIdProvider,
  SessionList,
  SignedIn,
  SignedOut,
  SignInCode,
} from '../../core/app/sign-in.ts';
import { matchesSchema } from '../../core/json/shape.ts';

function clientWith(token?: string) {
  return createClient({
    base: '',
    fetch: (address, init) => fetch(address, init),
    ...(token !== undefined && { token: () => token }),
  });
}

/**
 * Signs in with a link, a code or an access token with every scope, which is exchanged for a code. Rejects
 * like a client.
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
 * Returns the name of a token's session; undefined if the server rejects the token, empty if it has no
 * session. Rejects like a client.
 */
export async function nameOf(token: string): Promise<string | undefined> {
  try {
    const { sessions } = await clientWith(token).requestAs(SessionList, 'GET', '/sessions');
    return sessions.find(({ current }) => current)?.name ?? '';
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return undefined;
    throw error;
  }
}

/**
 * Ends the session of a token. Returns the address that ends the sign-in at the organization's provider, if
 * it was used.
 */
export async function signOut(token: string): Promise<string | undefined> {
  const response = await clientWith(token).app('POST', '/sign-out');
  return matchesSchema(SignedOut, response) ? response.address : undefined;
}

/**
 * Returns the address of the sign-in at the organization's provider; undefined without a provider. Rejects
 * like a client.
 */
export async function openIdAddress(): Promise<string | undefined> {
  return (await clientWith().requestAs(OpenIdProvider, 'GET', '/openid')).address;
}

function exchange(code: string): Promise<SignedIn> {
  return clientWith().requestAs(SignedIn, 'POST', '/sign-in', { code });
}

/** Returns a code for an access token; rejects with `before` if it is not an access token. */
async function codeOf(token: string, before: unknown): Promise<string> {
  try {
    return (await clientWith(token).requestAs(SignInCode, 'POST', '/sign-in-codes', {})).code;
  } catch (error) {
    throw error instanceof ApiFailure && error.status === 403 ? error : before;
  }
}

/** Returns true if the server does not know the code. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401 && error.outcome?.issue[0]?.code === 'unknown';
}
