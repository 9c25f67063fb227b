import type { DefaultProxy } from '../../core/app/connections.ts';
import { isSameProxy, secretKinds, throughDefaultProxy } from '../../core/app/secret-places.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { defaultProxyKey } from '../gateway/proxy.ts';
import { secretKey, SecretStoreError } from '../gateway/secrets.ts';
import type { ConnectionStore } from '../workspace/connections.ts';

interface CredentialCleanupDependencies {
  readonly gateway: Pick<Gateway, 'secrets' | 'signOut'>;
  /** Work of this server with the records of connections. */
  readonly works: { forget(id: string): Promise<void> };
  readonly connections: Pick<ConnectionStore, 'list'>;
  /** Default proxy of connections without a proxy of their own. */
  readonly proxy: () => DefaultProxy;
}

/** Creates the cleanup of credentials for servers and proxies that are no longer used. */
export function createCredentialCleanup({
  gateway: { secrets, signOut },
  works,
  connections,
  proxy,
}: CredentialCleanupDependencies) {
  return {
    /** Removes tokens, secrets, worklist and exports of a connection. */
    async connection(id: string): Promise<void> {
      signOut(id);
      for (const kind of secretKinds) await mapSecretErrors(secrets.delete(secretKey(id, kind)));
      await works.forget(id);
    },
    /**
     * Removes the password of the previous default proxy and the secrets that passed through it.
     *
     * @param next - Default proxy that follows.
     */
    async proxyBefore(next: DefaultProxy): Promise<void> {
      if (isSameProxy(next, proxy())) return;
      signOut();
      await mapSecretErrors(secrets.delete(defaultProxyKey(proxy())));
      for (const { id } of throughDefaultProxy(await connections.list())) {
        await mapSecretErrors(secrets.delete(secretKey(id, 'secret')));
      }
    },
  };
}

export type CredentialCleanup = ReturnType<typeof createCredentialCleanup>;

/** Awaits a change of secrets and maps its storage error to a FhirError. */
export async function mapSecretErrors(change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (error instanceof SecretStoreError) throw new FhirError('exception', error.sentence);
    throw error;
  }
}
