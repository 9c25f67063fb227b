import { defineMessages, type Message } from '../../core/text/message.ts';
import { ConnectionError } from './remote-error.ts';

/** No token could be obtained, the server rejected it, or the signing key is unusable. */
export class AccessError extends ConnectionError {
  override readonly name = 'AccessError';
  readonly kind = 'login';
  readonly step = 'authentication';
}

const messages = defineMessages('gateway.access', {
  invalidClient: 'The server rejected the client ID or secret. Check both in the connection.',
  unauthorizedClient:
    'The server doesn’t allow this client to get tokens this way. Ask whoever registered it.',
  invalidScope: 'The server rejected the scopes. Change them in the connection.',
  invalidGrant: 'Your sign-in has expired. Sign in again.',
  accessDenied: 'Sign-in refused. Sign in again, or ask for access.',
  refused: 'The server issued no token: {code}. Check the connection.',
  refusedWithoutCode: 'The server issued no token: unknown error. Check the connection.',
});

const byCode: Readonly<Record<string, () => Message>> = {
  invalid_client: messages.invalidClient,
  unauthorized_client: messages.unauthorizedClient,
  invalid_scope: messages.invalidScope,
  invalid_grant: messages.invalidGrant,
  access_denied: messages.accessDenied,
};

/**
 * Maps an OAuth 2.0 error code to a message. Omits the server's description, which could quote anything.
 */
export function toRejection(code: string): AccessError {
  const knownMessage = Object.hasOwn(byCode, code) ? byCode[code]?.() : undefined;
  const isPlain = /^[a-z_]{1,40}$/.test(code);
  return new AccessError(
    knownMessage ?? (isPlain ? messages.refused({ code }) : messages.refusedWithoutCode()),
  );
}
