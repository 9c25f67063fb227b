/**
 * Connects the page to remote servers. Owns secrets, certificates, mode and limits; no token reaches the
 * page. Independent of HTTP: server/http/gateway-routes.ts calls it.
 */
import type { Route } from '../../core/api/contract.ts';
import type { ExpectedIdentity } from '../../core/api/identity.ts';
import {
  unconfirmedHeader,
  type AccessState,
  type Connection,
  type ConnectionTest,
  type SignInStarted,
} from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { toPageResponse, type PageResponse } from './page-response.ts';
import { findEndpoints } from './endpoints.ts';
import type { Proxies } from './proxy.ts';
import { probe } from './probe.ts';
import { RemoteError, ConnectionError } from './remote-error.ts';
import { createRemote, type Remote, type TransferRequest } from './remote.ts';
import type { SecretStore } from './secrets.ts';
import { startSignIn, type SignIn } from './sign-in.ts';
import type { TransportResponse } from './http-transport.ts';
import { isWrite } from './target.ts';

const messages = defineMessages('gateway', {
  noSignIn: 'This connection uses another authentication method, not sign-in.',
  unconfirmed:
    '{fault} It is not known whether the change was saved. Load the record again before you retry.',
});

interface Forward {
  readonly url: URL;
  /** Absent for a further page. */
  readonly route?: Route;
  /** Expected identity of the response; absent if it is about no record. */
  readonly expected?: ExpectedIdentity | undefined;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly disconnected: AbortSignal;
}

interface Transfer extends Omit<TransferRequest, 'signal' | 'onPeer'> {
  readonly disconnected: AbortSignal;
}

interface AccessSummary {
  readonly access: AccessState;
  readonly accessFault?: string;
  readonly accessMessage?: Message;
}

interface RemoteAccess {
  readonly key: string;
  readonly remote: Promise<Remote>;
  signIn?: SignIn;
  signInFault?: Message;
}

export interface GatewayOptions {
  readonly secrets: SecretStore;
  readonly proxies: Proxies;
  /** Base URL of this server. */
  readonly base: () => string;
}

export type Gateway = ReturnType<typeof createGateway>;

export function createGateway({ secrets, proxies, base }: GatewayOptions) {
  const accessById = new Map<string, RemoteAccess>();

  /** Serializes the settings that determine how the server is reached. */
  function keyOf(connection: Connection): string {
    const { baseUrl, authentication, caFile, clientCertificate, proxy, timeoutSeconds } = connection;
    const settings = [baseUrl, authentication, caFile, clientCertificate, proxy, timeoutSeconds];
    return JSON.stringify([settings, proxies.getDefaultProxy()]);
  }

  /**
   * Returns the cached access of a connection. It is valid while address, authentication and authorities
   * stay the same.
   */
  function reach(connection: Connection): RemoteAccess {
    const { id } = connection;
    const key = keyOf(connection);
    const cachedAccess = accessById.get(id);
    if (cachedAccess?.key === key) return cachedAccess;
    if (cachedAccess) forget(id, cachedAccess);
    const newAccess: RemoteAccess = { key, remote: createRemote(connection, secrets, proxies) };
    // A file of authorities that cannot be read is looked at again by the next request.
    newAccess.remote.catch(() => {
      if (accessById.get(id) === newAccess) accessById.delete(id);
    });
    accessById.set(id, newAccess);
    return newAccess;
  }

  function forget(id: string, { remote, signIn }: RemoteAccess): void {
    accessById.delete(id);
    signIn?.cancel();
    // Open connections close by themselves, so that a pending write can finish.
    remote.then(
      ({ tokens }) => tokens.drop(),
      () => undefined,
    );
  }

  async function ask(connection: Connection, request: Forward): Promise<PageResponse> {
    const write = writes(request);
    const limit = AbortSignal.timeout(connection.timeoutSeconds * 1000);
    // A write goes on when the page has gone: cut off, it might be done or not.
    const signal = write ? limit : AbortSignal.any([limit, request.disconnected]);
    const response = await (await reach(connection).remote).ask({ ...request, signal });
    const { method, expected } = request;
    return toPageResponse(response, {
      connection,
      url: response.url,
      method,
      write,
      expected,
      base: base(),
    });
  }

  return {
    secrets,
    /**
     * Returns the response with unmapped errors, for requests of the server itself.
     *
     * @throws AccessError, KeyFileError, RemoteError
     */
    ask,
    /**
     * Sends one request that is not about a record, and returns the response as it came. A response in parts must only go on,
     * however long it takes as a whole.
     *
     * @throws AccessError, KeyFileError, RemoteError, and what `receive` throws.
     */
    async transfer(
      connection: Connection,
      { disconnected, receive, ...request }: Transfer,
    ): Promise<TransportResponse> {
      const limit = createIdleLimit(connection.timeoutSeconds * 1000);
      const signal = AbortSignal.any([limit.signal, disconnected]);
      const remote = await reach(connection).remote;
      try {
        return await remote.transfer({
          ...request,
          signal,
          ...(receive && { receive: (chunks) => receive(limit.watch(chunks)) }),
        });
      } finally {
        limit.end();
      }
    },
    /** @throws FhirError */
    async forward(connection: Connection, request: Forward): Promise<PageResponse> {
      try {
        return await ask(connection, request);
      } catch (error) {
        throw toFhirError(error, writes(request));
      }
    },
    /** Tests a connection. `givenSecrets` holds the secrets of settings that are not stored yet. */
    async test(connection: Connection, givenSecrets?: Pick<SecretStore, 'get'>): Promise<ConnectionTest> {
      // A signed-in session exists only in the cached access. Changed settings must not replace it.
      const knownAccess = accessById.get(connection.id);
      if (givenSecrets === undefined && knownAccess?.key === keyOf(connection))
        return probe(connection, () => knownAccess.remote);
      const remote = createRemote(connection, givenSecrets ?? secrets, proxies);
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
        throw new FhirError('not-offered', messages.noSignIn());
      }
      const time = timeoutSeconds * 1000;
      const remoteAccess = reach(connection);
      try {
        const { wire, tokens } = await remoteAccess.remote;
        const endpoints = await findEndpoints(baseUrl, authentication, wire, AbortSignal.timeout(time));
        const secret = await secrets.get(id);
        remoteAccess.signIn?.cancel();
        delete remoteAccess.signInFault;
        const startedSignIn = await startSignIn({
          dependencies: { endpoints, authentication, secret, wire, time },
          audience: baseUrl,
          done(grant) {
            tokens.accept(grant);
            delete remoteAccess.signIn;
          },
          onFailed(message) {
            remoteAccess.signInFault = message;
            delete remoteAccess.signIn;
          },
        });
        remoteAccess.signIn = startedSignIn;
        return { address: startedSignIn.address, ends: startedSignIn.ends };
      } catch (error) {
        throw toFhirError(error, false);
      }
    },
    async access(connection: Connection): Promise<AccessSummary> {
      const remoteAccess = reach(connection);
      try {
        const { access, fault: message } = await (await remoteAccess.remote).tokens.state();
        if (remoteAccess.signIn) return { access: 'signing-in' };
        return accessSummary(access, remoteAccess.signInFault ?? message);
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        const access = connection.authentication.kind === 'none' ? 'open' : 'needs-secret';
        return accessSummary(access, error.sentence);
      }
    },
    /** Forgets tokens and sign-ins of a connection, or of all. */
    signOut(id?: string): void {
      for (const [connectionId, remoteAccess] of accessById)
        if (id === undefined || connectionId === id) forget(connectionId, remoteAccess);
    },
    close(): void {
      for (const [id, remoteAccess] of accessById) {
        forget(id, remoteAccess);
        closeWire(remoteAccess.remote);
      }
    },
  };
}

/** Limits the time in which nothing arrives. */
function createIdleLimit(milliseconds: number) {
  const control = new AbortController();
  const timer = setTimeout(
    () => control.abort(new DOMException('Nothing arrived', 'TimeoutError')),
    milliseconds,
  ).unref();
  return {
    signal: control.signal,
    async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        timer.refresh();
        yield chunk;
      }
    },
    end: () => clearTimeout(timer),
  };
}

function closeWire(remote: Promise<Remote>): void {
  remote.then(
    (openRemote) => openRemote.close(),
    () => undefined,
  );
}

function writes({ route }: Forward): boolean {
  return route !== undefined && isWrite(route);
}

function accessSummary(access: AccessState, message: Message | undefined): AccessSummary {
  return message === undefined ? { access } : { access, accessFault: message.text, accessMessage: message };
}

function toFhirError(error: unknown, write: boolean): unknown {
  if (!(error instanceof ConnectionError)) return error;
  const unsure = write && error instanceof RemoteError && error.sent;
  if (!unsure) return new FhirError(error.kind, error.sentence);
  const message = messages.unconfirmed({ fault: error.message });
  return new FhirError(error.kind, message, { [unconfirmedHeader]: 'true' });
}
