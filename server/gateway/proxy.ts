/** Which proxy the requests of a connection go through. */
import { createHash } from 'node:crypto';
import type { Connection, DefaultProxy, Proxy } from '../../core/app/connections.ts';
import { secretKey, type SecretStore } from './secrets.ts';

/** What is known of proxies beside the connection itself. */
export interface Proxies {
  /** What connections use that name none. */
  readonly chosen: () => DefaultProxy;
  /** That of the system. */
  readonly system: ProxyChoice;
}

/** In the place of a connection's id: the default proxy. */
export const defaultId = 'default';

/**
 * The key of the default proxy's password. The proxy is part of it, so that whoever changes it without the secrets at
 * hand, as the command line does, never has the password of one sent to another.
 */
export function defaultProxyKey(proxy: DefaultProxy): string {
  const place = proxy.kind === 'address' ? [proxy.url, proxy.user] : [proxy.kind];
  const mark = createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 32);
  return `${secretKey(defaultId, 'proxy')}:${mark}`;
}

/**
 * The proxy that leads to an https address, as a URL with user and password as {@link TunnelAgent} takes them;
 * undefined where requests go straight.
 */
export type ProxyChoice = (url: URL) => Promise<string | undefined>;

/** How a connection chooses: each address that it asks is decided by itself, as a token endpoint may lie elsewhere. */
export async function proxyChoice(
  { id, proxy }: Pick<Connection, 'id' | 'proxy'>,
  proxies: Proxies,
  secrets: Pick<SecretStore, 'get'>,
): Promise<ProxyChoice> {
  const isDefault = proxy.kind === 'default';
  const used: Exclude<Proxy, { kind: 'default' }> = isDefault ? proxies.chosen() : proxy;
  if (used.kind === 'system') return proxies.system;
  if (used.kind === 'none') return () => Promise.resolve(undefined);
  const address = new URL(used.url);
  address.username = encodeURIComponent(used.user ?? '');
  if (used.user !== undefined) {
    const password = await secrets.get(isDefault ? defaultProxyKey(used) : secretKey(id, 'proxy'));
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

/** A proxy's address as {@link TunnelAgent} takes it; it is also written without its scheme. Undefined for what is none. */
export function readableProxy(given: string): string | undefined {
  const text = given.includes('://') ? given : `http://${given}`;
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
  const [, name = '', only] = /^(.*?)(?::([0-9]+))?$/.exec(entry) ?? [];
  if (only !== undefined && only !== (port === '' ? '443' : port)) return false;
  const domain = name.replace(/^\*?\./, '');
  return name === '*' || hostname === domain || hostname.endsWith(`.${domain}`);
}
