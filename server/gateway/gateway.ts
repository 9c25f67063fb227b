/**
 * server/gateway reaches remote servers for the page: secrets, certificates, mode and limits are held here, and no
 * token ever leaves towards the page. It knows nothing of Express; server/http/gateway-routes.ts calls it.
 */
import type { Route } from '../../core/api/contract.ts';
import type { Asked } from '../../core/api/identity.ts';
import {
  unconfirmedHeader,
  type AccessState,
  type Connection,
  type ConnectionTest,
  type SignInStarted,
} from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { pageAnswer, type PageAnswer } from './answer.ts';
import { findEndpoints } from './endpoints.ts';
import type { Proxies } from './proxy.ts';
import { probe } from './probe.ts';
import { RemoteFault, ConnectionFault } from './remote-fault.ts';
import { createRemote, type Remote } from './remote.ts';
import type { SecretStore } from './secrets.ts';
import { startSignIn, type SignIn } from './sign-in.ts';
import { isWrite } from './target.ts';

interface Forward {
  readonly url: URL;
  /** Absent for a further page. */
  readonly route?: Route;
  /** What the answer must be about; absent where it is about no record. */
  readonly asked?: Asked | undefined;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Aborted where the page goes away. */
  readonly gone: AbortSignal;
}

interface AccessSummary {
  readonly access: AccessState;
  readonly accessFault?: string;
}

interface Reached {
  readonly key: string;
  readonly remote: Promise<Remote>;
  signIn?: SignIn;
  signInFault?: string;
}

export interface GatewayOptions {
  readonly secrets: SecretStore;
  readonly proxies: Proxies;
  /** Base URL of this server. */
  readonly base: () => string;
}

export type Gateway = ReturnType<typeof createGateway>;

export function createGateway({ secrets, proxies, base }: GatewayOptions) {
  const all = new Map<string, Reached>();

  /** What the way to a server is made of. */
  function keyOf(connection: Connection): string {
    const { baseUrl, authentication, caFile, clientCertificate, proxy, timeoutSeconds } = connection;
    const way = [baseUrl, authentication, caFile, clientCertificate, proxy, timeoutSeconds];
    return JSON.stringify([way, proxies.chosen()]);
  }

  /** What is known of a connection as long as its address, authentication and authorities stay. */
  function reach(connection: Connection): Reached {
    const { id } = connection;
    const key = keyOf(connection);
    const found = all.get(id);
    if (found?.key === key) return found;
    if (found) forget(id, found);
    const made: Reached = { key, remote: createRemote(connection, secrets, proxies) };
    // A file of authorities that cannot be read is looked at again by the next request.
    made.remote.catch(() => {
      if (all.get(id) === made) all.delete(id);
    });
    all.set(id, made);
    return made;
  }

  function forget(id: string, { remote, signIn }: Reached): void {
    all.delete(id);
    signIn?.cancel();
    // Its connections are left to end by themselves: a write under way goes on.
    remote.then(
      ({ tokens }) => tokens.drop(),
      () => undefined,
    );
  }

  async function ask(connection: Connection, request: Forward): Promise<PageAnswer> {
    const write = writes(request);
    const limit = AbortSignal.timeout(connection.timeoutSeconds * 1000);
    // A write goes on when the page has gone: cut off, it might be done or not.
    const signal = write ? limit : AbortSignal.any([limit, request.gone]);
    const answer = await (await reach(connection).remote).ask({ ...request, signal });
    const { method, asked } = request;
    return pageAnswer(answer, { connection, url: answer.url, method, write, asked, base: base() });
  }

  return {
    secrets,
    /** The answer with the faults as they are, for the server's own reading. @throws AccessFault, KeyFileError, RemoteFault */
    ask,
    /** @throws FhirError */
    async forward(connection: Connection, request: Forward): Promise<PageAnswer> {
      try {
        return await ask(connection, request);
      } catch (error) {
        throw toFhirError(error, writes(request));
      }
    },
    /** Tries a connection; `given` are the secrets that it has, where it is not as it is stored. */
    async test(connection: Connection, given?: Pick<SecretStore, 'get'>): Promise<ConnectionTest> {
      // Whoever signed in is signed in here alone; a way that differs must not take its place.
      const known = all.get(connection.id);
      if (given === undefined && known?.key === keyOf(connection))
        return probe(connection, () => known.remote);
      const remote = createRemote(connection, given ?? secrets, proxies);
      try {
        return await probe(connection, () => remote);
      } finally {
        closeWire(remote);
      }
    },
    /** @throws FhirError */
    async signIn(connection: Connection): Promise<SignInStarted> {
      const { id, authentication, baseUrl, timeoutSeconds } = connection;
      if (authentication.kind !== 'authorization-code') {
        throw new FhirError('not-offered', {
          text: 'This connection has no sign-in; it has another authentication.',
        });
      }
      const time = timeoutSeconds * 1000;
      const reached = reach(connection);
      try {
        const { wire, tokens } = await reached.remote;
        const endpoints = await findEndpoints(baseUrl, authentication, wire, AbortSignal.timeout(time));
        const secret = await secrets.get(id);
        reached.signIn?.cancel();
        delete reached.signInFault;
        const started = await startSignIn({
          parts: { endpoints, authentication, secret, wire, time },
          audience: baseUrl,
          done(grant) {
            tokens.accept(grant);
            delete reached.signIn;
          },
          failed(text) {
            reached.signInFault = text;
            delete reached.signIn;
          },
        });
        reached.signIn = started;
        return { address: started.address, ends: started.ends };
      } catch (error) {
        throw toFhirError(error, false);
      }
    },
    async access(connection: Connection): Promise<AccessSummary> {
      const reached = reach(connection);
      try {
        const state = await (await reached.remote).tokens.state();
        if (reached.signIn) return { access: 'signing-in' };
        const { signInFault } = reached;
        return signInFault === undefined ? state : { ...state, accessFault: signInFault };
      } catch (error) {
        if (!(error instanceof ConnectionFault)) throw error;
        return {
          access: connection.authentication.kind === 'none' ? 'open' : 'needs-secret',
          accessFault: error.message,
        };
      }
    },
    /** Forgets tokens and sign-ins of a connection, or of all. */
    signOut(id?: string): void {
      for (const [one, reached] of all) if (id === undefined || one === id) forget(one, reached);
    },
    close(): void {
      for (const [id, reached] of all) {
        forget(id, reached);
        closeWire(reached.remote);
      }
    },
  };
}

function closeWire(remote: Promise<Remote>): void {
  remote.then(
    ({ wire }) => wire.close(),
    () => undefined,
  );
}

function writes({ route }: Forward): boolean {
  return route !== undefined && isWrite(route);
}

const maybeDone =
  'It is not known whether the change was made: read the record again before a further attempt.';

function toFhirError(error: unknown, write: boolean): unknown {
  if (!(error instanceof ConnectionFault)) return error;
  const unsure = write && error instanceof RemoteFault && error.sent;
  return unsure ? error.toFhirError({ [unconfirmedHeader]: 'true' }, maybeDone) : error.toFhirError();
}
