import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Where a shared store is, and how it is spoken to. */
export interface StoreAddress {
  /** A name, an IP address, or the folder of a socket of this machine. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** As the driver reads it else: from PGPASSWORD or ~/.pgpass. */
  readonly password?: string;
  /** Absent where nothing leaves the machine. */
  readonly ssl?: { readonly ca?: string; readonly servername?: string };
}

/** The names of settings that an address takes; anything else is refused, as what it would mean is not kept. */
const taken = new Set(['sslmode', 'sslrootcert', 'host']);

/**
 * Reads `postgres://USER@HOST:PORT/DATABASE`, as libpq writes it. What leaves the machine is encrypted, to the host that was
 * meant and no other: `sslmode=verify-full`, which need not be said, is the only way there; `sslrootcert` names the file of
 * the authority that signed for it, where the system's do not. `sslmode=disable` is for the machine itself alone.
 *
 * @throws Error with a sentence for a person, without the password.
 */
export function readAddress(address: string): StoreAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:')
    throw new Error('The address of a shared store begins with postgres://');
  const unknown = [...url.searchParams.keys()].find((name) => !taken.has(name));
  if (unknown !== undefined) throw new Error(`The address of the store has ${unknown}, which is not known.`);
  const folder = url.searchParams.get('host');
  const host = folder ?? decodeURIComponent(url.hostname.replaceAll(/^\[|\]$/g, ''));
  const database = decodeURIComponent(url.pathname.slice(1));
  const user = decodeURIComponent(url.username);
  if (host === '' || database === '' || user === '')
    throw new Error('The address of the store names its user, its host and its database.');
  const password = decodeURIComponent(url.password);
  const ssl = encryption(host, url.searchParams);
  return {
    ...{ host, database, user, port: Number(url.port || 5432) },
    ...(password !== '' && { password }),
    ...(ssl && { ssl }),
  };
}

function encryption(host: string, parameters: URLSearchParams): StoreAddress['ssl'] {
  const mode = parameters.get('sslmode') ?? (isHere(host) ? 'disable' : 'verify-full');
  if (mode === 'disable') {
    if (isHere(host)) return undefined;
    throw new Error(`${host} is another machine: records go there encrypted, with sslmode=verify-full.`);
  }
  if (mode !== 'verify-full')
    throw new Error(`sslmode=${mode} does not say whom it speaks to; take verify-full.`);
  const file = parameters.get('sslrootcert');
  return {
    ...(file !== null && { ca: readFileSync(file, 'utf8') }),
    // A certificate names an IP address among its own: as a server's name it must not be sent.
    ...(isIP(host) === 0 && { servername: host }),
  };
}

/** Whether it is this machine. */
function isHere(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('/');
}
