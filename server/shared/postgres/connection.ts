/**
 * The only file that uses the driver: a connection pool, prepared statements and store errors.
 *
 * Invariant: values arrive unchanged, except U+0000. PostgreSQL cannot store it, so U+FFFD replaces it in
 * rows and in parameters. JSON text never has it unescaped.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { createDisconnectedError, tooLong } from '../../store/search-faults.ts';
import { codeOf, StoreUnconfirmedError } from '../../store/store-error.ts';
import type { Sql, Value } from '../../store/sql.ts';
import type { StoreAddress } from './address.ts';
import { timeoutMs, Pools, sessionSettings } from './pools.ts';
import { isCanceled, causeOf, isLostConnection, toStoreError, readOnly } from './driver-errors.ts';

/** A parameter value. A list becomes an array. */
export type SqlParameter = Value | boolean | readonly Value[];

/** A statement. `$1`, `$2` stand for its values. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly SqlParameter[];
}

/** Sends statements: the pool, or one connection within a transaction. */
export interface Session {
  rows(statement: Statement): Promise<Value[][]>;
}

/** A connection outside the pool. */
export interface SeparateConnection {
  /** Process id of the database that the connection received at its start. */
  readonly processId: number;
  /** Returns rows of text. The statement has no values. */
  readonly query: (text: string) => Promise<readonly (readonly string[])[]>;
}

/**
 * Prepared statements per connection. Beyond it, statements are sent unprepared: searches with many values.
 */
const maxPrepared = 300;

/** Converts `?` of the SQL of all engines to `$1`, `$2`. */
export function numbered({ text, values }: Sql): Statement {
  let count = 0;
  return { text: text.replaceAll('?', () => `$${(count += 1)}`), values };
}

/** Id of a transaction and start time of the server that assigned it. */
interface Transaction {
  readonly id: Value;
  readonly since: Value;
}

/** Parsers of PostgreSQL types. 64-bit numbers are counts, times and positions, none above 2^53. */
const readers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  ...[20, 21, 23, 700, 701, 1700].map((oid) => [oid, Number] as const),
]);
const asText = (text: string) => text;
// The driver's type requires an overload for every type it knows.
const types = {
  getTypeParser: (oid: number) => readers.get(oid) ?? asText,
};

const startTransaction = 'BEGIN; SELECT pg_current_xact_id(), pg_postmaster_start_time()::text';
const statusSql = 'SELECT pg_xact_status($1::xid8), pg_postmaster_start_time()::text';

export class Postgres implements Session {
  private readonly pools: Pools;
  private readonly names = new Map<string, string>();
  readonly settings: Readonly<Record<string, string>> = sessionSettings;

  /** @param maxConnections - Concurrent connections. */
  constructor(address: StoreAddress, maxConnections = 10) {
    this.pools = new Pools(address, maxConnections);
  }

  /** Switches to the host that accepts writes, if there are several. Resolves even if no host does. */
  find(): Promise<void> {
    return this.pools.switchToPrimary();
  }

  /** Runs work on a connection outside the pool. */
  withSeparateConnection<Result>(work: (connection: SeparateConnection) => Promise<Result>): Promise<Result> {
    const result = this.pools.withSeparateClient((client) => {
      const query = async (text: string) => (await client.query<string[]>({ text, rowMode: 'array' })).rows;
      return work({ processId: Number(Reflect.get(client, 'processID')), query });
    });
    return result.catch((error: unknown) => {
      throw this.toStoreError(error);
    });
  }

  /** Converts a driver error to a store error. Looks for another host if the connection was lost. */
  private toStoreError(error: unknown): unknown {
    if (isLostConnection(error) || codeOf(error) === readOnly) void this.pools.switchToPrimary();
    return toStoreError(error);
  }

  /**
   * Returns the rows of a statement, each as a list of columns.
   *
   * @throws StoreError; FhirError `unanswered` on a timeout or an aborted signal.
   */
  async rows(statement: Statement, signal?: AbortSignal): Promise<Value[][]> {
    if (!signal) return this.mapErrors(() => this.pools.pool.query(this.query(statement)));
    return this.withClient((client) => this.interruptible(client, statement, signal));
  }

  /** Runs work on one connection. Discards the connection if it broke. */
  private async withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pools.pool.connect().catch((error: unknown) => {
      throw this.toStoreError(error);
    });
    let isBroken = false;
    // A running statement receives the error. Without one the error event would be unhandled.
    const onError = () => (isBroken = true);
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      isBroken ||= isLostConnection(error) || isLostConnection(causeOf(error));
      throw error;
    } finally {
      client.off('error', onError);
      client.release(isBroken);
    }
  }

  /**
   * Runs work in one transaction.
   *
   * @throws StoreUnconfirmedError if the result of the commit is unknown; StoreError if nothing was stored;
   * errors of the work.
   */
  transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.withClient(async (client) => {
      const rows = (statement: Statement) => this.mapErrors(() => client.query(this.query(statement)));
      const run = (text: string) => rows({ text });
      let transaction: Transaction;
      let result: Result;
      try {
        // The id allows a query for the commit's result if the connection is lost.
        const [[id = null, since = null] = []] = await run(startTransaction);
        transaction = { id, since };
        result = await work({ rows });
      } catch (error) {
        await run('ROLLBACK').catch(() => undefined);
        throw error;
      }
      try {
        await run('COMMIT');
      } catch (error) {
        if (!isLostConnection(causeOf(error))) throw error;
        const isCommitted = await this.isCommitted(transaction).catch(ignoreError);
        if (isCommitted === undefined) throw createUnconfirmedError(error);
        if (!isCommitted) throw error;
      }
      return result;
    });
  }

  /** Reads one consistent state of the database, without a time limit. Writes nothing. */
  readSnapshot<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.withClient(async (client) => {
      const rows = (statement: Statement) => this.mapErrors(() => client.query(this.query(statement)));
      await rows({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' });
      try {
        return await work({ rows });
      } finally {
        await rows({ text: 'ROLLBACK' }).catch(ignoreError);
      }
    });
  }

  /**
   * Reserves a connection until it is released.
   *
   * @param onLost - Called if the connection is cut.
   * @param onNotification - Called with notifications on the channels that the session listens to.
   */
  async reserveConnection(
    onLost: () => void,
    onNotification: (channel: string, text: string) => void = () => undefined,
  ): Promise<{ session: Session; release: () => void }> {
    const client = await this.pools.pool.connect().catch((error: unknown) => {
      throw this.toStoreError(error);
    });
    let isReserved = true;
    const release = () => {
      // Closing the session releases its locks.
      if (isReserved) client.release(true);
      isReserved = false;
    };
    client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload));
    // The listener stays: a cut emits several errors.
    client.on('error', () => {
      if (isReserved) onLost();
      release();
    });
    return {
      session: { rows: (statement) => this.mapErrors(() => client.query(this.query(statement))) },
      release,
    };
  }

  /** Returns counts of the pool: open connections, busy connections and waiting requests. */
  load(): { readonly open: number; readonly busy: number; readonly waitingCount: number } {
    const { totalCount: open, idleCount, waitingCount: waitingRequests } = this.pools.pool;
    return { open, busy: open - idleCount, waitingCount: waitingRequests };
  }

  async close(): Promise<void> {
    await this.pools.pool.end();
  }

  /**
   * Returns true if a transaction was committed, undefined if that is unknown. Waits while it is in progress.
   */
  private async isCommitted({ id, since }: Transaction): Promise<boolean | undefined> {
    for (;;) {
      const [[status, serverStart] = []] = await this.rows({ text: statusSql, values: [id] });
      // A standby that took over may have assigned the id to another transaction.
      if (serverStart !== since) return undefined;
      if (status !== 'in progress') return status === 'committed';
    }
  }

  private async interruptible(
    client: pg.PoolClient,
    statement: Statement,
    signal: AbortSignal,
  ): Promise<Value[][]> {
    if (signal.aborted) throw createDisconnectedError();
    let canceling: Promise<unknown> = Promise.resolve();
    const cancel = () => {
      const values = [Reflect.get(client, 'processID')];
      canceling = this.pools.pool.query('SELECT pg_cancel_backend($1)', values).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel);
    try {
      return await this.mapErrors(() => client.query(this.query(statement)), signal);
    } finally {
      signal.removeEventListener('abort', cancel);
      // The cancellation must not reach the next statement of this connection.
      await canceling;
    }
  }

  private async mapErrors(
    send: () => Promise<pg.QueryArrayResult>,
    signal?: AbortSignal,
  ): Promise<Value[][]> {
    try {
      const result = await send();
      // The result of the last of several statements.
      const lastResult = Array.isArray(result) ? (result.at(-1) as pg.QueryArrayResult | undefined) : result;
      return (lastResult?.rows ?? []) as Value[][];
    } catch (error) {
      if (codeOf(error) === isCanceled)
        throw signal?.aborted ? createDisconnectedError() : tooLong(timeoutMs.statement);
      throw this.toStoreError(error);
    }
  }

  private query({ text, values = [] }: Statement): pg.QueryArrayConfig {
    // A text without values may have several statements. These cannot be prepared.
    const name = values.length === 0 ? undefined : this.nameOf(text);
    return {
      text,
      rowMode: 'array',
      types,
      values: values.map(toParameter),
      ...(name !== undefined && { name }),
    };
  }

  private nameOf(text: string): string | undefined {
    const knownName = this.names.get(text);
    if (knownName !== undefined || this.names.size >= maxPrepared) return knownName;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    this.names.set(text, name);
    return name;
  }
}

const ignoreError = () => undefined;

function createUnconfirmedError(error: unknown): StoreUnconfirmedError {
  return new StoreUnconfirmedError(
    'The database didn’t say whether it stored the change.',
    codeOf(causeOf(error)),
    error,
  );
}

/** A list becomes an array of PostgreSQL. The driver formats it. */
function toParameter(value: SqlParameter): unknown {
  if (typeof value === 'string') return replaceNulCharacters(value);
  if (Array.isArray(value))
    return value.map((item: Value) => (typeof item === 'string' ? replaceNulCharacters(item) : item));
  return value;
}

/** Replaces U+0000 as the database returns it. */
export function replaceNulCharacters(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
