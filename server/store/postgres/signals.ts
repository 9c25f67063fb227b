import type { Postgres } from './connection.ts';

/** Milliseconds until a connection that was cut is made anew. */
const pause = 500;

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
 * cut is heard: what has to be known is read again behind each new one, which is told as an empty text.
 */
export class Signals {
  private readonly database: Postgres;
  private readonly listeners = new Map<string, (text: string) => void>();
  private release: () => void = () => undefined;
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
        () => this.again(),
        (channel, text) => this.listeners.get(channel)?.(text),
      );
      this.release = release;
      if (this.closed) release();
      else {
        const text = Object.values(channels)
          .map((channel) => `LISTEN ${channel}`)
          .join('; ');
        await session.rows({ text, values: [] });
        for (const told of this.listeners.values()) told('');
      }
    } catch {
      this.release();
      this.again();
    }
  }

  private again(): void {
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
