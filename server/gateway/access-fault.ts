import { ConnectionFault } from './remote-fault.ts';

/** No token was to be had, or it was refused; or the key that asks for one is none. */
export class AccessFault extends ConnectionFault {
  override readonly name = 'AccessFault';
  readonly kind = 'login';
  readonly step = 'authentication';
}

const byCode: Readonly<Record<string, string>> = {
  invalid_client: 'The server does not accept the client id or its secret. Check both in the connection.',
  unauthorized_client:
    'The server does not let this client obtain tokens in this way. Ask who registered it.',
  invalid_scope: 'The server does not grant the scopes that are asked for. Change them in the connection.',
  invalid_grant: 'The sign-in has ended. Sign in again.',
  access_denied: 'The sign-in was refused. Sign in again, or ask for the right to.',
};

/** What an error code of OAuth 2.0 means for a steward; a description could quote anything and is left out. */
export function refusalOf(code: string): AccessFault {
  const plain = /^[a-z_]{1,40}$/.test(code) ? code : 'an unknown error';
  return new AccessFault(byCode[code] ?? `The server gives no token: ${plain}. Check the connection.`);
}
