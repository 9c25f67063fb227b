/**
 * The system proxy from the settings that the desktop shell reads. Without a shell, the proxy of the
 * environment.
 */
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

/** Cache time of a response in milliseconds. Networks change, and each request asks for its origin once. */
const fresh = 30_000;

/** Milliseconds: a script may have to be found and loaded first. */
const timeoutMs = 30_000;

/** Sends prompts with `ask`; each response arrives through `answered`. */
export function systemProxy(ask: (question: ProxyRequest) => void) {
  const { sendPrompt, handleAnswer } = createPendingPrompts<ProxyResponse>(timeoutMs);
  const cachedByOrigin = new Map<
    string,
    { readonly endsAtMs: number; readonly proxy: Promise<string | undefined> }
  >();

  async function find(url: URL): Promise<string | undefined> {
    const ownProxy = environmentProxy(url);
    const { origin } = url;
    const { pac = '' } = (await sendPrompt((number) => ask({ type: 'proxy', ask: number, origin }))) ?? {};
    if (pac.trim() === '') return ownProxy;
    const proxy = proxyOfPac(pac, url);
    // Chromium omits user and password when it reads the environment.
    const isOwn =
      proxy !== undefined && ownProxy !== undefined && new URL(proxy).host === new URL(ownProxy).host;
    return isOwn ? ownProxy : proxy;
  }

  return {
    handleAnswer,
    choose: (url: URL): ReturnType<ProxyChoice> => {
      const cached = cachedByOrigin.get(url.origin);
      if (cached && Date.now() < cached.endsAtMs) return cached.proxy;
      const proxy = find(url);
      cachedByOrigin.set(url.origin, { endsAtMs: Date.now() + fresh, proxy });
      return proxy;
    },
  };
}

/** Supported schemes of a PAC script. */
const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' };

/**
 * Returns the first usable proxy of a PAC result: a URL, or undefined for a direct connection.
 *
 * @throws RemoteError of step `proxy` if no entry is usable.
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
  const namedKinds = [...new Set(kinds)].filter((kind) => kind !== '').slice(0, 3);
  const message = messages.unsupported({ host, kinds: formatList(namedKinds) });
  throw new RemoteError('unreachable', message, false, 'proxy', false);
}
