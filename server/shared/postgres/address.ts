import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** A host that may run the store, with its encryption. */
export interface StoreLocation {
  /** A name, an IP address, or the folder of a local socket. */
  readonly host: string;
  readonly port: number;
  /** Absent if the connection stays on this machine. */
  readonly ssl?: { readonly ca?: string; readonly servername?: string };
}

/** Address and credentials of a shared store. */
export interface StoreAddress extends StoreLocation {
  readonly database: string;
  readonly user: string;
  /** If absent, the driver reads PGPASSWORD or ~/.pgpass. */
  readonly password?: string;
  /** Further hosts of the store. The client connects to the host that accepts writes. */
  readonly otherLocations?: readonly StoreLocation[];
}

const incomplete = 'The store’s address must name a user, a host and a database.';

/** Supported settings. Others are rejected, because they would have no effect. */
const supportedSettings = new Set(['sslmode', 'sslrootcert', 'host']);

/**
 * Parses `postgres://USER@HOST:PORT,HOST:PORT/DATABASE`, the form of libpq.
 *
 * A connection to another machine uses `sslmode=verify-full`, which is the default. `sslrootcert` names a
 * file with the certificate authority if the system does not have it. `sslmode=disable` works only for this
 * machine.
 *
 * @throws Error with a message for the user, without the password.
 */
export function readAddress(address: string): StoreAddress {
  const [, prefix = '', hosts = '', suffix = ''] =
    /^([^/]*\/\/(?:[^/@]*@)?)([^/?@]*,[^/?@]*)(.*)$/.exec(address) ?? [];
  const hostList = hosts.split(',');
  if (hostList.length === 1) return readSingleHost(address);
  if (hostList.includes('')) throw new Error(incomplete);
  const [firstAddress = '', ...furtherAddresses] = hostList.map((host) => prefix + host + suffix);
  const otherLocations = furtherAddresses
    .map(readSingleHost)
    .map(({ host, port, ssl }) => ({ host, port, ...(ssl && { ssl }) }));
  return { ...readSingleHost(firstAddress), otherLocations };
}

function readSingleHost(address: string): StoreAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:')
    throw new Error('A shared store’s address starts with postgres://');
  const unknownSetting = [...url.searchParams.keys()].find((name) => !supportedSettings.has(name));
  if (unknownSetting !== undefined)
    throw new Error(`Unknown setting in the store’s address: ${unknownSetting}.`);
  const folder = url.searchParams.get('host');
  const host = folder ?? decodeURIComponent(url.hostname.replaceAll(/^\[|\]$/g, ''));
  const database = decodeURIComponent(url.pathname.slice(1));
  const user = decodeURIComponent(url.username);
  if (host === '' || database === '' || user === '') throw new Error(incomplete);
  const password = decodeURIComponent(url.password);
  const ssl = encryption(host, url.searchParams);
  return {
    host,
    database,
    user,
    port: Number(url.port || 5432),
    ...(password !== '' && { password }),
    ...(ssl && { ssl }),
  };
}

function encryption(host: string, parameters: URLSearchParams): StoreAddress['ssl'] {
  const mode = parameters.get('sslmode') ?? (isHere(host) ? 'disable' : 'verify-full');
  if (mode === 'disable') {
    if (isHere(host)) return undefined;
    throw new Error(
      `${host} is another computer: use sslmode=verify-full, so that records are encrypted in transit.`,
    );
  }
  if (mode !== 'verify-full') throw new Error(`sslmode=${mode} doesn’t verify the server. Use verify-full.`);
  const file = parameters.get('sslrootcert');
  return {
    ...(file !== null && { ca: readFileSync(file, 'utf8') }),
    // TLS forbids an IP address as server name (RFC 6066 section 3).
    ...(isIP(host) === 0 && { servername: host }),
  };
}

/** Returns true if the host is this machine. */
function isHere(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('/');
}
