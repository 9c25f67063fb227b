/** The system's proxy, as the desktop shell reads its settings; where there is no shell, the environment's. */
import type { ProxyResponse, ProxyRequest } from '../../core/app/server-messages.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import { environmentProxy, readableProxy, type ProxyChoice } from './proxy.ts';
import { createPendingPrompts } from './pending-prompts.ts';
import { RemoteError } from './remote-error.ts';

const messages = defineMessages('gateway.systemProxy', {
  unsupported:
    'The system’s proxy for {host} can’t be used here ({kinds}). Enter an HTTP proxy in the connection, or none.',
});

/** Milliseconds that an answer holds: networks change, and each origin is asked for once a request. */
const fresh = 30_000;

/** Milliseconds: a script may have to be found and loaded first. */
const timeoutMs = 30_000;

/** Asks with `ask`; each answer comes by `answered`. */
export function systemProxy(ask: (question: ProxyRequest) => void) {
  const { put, answered } = createPendingPrompts<ProxyResponse>(timeoutMs);
  const known = new Map<string, { readonly ends: number; readonly proxy: Promise<string | undefined> }>();

  async function find(url: URL): Promise<string | undefined> {
    const own = environmentProxy(url);
    const { origin } = url;
    const { pac = '' } = (await put((number) => ask({ type: 'proxy', ask: number, origin }))) ?? {};
    if (pac.trim() === '') return own;
    const proxy = proxyOfPac(pac, url);
    // Where Chromium reads the environment itself, it leaves user and password out.
    const isOwn = proxy !== undefined && own !== undefined && new URL(proxy).host === new URL(own).host;
    return isOwn ? own : proxy;
  }

  return {
    answered,
    choose: (url: URL): ReturnType<ProxyChoice> => {
      const found = known.get(url.origin);
      if (found && Date.now() < found.ends) return found.proxy;
      const proxy = find(url);
      known.set(url.origin, { ends: Date.now() + fresh, proxy });
      return proxy;
    },
  };
}

/** The schemes of what a PAC script may name, as far as they are spoken here. */
const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' };

/**
 * The first way of a PAC script's answer that can be gone: a proxy's URL, undefined for straight.
 *
 * @throws RemoteError of step `proxy` where there is none.
 */
export function proxyOfPac(pac: string, { host }: URL): string | undefined {
  const entries = pac.split(';').map((entry) => entry.trim().split(/\s+/));
  for (const [kind = '', address = ''] of entries) {
    if (kind.toUpperCase() === 'DIRECT') return undefined;
    const scheme = schemes[kind.toUpperCase()];
    const proxy = scheme === undefined ? undefined : readableProxy(`${scheme}://${address}`);
    if (proxy !== undefined) return proxy;
  }
  const kinds = entries.map(([kind = '']) => kind.replaceAll(/\W/g, '').slice(0, 20));
  const named = [...new Set(kinds)].filter((kind) => kind !== '').slice(0, 3);
  const message = messages.unsupported({ host, kinds: formatList(named) });
  throw new RemoteError('unreachable', message, false, 'proxy', false);
}
