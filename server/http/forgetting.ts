import type { DefaultProxy } from '../../core/app/connections.ts';
import { isSameProxy, secretKinds, throughDefaultProxy } from '../../core/app/secret-places.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { defaultProxyKey } from '../gateway/proxy.ts';
import { secretKey, SecretStoreError } from '../gateway/secrets.ts';
import type { RemoteJudge } from '../remote/remote-judge.ts';
import type { ConnectionStore } from '../workspace/connections.ts';

interface ForgettingParts {
  readonly gateway: Pick<Gateway, 'secrets' | 'signOut'>;
  readonly remote: Pick<RemoteJudge, 'forget'>;
  readonly connections: Pick<ConnectionStore, 'list'>;
  /** The proxy of connections that name none. */
  readonly proxy: () => DefaultProxy;
}

/** What is kept for a place that requests no longer go to, and goes with it. */
export function forgetting({ gateway: { secrets, signOut }, remote, connections, proxy }: ForgettingParts) {
  return {
    /** Of a connection: its tokens, its secrets, and the worklist of its server. */
    async connection(id: string): Promise<void> {
      signOut(id);
      for (const kind of secretKinds) await kept(secrets.delete(secretKey(id, kind)));
      await remote.forget(id);
    },
    /**
     * Before `next` becomes the proxy of connections that name none: the password of another one, and the secrets
     * that were given for requests through that one.
     */
    async proxyBefore(next: DefaultProxy): Promise<void> {
      if (isSameProxy(next, proxy())) return;
      signOut();
      await kept(secrets.delete(defaultProxyKey(proxy())));
      for (const { id } of throughDefaultProxy(await connections.list())) {
        await kept(secrets.delete(secretKey(id, 'secret')));
      }
    },
  };
}

export type Forgetting = ReturnType<typeof forgetting>;

/** A change of secrets, whose fault is told as it is. */
export async function kept(change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (error instanceof SecretStoreError) throw new FhirError('exception', { text: error.message });
    throw error;
  }
}
