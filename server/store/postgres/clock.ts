import type { Session } from './connection.ts';

const text = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000';

/**
 * The time that holds for all servers of a store: the database's. A server's own clock may be wrong, by an hour or for a
 * moment: what it stamps would lie before what others stored already, and what it ends would end at another time elsewhere.
 * Invariant: it is as far off the database's clock as an answer takes to come, at most, as of the last look.
 */
export class DatabaseClock {
  private readonly database: Session;
  /** Milliseconds from this process's own count to the epoch; undefined before the first look. */
  private ahead: number | undefined;

  constructor(database: Session) {
    this.database = database;
  }

  /** Milliseconds since the epoch; this machine's where the database was never reached. */
  readonly now = (): number =>
    this.ahead === undefined ? Date.now() : Math.floor(performance.now() + this.ahead);

  /** Asks the database; to be called again and again, as counts of two machines drift apart. */
  async look(): Promise<void> {
    const sent = performance.now();
    const [[time] = []] = await this.database.rows({ text });
    // It was read at some time between.
    const [least, most] = [Number(time) - performance.now(), Number(time) - sent];
    this.ahead = Math.min(Math.max(this.ahead ?? (least + most) / 2, least), most);
  }
}
