/** Worker of `identifyBody`. A worker starts from its own entry file. */
import { identify, type ExpectedIdentity } from '../../core/api/identity.ts';
import { serveRequests } from '../threads/serve-requests.ts';

const handlers = {
  identify: (bytes: Uint8Array, expected: ExpectedIdentity | undefined) =>
    identify(new TextDecoder().decode(bytes), expected),
};

export type IdentityHandlers = typeof handlers;

serveRequests(handlers);
