import { randomBytes } from 'node:crypto';
import type { Session } from 'electron';
import { isOwnUrl } from './navigation.ts';

/** State of the server process that decides about the header. */
export interface ServerAddress {
  /** Returns the origin since the server was first ready. It stays known during a restart. */
  readonly origin: () => string | undefined;
  /** Returns true while the process listens. */
  readonly isRunning: () => boolean;
}

/** Returns a new token: 256 random bits as base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the headers of a request of the window. For the origin of the running server they contain `Bearer
 * <token>`; for every other address the shell's Authorization header is removed.
 */
export function authorize(
  request: { readonly url: string; readonly requestHeaders: Readonly<Record<string, string>> },
  server: ServerAddress,
  token: string,
) {
  const credential = `Bearer ${token}`;
  if (!isOwnUrl(request.url, server.origin())) {
    // A redirect may carry the header that was added for the request before it.
    const otherHeaders = Object.entries(request.requestHeaders).filter(([, value]) => value !== credential);
    return { requestHeaders: Object.fromEntries(otherHeaders) };
  }
  // While the server is down, any local process may take its port: send it neither the token nor a record.
  if (!server.isRunning()) return { cancel: true };
  const remainingHeaders = Object.entries(request.requestHeaders).filter(
    ([name]) => name.toLowerCase() !== 'authorization',
  );
  return { requestHeaders: { ...Object.fromEntries(remainingHeaders), Authorization: credential } };
}

/** Authorizes the requests of `session` by {@link authorize}. */
export function setupAuthorization(session: Session, server: ServerAddress, token: string): void {
  session.webRequest.onBeforeSendHeaders((details, callback) => {
    callback(authorize(details, server, token));
  });
}
