import { setTimeout as elapsed } from 'node:timers/promises';
import { StoreBusyError } from '../store-error.ts';
import type { Value } from '../sql.ts';
import type { Postgres, Session, Statement } from './connection.ts';

/** Milliseconds until a connection that was cut is made anew, and after which one that does not answer is taken for cut. */
const pause = 500;
const silence = 3000;

/** What servers of one store tell each other. */
export const channels = {
  changes: 'chartkeeper_changes',
  workspace: 'chartkeeper_workspace',
  companions: 'chartkeeper_companions',
  packages: 'chartkeeper_packages',
} as const;

export type Channel = keyof typeof channels;

/** Bytes of one message; PostgreSQL takes less than 8,000. */
export const mostTold = 7900;

/**
 * Listens to the other servers of the store (PostgreSQL's LISTEN and NOTIFY). Nothing that is said while the connection is
 * cut is heard: what has to be known is read again behind each new one, which is told as an empty text. What a server has to
 * know at all times is asked on the same connection: it waits for none that requests hold, and one that is dead is noticed.
 */
export class Signals implements Session {
  private readonly database: Postgres;
  private readonly listeners = new Map<string, (text: string) => void>();
  private release: () => void = () => undefined;
  private session: Session | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(database: Postgres) {
    this.database = database;
  }

  /** Calls back with what is said on a channel, this server's own words among it. */
  on(channel: Channel, told: (text: string) => void): void {
    this.listeners.set(channels[channel], told);
  }

  /** Begins to listen; comes again by itself where it is cut. */
  async begin(): Promise<void> {
    try {
      const { session, release } = await this.database.hold(
        () => this.lost(),
        (channel, text) => this.listeners.get(channel)?.(text),
      );
      this.release = release;
      if (this.closed) release();
      else {
        const text = Object.values(channels)
          .map((channel) => `LISTEN ${channel}`)
          .join('; ');
        await session.rows({ text });
        this.session = session;
        for (const told of this.listeners.values()) told('');
      }
    } catch {
      this.lost();
    }
  }

  /** Rows of a statement, one behind the other. */
  rows(statement: Statement): Promise<Value[][]> {
    const asked = this.turn.then(() =>
      this.session ? this.heard(this.session, statement) : this.database.rows(statement),
    );
    this.turn = asked.catch(() => undefined);
    return asked;
  }

  private async heard(session: Session, statement: Statement): Promise<Value[][]> {
    const answered = new AbortController();
    const asked = session.rows(statement).finally(() => answered.abort());
    const waited = elapsed(silence, undefined, { signal: answered.signal, ref: false });
    await Promise.race([asked, waited]).catch(() => undefined);
    if (answered.signal.aborted) return asked;
    asked.catch(() => undefined);
    if (session === this.session) this.lost();
    throw new StoreBusyError('The database does not answer.', '', undefined);
  }

  private lost(): void {
    this.release();
    this.release = () => undefined;
    this.session = undefined;
    if (this.closed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.begin(), pause).unref();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.release();
  }

  /** Says something to all servers. */
  async say(channel: Channel, text: string): Promise<void> {
    await this.database.rows({ text: 'SELECT pg_notify($1, $2)', values: [channels[channel], text] });
  }
}
