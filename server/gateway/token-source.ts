import type { AccessState, Connection } from '../../core/app/connections.ts';
import { AccessFault } from './access-fault.ts';
import { findEndpoints } from './endpoints.ts';
import { clientGrant, refreshGrant, type Grant, type GrantParts } from './oauth-client.ts';
import type { SecretStore } from './secrets.ts';
import type { Wire } from './wire.ts';
import { ConnectionFault } from './remote-fault.ts';

/** Milliseconds before its end that a token is renewed; at most half of its life. */
const lead = 60_000;

/** Hands out the token of one connection; tokens are in memory only. */
export function createTokenSource(
  { id, baseUrl, authentication }: Connection,
  secrets: Pick<SecretStore, 'get'>,
  wire: Wire,
  time: number,
) {
  let held: Grant | undefined;
  let running: Promise<Grant> | undefined;
  let fault: string | undefined;
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
      if (secret === undefined) throw new AccessFault('Enter the access token of this connection.');
      return { token: secret };
    }
    if (authentication.kind === 'authorization-code') {
      if (former?.refresh === undefined) throw new AccessFault('Sign in to this connection.');
      return refreshGrant(await partsOf(secret), former.refresh);
    }
    if (secret === undefined) {
      const name = authentication.kind === 'smart-backend' ? 'private key' : 'client secret';
      throw new AccessFault(`Enter the ${name} of this connection.`);
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
          if (error instanceof AccessFault) held = undefined;
          if (error instanceof ConnectionFault) fault = error.message;
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
     * @throws AccessFault, RemoteFault
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
    taken(refusal?: string): void {
      if (refusal !== undefined) held = undefined;
      fault = refusal;
    },
    /** Forgets tokens; what is under way is not kept. */
    drop,
    async state(): Promise<{ readonly access: AccessState; readonly accessFault?: string }> {
      const secretSet = (await secrets.get(id)) !== undefined;
      const accessFault = fault === undefined ? {} : { accessFault: fault };
      switch (authentication.kind) {
        case 'none':
          return { access: 'open' };
        case 'authorization-code':
          return { access: held ? 'ready' : 'needs-sign-in', ...accessFault };
        case 'bearer':
        case 'client-credentials':
        case 'smart-backend':
          return { access: secretSet ? 'ready' : 'needs-secret', ...accessFault };
      }
    },
  };
}
