/** The system's proxy, as the desktop shell reads its settings; where there is no shell, the environment's. */
import type { ProxyAnswer, ProxyQuestion } from '../../core/app/server-messages.ts';
import { environmentProxy, readableProxy, type ProxyChoice } from './proxy.ts';
import { questions } from './questions.ts';
import { RemoteFault } from './remote-fault.ts';

/** Milliseconds that an answer holds: networks change, and each origin is asked for once a request. */
const fresh = 30_000;

/** Milliseconds: a script may have to be found and loaded first. */
const patience = 30_000;

/** Asks with `ask`; each answer comes by `answered`. */
export function systemProxy(ask: (question: ProxyQuestion) => void) {
  const { put, answered } = questions<ProxyAnswer>(patience);
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
 * @throws RemoteFault of step `proxy` where there is none.
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
  throw new RemoteFault(
    'unreachable',
    `The system leads to ${host} through a proxy that cannot be used here (${named.join(', ')}). Name one that speaks HTTP in the connection, or none.`,
    false,
    'proxy',
    false,
  );
}
