import type { AccessState, Connection } from '../../core/app/connections.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { AccessError } from './access-error.ts';
import { findEndpoints } from './endpoints.ts';
import { clientGrant, refreshGrant, type Grant, type GrantParts } from './oauth-client.ts';
import type { SecretStore } from './secrets.ts';
import type { HttpTransport } from './http-transport.ts';
import { ConnectionError } from './remote-error.ts';

const messages = defineMessages('gateway.token', {
  noToken: 'Enter this connection’s access token.',
  noSignIn: 'Sign in to this connection.',
  noPrivateKey: 'Enter this connection’s private key.',
  noClientSecret: 'Enter this connection’s client secret.',
});

/** Milliseconds before expiry at which a token is renewed; at most half of its lifetime. */
const lead = 60_000;

/** Provides the token of one connection. Tokens exist only in memory. */
export function createTokenSource(
  { id, baseUrl, authentication }: Connection,
  secrets: Pick<SecretStore, 'get'>,
  wire: HttpTransport,
  time: number,
) {
  let cachedGrant: Grant | undefined;
  let running: Promise<Grant> | undefined;
  let lastFault: Message | undefined;
  let generation = 0;

  const drop = () => {
    generation += 1;
    cachedGrant = undefined;
    running = undefined;
    lastFault = undefined;
  };

  const isFresh = ({ endsAtMs, lifetime = 0 }: Grant) =>
    endsAtMs === undefined || Date.now() < endsAtMs - Math.min(lead, lifetime / 2);

  async function obtain(previousGrant: Grant | undefined): Promise<Grant> {
    const secret = await secrets.get(id);
    if (authentication.kind === 'none') throw new TypeError('Without authentication there is no token');
    if (authentication.kind === 'bearer') {
      if (secret === undefined) throw new AccessError(messages.noToken());
      return { token: secret };
    }
    if (authentication.kind === 'authorization-code') {
      if (previousGrant?.refresh === undefined) throw new AccessError(messages.noSignIn());
      return refreshGrant(await partsOf(secret), previousGrant.refresh);
    }
    if (secret === undefined) {
      const isKey = authentication.kind === 'smart-backend';
      throw new AccessError(isKey ? messages.noPrivateKey() : messages.noClientSecret());
    }
    return clientGrant({ ...(await partsOf(secret)), authentication });
  }

  async function partsOf(secret: string | undefined): Promise<GrantParts> {
    if (authentication.kind === 'none' || authentication.kind === 'bearer') throw new TypeError('No grant');
    const endpoints = await findEndpoints(baseUrl, authentication, wire, AbortSignal.timeout(time));
    return { endpoints, authentication, secret, wire, time };
  }

  /** Sends one token request at a time. Concurrent callers share it. */
  function fetchToken(): Promise<Grant> {
    if (running) return running;
    const born = generation;
    const pendingGrant = obtain(cachedGrant).then(
      (grant) => {
        if (born === generation) [cachedGrant, lastFault] = [grant, undefined];
        return grant;
      },
      (error: unknown) => {
        if (born === generation) {
          if (error instanceof AccessError) cachedGrant = undefined;
          if (error instanceof ConnectionError) lastFault = error.sentence;
        }
        throw error;
      },
    );
    const handleSettled = () => {
      if (running === pendingGrant) running = undefined;
    };
    running = pendingGrant;
    pendingGrant.then(handleSettled, handleSettled);
    return pendingGrant;
  }

  return {
    /**
     * Returns the token to send, renewed before expiry; undefined if none is needed.
     *
     * @throws AccessError, RemoteError
     */
    async token(): Promise<string | undefined> {
      if (authentication.kind === 'none') return undefined;
      if (cachedGrant && isFresh(cachedGrant)) return cachedGrant.token;
      return (await fetchToken()).token;
    },
    /** Returns a replacement for a rejected token; undefined if there can be none. */
    async renew(rejectedToken: string | undefined): Promise<string | undefined> {
      if (authentication.kind === 'none' || authentication.kind === 'bearer') return undefined;
      // Another request may have renewed it already.
      if (cachedGrant && cachedGrant.token !== rejectedToken) return cachedGrant.token;
      if (authentication.kind === 'authorization-code' && cachedGrant?.refresh === undefined)
        return undefined;
      return (await fetchToken()).token;
    },
    /** Stores the token of a sign-in. */
    accept(grant: Grant): void {
      drop();
      cachedGrant = grant;
    },
    /** Records whether the server accepted the token; a message means a final rejection. */
    noteUse(refusal?: Message): void {
      if (refusal !== undefined) cachedGrant = undefined;
      lastFault = refusal;
    },
    /** Drops all tokens. A pending response is not stored. */
    drop,
    async state(): Promise<{ readonly access: AccessState; readonly fault?: Message | undefined }> {
      const secretSet = (await secrets.get(id)) !== undefined;
      switch (authentication.kind) {
        case 'none':
          return { access: 'open' };
        case 'authorization-code':
          return { access: cachedGrant ? 'ready' : 'needs-sign-in', fault: lastFault };
        case 'bearer':
        case 'client-credentials':
        case 'smart-backend':
          return { access: secretSet ? 'ready' : 'needs-secret', fault: lastFault };
      }
    },
  };
}
