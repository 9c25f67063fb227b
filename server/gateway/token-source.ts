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

/** Milliseconds before its end that a token is renewed; at most half of its life. */
const lead = 60_000;

/** Hands out the token of one connection; tokens are in memory only. */
export function createTokenSource(
  { id, baseUrl, authentication }: Connection,
  secrets: Pick<SecretStore, 'get'>,
  wire: HttpTransport,
  time: number,
) {
  let held: Grant | undefined;
  let running: Promise<Grant> | undefined;
  let fault: Message | undefined;
  let generation = 0;

  const drop = () => {
    generation += 1;
    held = undefined;
    running = undefined;
    fault = undefined;
  };

  const isFresh = ({ ends, lifetime = 0 }: Grant) =>
    ends === undefined || Date.now() < ends - Math.min(lead, lifetime / 2);

  async function obtain(former: Grant | undefined): Promise<Grant> {
    const secret = await secrets.get(id);
    if (authentication.kind === 'none') throw new TypeError('Without authentication there is no token');
    if (authentication.kind === 'bearer') {
      if (secret === undefined) throw new AccessError(messages.noToken());
      return { token: secret };
    }
    if (authentication.kind === 'authorization-code') {
      if (former?.refresh === undefined) throw new AccessError(messages.noSignIn());
      return refreshGrant(await partsOf(secret), former.refresh);
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

  /** One request for a token at a time: who comes meanwhile gets the same. */
  function fetchToken(): Promise<Grant> {
    if (running) return running;
    const born = generation;
    const asked = obtain(held).then(
      (grant) => {
        if (born === generation) [held, fault] = [grant, undefined];
        return grant;
      },
      (error: unknown) => {
        if (born === generation) {
          if (error instanceof AccessError) held = undefined;
          if (error instanceof ConnectionError) fault = error.sentence;
        }
        throw error;
      },
    );
    const settled = () => {
      if (running === asked) running = undefined;
    };
    running = asked;
    asked.then(settled, settled);
    return asked;
  }

  return {
    /**
     * The token to send now, renewed before it ends; undefined where none is needed.
     *
     * @throws AccessError, RemoteError
     */
    async token(): Promise<string | undefined> {
      if (authentication.kind === 'none') return undefined;
      if (held && isFresh(held)) return held.token;
      return (await fetchToken()).token;
    },
    /** Another token in place of a refused one; undefined where there can be none. */
    async renew(refused: string | undefined): Promise<string | undefined> {
      if (authentication.kind === 'none' || authentication.kind === 'bearer') return undefined;
      // Another request may have renewed it already.
      if (held && held.token !== refused) return held.token;
      if (authentication.kind === 'authorization-code' && held?.refresh === undefined) return undefined;
      return (await fetchToken()).token;
    },
    /** Takes the token of a sign-in. */
    accept(grant: Grant): void {
      drop();
      held = grant;
    },
    /** Notes how the server took the token: a sentence where it refused it for good. */
    taken(refusal?: Message): void {
      if (refusal !== undefined) held = undefined;
      fault = refusal;
    },
    /** Forgets tokens; what is under way is not kept. */
    drop,
    async state(): Promise<{ readonly access: AccessState; readonly fault?: Message | undefined }> {
      const secretSet = (await secrets.get(id)) !== undefined;
      switch (authentication.kind) {
        case 'none':
          return { access: 'open' };
        case 'authorization-code':
          return { access: held ? 'ready' : 'needs-sign-in', fault };
        case 'bearer':
        case 'client-credentials':
        case 'smart-backend':
          return { access: secretSet ? 'ready' : 'needs-secret', fault };
      }
    },
  };
}
