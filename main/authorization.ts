import { randomBytes } from 'node:crypto';
import type { Session } from 'electron';
import { isOwnUrl } from './navigation.ts';

/** What the header's decision needs to know of the server process. */
export interface ServerAddress {
  /** The server's origin once it was ready, kept while it restarts. */
  readonly origin: () => string | undefined;
  /** Whether the process listens now. */
  readonly isRunning: () => boolean;
}

/** Returns a new token: 256 random bits as base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the headers to send with a request of the window: with `Bearer <token>` for the running server's own
 * origin, without any Authorization header of the shell for every other address.
 */
export function authorize(
  request: { readonly url: string; readonly requestHeaders: Readonly<Record<string, string>> },
  server: ServerAddress,
  token: string,
) {
  const credential = `Bearer ${token}`;
  if (!isOwnUrl(request.url, server.origin())) {
    // A redirect may carry the header that was added for the request before it.
    const others = Object.entries(request.requestHeaders).filter(([, value]) => value !== credential);
    return { requestHeaders: Object.fromEntries(others) };
  }
  // While the server is down, any local process may take its port: send it neither the token nor a record.
  if (!server.isRunning()) return { cancel: true };
  const others = Object.entries(request.requestHeaders).filter(
    ([name]) => name.toLowerCase() !== 'authorization',
  );
  return { requestHeaders: { ...Object.fromEntries(others), Authorization: credential } };
}

/** Adds the Authorization header to requests of `session`, as {@link authorize} decides. */
export function setupAuthorization(session: Session, server: ServerAddress, token: string): void {
  session.webRequest.onBeforeSendHeaders((details, callback) => {
    callback(authorize(details, server, token));
  });
}
