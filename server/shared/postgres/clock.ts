import type { Session } from './connection.ts';

const text = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000';

/**
 * Time of the database, shared by all servers of a store. The clock of one server may be wrong. Its
 * timestamps would precede stored ones, and expiry would differ between servers.
 *
 * Invariant: the difference to the database's clock is at most the duration of the last query.
 */
export class DatabaseClock {
  private readonly database: Session;
  /** Milliseconds from this process's clock to the epoch. Undefined before the first query. */
  private offsetMs: number | undefined;

  constructor(database: Session) {
    this.database = database;
  }

  /** Returns milliseconds since the epoch. Uses this machine's clock until the database answered once. */
  readonly now = (): number =>
    this.offsetMs === undefined ? Date.now() : Math.floor(performance.now() + this.offsetMs);

  /** Queries the database. Call it repeatedly, because two clocks drift apart. */
  async look(): Promise<void> {
    const queryStart = performance.now();
    const [[time] = []] = await this.database.rows({ text });
    // The database read its clock between the two instants.
    const [minOffset, maxOffset] = [Number(time) - performance.now(), Number(time) - queryStart];
    this.offsetMs = Math.min(Math.max(this.offsetMs ?? (minOffset + maxOffset) / 2, minOffset), maxOffset);
  }
}
