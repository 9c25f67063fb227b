import type { DefaultProxy } from '../../core/app/connections.ts';
import { secretKinds } from '../../core/app/secret-places.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { defaultProxyKey } from '../gateway/proxy.ts';
import { secretKey } from '../gateway/secrets.ts';
import type { RemoteJudge } from '../remote/remote-judge.ts';
import { kept } from './kept-secret.ts';

interface ForgettingParts {
  readonly gateway: Pick<Gateway, 'secrets' | 'signOut'>;
  readonly remote: Pick<RemoteJudge, 'forget'>;
  /** The proxy of connections that name none. */
  readonly proxy: () => DefaultProxy;
}

/** What is kept for a place that requests no longer go to, and goes with it. */
export function forgetting({ gateway: { secrets, signOut }, remote, proxy }: ForgettingParts) {
  return {
    /** Of a connection: its tokens, its secrets, and the worklist of its server. */
    async connection(id: string): Promise<void> {
      signOut(id);
      for (const kind of secretKinds) await kept(secrets.delete(secretKey(id, kind)));
      await remote.forget(id);
    },
    /** Before `next` becomes the proxy of connections that name none: the password of another one. */
    async proxyBefore(next: DefaultProxy): Promise<void> {
      if (defaultProxyKey(next) === defaultProxyKey(proxy())) return;
      signOut();
      await kept(secrets.delete(defaultProxyKey(proxy())));
    },
  };
}

export type Forgetting = ReturnType<typeof forgetting>;
