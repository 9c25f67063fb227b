/** Connection pools of a shared store. They connect to the host that accepts writes. */
import pg from 'pg';
import type { StoreAddress, StoreLocation } from './address.ts';
import pgpass from 'pgpass';

/** Timeouts in milliseconds. */
export const timeoutMs = { connect: 5000, statement: 30_000, lock: 10_000, idle: 30_000 };

export const sessionSettings = {
  search_path: 'chartkeeper',
  statement_timeout: String(timeoutMs.statement),
  lock_timeout: String(timeoutMs.lock),
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  jit: 'off',
};

/** SQL that is true on a host that accepts writes. */
const acceptsWritesSql = 'SELECT NOT pg_is_in_recovery()';

/** Connection pool to the host that accepts writes. Switches hosts after a failover. */
export class Pools {
  /** Pool of the current host. */
  pool: pg.Pool;
  private readonly address: StoreAddress;
  private readonly maxConnections: number;
  private location: StoreLocation;
  private switching: Promise<void> | undefined;

  /** @param maxConnections - Maximum number of connections of a pool. */
  constructor(address: StoreAddress, maxConnections: number) {
    this.address = address;
    this.maxConnections = maxConnections;
    this.location = address;
    this.pool = this.createPool(address);
  }

  /** Switches to the host that accepts writes, if there are several. Resolves even if no host does. */
  switchToPrimary(): Promise<void> {
    const { otherLocations } = this.address;
    if (!otherLocations) return Promise.resolve();
    this.switching ??= this.switchToFirstWritable([this.address, ...otherLocations]).finally(
      () => (this.switching = undefined),
    );
    return this.switching;
  }

  private async switchToFirstWritable(locations: readonly StoreLocation[]): Promise<void> {
    for (const location of locations) {
      if (!(await this.acceptsWrites(location))) continue;
      // Callers also come here after slow connections. A new pool to the same host would not help.
      if (location === this.location) return;
      const previousPool = this.pool;
      [this.location, this.pool] = [location, this.createPool(location)];
      void previousPool.end().catch(() => undefined);
      return;
    }
  }

  private async acceptsWrites(location: StoreLocation): Promise<boolean> {
    return this.withSeparateClient(async (client) => {
      const { rows } = await client.query<[boolean]>({ text: acceptsWritesSql, rowMode: 'array' });
      return rows[0]?.[0] === true;
    }, location).catch(() => false);
  }

  /** Runs `work` on a connection outside the pool, to the current host unless `location` is given. */
  async withSeparateClient<Result>(
    work: (client: pg.Client) => Promise<Result>,
    location: StoreLocation = this.location,
  ): Promise<Result> {
    const client = new pg.Client(this.optionsOf(location));
    client.on('error', () => undefined);
    try {
      await client.connect();
      const result = await work(client);
      await client.end();
      return result;
    } catch (error) {
      // Closing may hang on a host that does not answer.
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  private createPool(location: StoreLocation): pg.Pool {
    const pool = new pg.Pool({
      ...this.optionsOf(location),
      max: this.maxConnections,
      idleTimeoutMillis: timeoutMs.idle,
    });
    // The pool replaces idle connections that are cut.
    pool.on('error', () => undefined);
    // If a connection is cut before its use, the next statement reports it.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  }

  private optionsOf(location: StoreLocation): pg.ClientConfig {
    const { host, port, ssl } = location;
    const { database, user } = this.address;
    return {
      host,
      port,
      database,
      user,
      ssl,
      password: passwordOf(this.address, location),
      connectionTimeoutMillis: timeoutMs.connect,
      keepAlive: true,
      options: Object.entries(sessionSettings)
        .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
        .join(' '),
    };
  }
}

/**
 * Returns a function that finds the password of a store: in its address, in PGPASSWORD or in `~/.pgpass`. The
 * driver announces the end of its own support for that file. Rejects with a message if none is found.
 */
export function passwordOf(
  { password, database, user }: StoreAddress,
  { host, port }: StoreLocation,
): () => Promise<string> {
  const knownPassword = password ?? process.env.PGPASSWORD;
  return async () => knownPassword ?? (await readPasswordFile({ host, port, database, user }));
}

async function readPasswordFile(connection: Parameters<typeof pgpass>[0]): Promise<string> {
  const storedPassword = await new Promise<string | undefined>((resolve) => pgpass(connection, resolve));
  if (storedPassword !== undefined) return storedPassword;
  throw new Error(
    'The store needs a password. Set PGPASSWORD, or add a line to ~/.pgpass (readable only by you).',
  );
}
