import { setTimeout as elapsed } from 'node:timers/promises';
import { StoreBusyError } from '../../store/store-error.ts';
import type { Value } from '../../store/sql.ts';
import type { Postgres, Session, Statement } from './connection.ts';

/** Milliseconds until a lost connection is opened again, and until a silent one counts as lost. */
const reconnectDelayMs = 500;
const timeoutMs = 3000;

/** Notification channels of the servers of one store. */
export const channels = {
  changes: 'chartkeeper_changes',
  workspace: 'chartkeeper_workspace',
  companions: 'chartkeeper_companions',
  packages: 'chartkeeper_packages',
} as const;

export type Channel = keyof typeof channels;

/** Bytes of one message. PostgreSQL accepts less than 8,000. */
export const maxNotified = 7900;

/** Returns the statement that sends a message to all servers. In a transaction, its commit sends the message. */
export function notifyStatement(channel: Channel, text: string): Statement {
  return { text: 'SELECT pg_notify($1, $2)', values: [channels[channel], text] };
}

/**
 * Listens to the other servers of the store (LISTEN and NOTIFY of PostgreSQL).
 *
 * Messages are lost while the connection is down. After each reconnect, listeners receive an empty text and
 * read again. Queries that must not wait for the pool use the same connection; they also detect a dead
 * connection.
 */
export class Signals implements Session {
  private readonly database: Postgres;
  private readonly listeners = new Map<string, (text: string) => void>();
  private release: () => void = () => undefined;
  private session: Session | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(database: Postgres) {
    this.database = database;
  }

  /** Registers the listener of a channel. It also receives this server's messages. */
  on(channel: Channel, listener: (text: string) => void): void {
    this.listeners.set(channels[channel], listener);
  }

  /** Starts to listen. Reconnects if the connection is lost. */
  async start(): Promise<void> {
    try {
      const { session, release } = await this.database.reserveConnection(
        () => this.reconnect(),
        (channel, text) => this.listeners.get(channel)?.(text),
      );
      this.release = release;
      if (this.isClosed) release();
      else {
        const text = Object.values(channels)
          .map((channel) => `LISTEN ${channel}`)
          .join('; ');
        await session.rows({ text });
        this.session = session;
        for (const listener of this.listeners.values()) listener('');
      }
    } catch {
      this.reconnect();
    }
  }

  /** Returns the rows of a statement. Statements run one after the other. */
  rows(statement: Statement): Promise<Value[][]> {
    const rows = this.queue.then(() =>
      this.session ? this.queryWithTimeout(this.session, statement) : this.database.rows(statement),
    );
    this.queue = rows.catch(() => undefined);
    return rows;
  }

  private async queryWithTimeout(session: Session, statement: Statement): Promise<Value[][]> {
    const finished = new AbortController();
    const rows = session.rows(statement).finally(() => finished.abort());
    const timeout = elapsed(timeoutMs, undefined, { signal: finished.signal, ref: false });
    await Promise.race([rows, timeout]).catch(() => undefined);
    if (finished.signal.aborted) return rows;
    rows.catch(() => undefined);
    if (session === this.session) this.reconnect();
    throw new StoreBusyError('The database isn’t responding.', '', undefined);
  }

  private reconnect(): void {
    this.release();
    this.release = () => undefined;
    this.session = undefined;
    if (this.isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.start(), reconnectDelayMs).unref();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.release();
  }

  async notify(channel: Channel, text: string): Promise<void> {
    await this.database.rows(notifyStatement(channel, text));
  }
}
