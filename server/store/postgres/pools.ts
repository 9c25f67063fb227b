/** The connections to a shared store, and which of its hosts they go to: the one that takes writes. */
import pg from 'pg';
import type { StoreAddress, StorePlace } from './address.ts';
import { passwordOf } from './password.ts';

/** Milliseconds. */
export const patience = { connect: 5000, statement: 30_000, lock: 10_000, idle: 30_000 };

/** What each connection is set to. */
export const settings = {
  search_path: 'chartkeeper',
  statement_timeout: String(patience.statement),
  lock_timeout: String(patience.lock),
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  jit: 'off',
};

/** Whether a host takes writes. */
const writesText = 'SELECT NOT pg_is_in_recovery()';

export class Pools {
  /** The one that statements go to. */
  pool: pg.Pool;
  private readonly address: StoreAddress;
  private readonly most: number;
  private place: StorePlace;
  private turning: Promise<void> | undefined;

  /** @param most - Connections at once. */
  constructor(address: StoreAddress, most: number) {
    this.address = address;
    this.most = most;
    this.place = address;
    this.pool = this.poolAt(address);
  }

  /** Turns to the host that takes writes, where there are several; resolves where none does, too. */
  find(): Promise<void> {
    const { others } = this.address;
    if (!others) return Promise.resolve();
    this.turning ??= this.turn([this.address, ...others]).finally(() => (this.turning = undefined));
    return this.turning;
  }

  private async turn(places: readonly StorePlace[]): Promise<void> {
    for (const place of places) {
      if (!(await this.writes(place))) continue;
      // Whoever waits long for a connection has us look, too: as many again would not help the host that is there.
      if (place === this.place) return;
      const former = this.pool;
      [this.place, this.pool] = [place, this.poolAt(place)];
      void former.end().catch(() => undefined);
      return;
    }
  }

  private async writes(place: StorePlace): Promise<boolean> {
    return this.aside(async (client) => {
      const { rows } = await client.query<[boolean]>({ text: writesText, rowMode: 'array' });
      return rows[0]?.[0] === true;
    }, place).catch(() => false);
  }

  /** Does work on a connection of its own, to the host that statements go to, where no other is named. */
  async aside<Result>(
    work: (client: pg.Client) => Promise<Result>,
    place: StorePlace = this.place,
  ): Promise<Result> {
    const client = new pg.Client(this.optionsOf(place));
    client.on('error', () => undefined);
    try {
      await client.connect();
      const result = await work(client);
      await client.end();
      return result;
    } catch (error) {
      // One that does not answer is not waited for.
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  private poolAt(place: StorePlace): pg.Pool {
    const pool = new pg.Pool({
      ...this.optionsOf(place),
      max: this.most,
      idleTimeoutMillis: patience.idle,
    });
    // An idle connection that is cut is made anew when it is needed.
    pool.on('error', () => undefined);
    // One that is cut between being handed out and being used: the statement that is sent to it tells.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  }

  private optionsOf(place: StorePlace): pg.ClientConfig {
    const { host, port, ssl } = place;
    const { database, user } = this.address;
    return {
      ...{ host, port, database, user, ssl, password: passwordOf(this.address, place) },
      connectionTimeoutMillis: patience.connect,
      keepAlive: true,
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
        .join(' '),
    };
  }
}
