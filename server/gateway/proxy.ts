/** Which proxy the requests of a connection go through. */
import { createHash } from 'node:crypto';
import type { Connection, DefaultProxy, Proxy } from '../../core/app/connections.ts';
import { secretKey, type SecretStore } from './secrets.ts';

/** Proxy settings outside of connections. */
export interface Proxies {
  /** Default proxy, for connections that name none. */
  readonly getDefaultProxy: () => DefaultProxy;
  readonly system: ProxyChoice;
}

/** In the place of a connection's id: the default proxy. */
export const defaultId = 'default';

/**
 * Returns the key of the default proxy's password. The key depends on the proxy, so that a proxy changed on
 * the command line never receives the password of another one.
 */
export function defaultProxyKey(proxy: DefaultProxy): string {
  const identity = proxy.kind === 'address' ? [proxy.url, proxy.user] : [proxy.kind];
  const mark = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
  return `${secretKey(defaultId, 'proxy')}:${mark}`;
}

/**
 * Finds the proxy for an https address: a URL with user and password as {@link TunnelAgent} expects it;
 * undefined for a direct connection.
 */
export type ProxyChoice = (url: URL) => Promise<string | undefined>;

/**
 * Returns the proxy choice of a connection. Each address is decided separately, because a token endpoint
 * may be elsewhere.
 */
export async function proxyChoice(
  { id, proxy }: Pick<Connection, 'id' | 'proxy'>,
  proxies: Proxies,
  secrets: Pick<SecretStore, 'get'>,
): Promise<ProxyChoice> {
  const isDefault = proxy.kind === 'default';
  const effectiveProxy: Exclude<Proxy, { kind: 'default' }> = isDefault ? proxies.getDefaultProxy() : proxy;
  if (effectiveProxy.kind === 'system') return proxies.system;
  if (effectiveProxy.kind === 'none') return () => Promise.resolve(undefined);
  const address = new URL(effectiveProxy.url);
  address.username = encodeURIComponent(effectiveProxy.user ?? '');
  if (effectiveProxy.user !== undefined) {
    const password = await secrets.get(isDefault ? defaultProxyKey(effectiveProxy) : secretKey(id, 'proxy'));
    address.password = encodeURIComponent(password ?? '');
  }
  return () => Promise.resolve(address.href);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that the environment names for an address (HTTPS_PROXY, NO_PROXY, in either case). */
export function environmentProxy(url: URL, environment: Environment = process.env): string | undefined {
  const valueOf = (name: string) => environment[name.toLowerCase()] ?? environment[name];
  const proxy = readableProxy(valueOf('HTTPS_PROXY') ?? '');
  if (proxy === undefined) return undefined;
  const spared = (valueOf('NO_PROXY') ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return spared.some((entry) => isSpared(url, entry.toLowerCase())) ? undefined : proxy;
}

/**
 * Returns a proxy address as {@link TunnelAgent} expects it. The scheme may be missing. Undefined if the
 * address is invalid.
 */
export function readableProxy(address: string): string | undefined {
  const text = address.includes('://') ? address : `http://${address}`;
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
  } catch {
    return undefined;
  }
  return ['http:', 'https:'].includes(protocol) ? text : undefined;
}

/** `*`, a host, a domain with all below it, each with a port or for all. */
function isSpared({ hostname, port }: URL, entry: string): boolean {
  const [, name = '', entryPort] = /^(.*?)(?::([0-9]+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== (port === '' ? '443' : port)) return false;
  const domain = name.replace(/^\*?\./, '');
  return name === '*' || hostname === domain || hostname.endsWith(`.${domain}`);
}
