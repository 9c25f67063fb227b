import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** One of the hosts that may have the store, and how it is spoken to. */
export interface StorePlace {
  /** A name, an IP address, or the folder of a socket of this machine. */
  readonly host: string;
  readonly port: number;
  /** Absent where nothing leaves the machine. */
  readonly ssl?: { readonly ca?: string; readonly servername?: string };
}

/** Where a shared store is. */
export interface StoreAddress extends StorePlace {
  readonly database: string;
  readonly user: string;
  /** As the driver reads it else: from PGPASSWORD or ~/.pgpass. */
  readonly password?: string;
  /** Hosts that may have it instead, where there are some: the one that takes writes is spoken to. */
  readonly others?: readonly StorePlace[];
}

const incomplete = 'The address of the store names its user, its host and its database.';

/** The names of settings that an address takes; anything else is refused, as what it would mean is not kept. */
const taken = new Set(['sslmode', 'sslrootcert', 'host']);

/**
 * Reads `postgres://USER@HOST:PORT,HOST:PORT/DATABASE`, as libpq writes it. What leaves the machine is encrypted, to the host that was
 * meant and no other: `sslmode=verify-full`, which need not be said, is the only way there; `sslrootcert` names the file of
 * the authority that signed for it, where the system's do not. `sslmode=disable` is for the machine itself alone.
 *
 * @throws Error with a sentence for a person, without the password.
 */
export function readAddress(address: string): StoreAddress {
  const [, before = '', hosts = '', behind = ''] =
    /^([^/]*\/\/(?:[^/@]*@)?)([^/?@]*,[^/?@]*)(.*)$/.exec(address) ?? [];
  const all = hosts.split(',');
  if (all.length === 1) return readOne(address);
  if (all.includes('')) throw new Error(incomplete);
  const [first = '', ...further] = all.map((host) => before + host + behind);
  const others = further.map(readOne).map(({ host, port, ssl }) => ({ host, port, ...(ssl && { ssl }) }));
  return { ...readOne(first), others };
}

function readOne(address: string): StoreAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:')
    throw new Error('The address of a shared store begins with postgres://');
  const unknown = [...url.searchParams.keys()].find((name) => !taken.has(name));
  if (unknown !== undefined) throw new Error(`The address of the store has ${unknown}, which is not known.`);
  const folder = url.searchParams.get('host');
  const host = folder ?? decodeURIComponent(url.hostname.replaceAll(/^\[|\]$/g, ''));
  const database = decodeURIComponent(url.pathname.slice(1));
  const user = decodeURIComponent(url.username);
  if (host === '' || database === '' || user === '') throw new Error(incomplete);
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
