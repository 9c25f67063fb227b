/**
 * The one file that speaks to the driver: a pool of connections, statements that are prepared once on each, and the store's
 * own errors. Invariant: a value arrives as it was sent, but for U+0000, which no text of PostgreSQL holds: U+FFFD stands
 * in its place, in rows and in what is asked of them alike (no JSON text holds it unescaped).
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { gone, tooLong } from '../search-faults.ts';
import { codeOf, StoreUnsureError } from '../store-error.ts';
import type { Sql, Value } from '../sql.ts';
import type { StoreAddress } from './address.ts';
import { patience, Pools, settings } from './pools.ts';
import { calledOff, causeOf, isLostConnection, ownError, readOnly } from './faults.ts';

/** A value of a placeholder; a list goes as an array. */
export type Given = Value | boolean | readonly Value[];

/** A statement with `$1`, `$2` for its values, where it has some. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly Given[];
}

/** Something that statements can be sent to: the pool, or one connection within a transaction. */
export interface Session {
  rows(statement: Statement): Promise<Value[][]>;
}

/** A connection beside the pool. */
export interface Aside {
  /** The process of the database that the connection was told at its start. */
  readonly named: number;
  /** Rows of texts, of a statement without values. */
  readonly ask: (text: string) => Promise<readonly (readonly string[])[]>;
}

/** Texts of statements that are prepared; of more, those of searches with many values, each is sent whole. */
const mostPrepared = 300;

/** `?` of the SQL that all engines share, numbered. */
export function numbered({ text, values }: Sql): Statement {
  let count = 0;
  return { text: text.replaceAll('?', () => `$${(count += 1)}`), values };
}

/** A transaction by its number, and the start of the server that gave it. */
interface Transaction {
  readonly id: Value;
  readonly since: Value;
}

/** How PostgreSQL's types are read: its 64-bit numbers are counts, times and places here, none beyond 2^53. */
const readers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  ...[20, 21, 23, 700, 701, 1700].map((oid) => [oid, Number] as const),
]);
const asText = (text: string) => text;
// The driver's own type of this is of its parsers for each type it knows.
const types = {
  getTypeParser: (oid: number) => readers.get(oid) ?? asText,
};

const beginText = 'BEGIN; SELECT pg_current_xact_id(), pg_postmaster_start_time()::text';
const statusText = 'SELECT pg_xact_status($1::xid8), pg_postmaster_start_time()::text';

export class Postgres implements Session {
  private readonly pools: Pools;
  private readonly names = new Map<string, string>();
  /** What each connection is set to. */
  readonly settings: Readonly<Record<string, string>> = settings;

  /** @param most - Connections at once. */
  constructor(address: StoreAddress, most = 10) {
    this.pools = new Pools(address, most);
  }

  /** Turns to the host that takes writes, where there are several; resolves where none does, too. */
  find(): Promise<void> {
    return this.pools.find();
  }

  /** Does work on a connection of its own, beside the pool. */
  aside<Result>(work: (connection: Aside) => Promise<Result>): Promise<Result> {
    const seen = this.pools.aside((client) => {
      const ask = async (text: string) => (await client.query<string[]>({ text, rowMode: 'array' })).rows;
      return work({ named: Number(Reflect.get(client, 'processID')), ask });
    });
    return seen.catch((error: unknown) => {
      throw this.told(error);
    });
  }

  /** What the driver threw, as the store says it; where the host may be another now, it is looked for. */
  private told(error: unknown): unknown {
    if (isLostConnection(error) || codeOf(error) === readOnly) void this.pools.find();
    return ownError(error);
  }

  /**
   * The rows of a statement, each as its columns.
   *
   * @throws StoreError; FhirError `unanswered` where it takes too long, or the signal says that nobody waits.
   */
  async rows(statement: Statement, signal?: AbortSignal): Promise<Value[][]> {
    if (!signal) return this.telling(() => this.pools.pool.query(this.query(statement)));
    return this.within((client) => this.interruptible(client, statement, signal));
  }

  /** Does work on one connection, which is thrown away where it broke. */
  private async within<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pools.pool.connect().catch((error: unknown) => {
      throw this.told(error);
    });
    let broken = false;
    // A cut is told to whoever waits for a statement, and to nobody where none is under way.
    const cut = () => (broken = true);
    client.on('error', cut);
    try {
      return await work(client);
    } catch (error) {
      broken ||= isLostConnection(error) || isLostConnection(causeOf(error));
      throw error;
    } finally {
      client.off('error', cut);
      client.release(broken);
    }
  }

  /**
   * Does work in one transaction.
   *
   * @throws StoreUnsureError where nobody can tell whether it is stored; StoreError where nothing of it is; what the work throws.
   */
  transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.within(async (client) => {
      const rows = (statement: Statement) => this.telling(() => client.query(this.query(statement)));
      const alone = (text: string) => rows({ text });
      let transaction: Transaction;
      let result: Result;
      try {
        // Whether it was committed can be asked for by this, should the answer not come.
        const [[id = null, since = null] = []] = await alone(beginText);
        transaction = { id, since };
        result = await work({ rows });
      } catch (error) {
        await alone('ROLLBACK').catch(() => undefined);
        throw error;
      }
      try {
        await alone('COMMIT');
      } catch (error) {
        if (!isLostConnection(causeOf(error))) throw error;
        const committed = await this.isCommitted(transaction).catch(none);
        if (committed === undefined) throw unsure(error);
        if (!committed) throw error;
      }
      return result;
    });
  }

  /** Reads one state of the database, however long it takes; writes nothing. */
  asOfNow<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.within(async (client) => {
      const rows = (statement: Statement) => this.telling(() => client.query(this.query(statement)));
      await rows({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' });
      try {
        return await work({ rows });
      } finally {
        await rows({ text: 'ROLLBACK' }).catch(none);
      }
    });
  }

  /**
   * Does work on a connection that is kept for as long as it takes; `lost` is called where it is cut meanwhile, `told` with
   * what other sessions say on the channels that it listens to.
   */
  async hold(
    lost: () => void,
    told: (channel: string, text: string) => void = () => undefined,
  ): Promise<{ session: Session; release: () => void }> {
    const client = await this.pools.pool.connect().catch((error: unknown) => {
      throw this.told(error);
    });
    let held = true;
    const release = () => {
      // What a session holds, its locks, ends with it.
      if (held) client.release(true);
      held = false;
    };
    client.on('notification', ({ channel, payload = '' }) => told(channel, payload));
    // Once and again: a cut is told of as more than one fault.
    client.on('error', () => {
      if (held) lost();
      release();
    });
    return {
      session: { rows: (statement) => this.telling(() => client.query(this.query(statement))) },
      release,
    };
  }

  /** Connections of the pool that are open and of those, that are at work; and who waits for one. */
  load(): { readonly open: number; readonly busy: number; readonly waiting: number } {
    const { totalCount: open, idleCount, waitingCount: waiting } = this.pools.pool;
    return { open, busy: open - idleCount, waiting };
  }

  async close(): Promise<void> {
    await this.pools.pool.end();
  }

  /** What became of a transaction whose end was not answered, where anybody knows; waits while it is under way still. */
  private async isCommitted({ id, since }: Transaction): Promise<boolean | undefined> {
    for (;;) {
      const [[status, started] = []] = await this.rows({ text: statusText, values: [id] });
      // Another server, the standby that took over, may have given the number to another transaction.
      if (started !== since) return undefined;
      if (status !== 'in progress') return status === 'committed';
    }
  }

  private async interruptible(
    client: pg.PoolClient,
    statement: Statement,
    signal: AbortSignal,
  ): Promise<Value[][]> {
    if (signal.aborted) throw gone();
    let calling: Promise<unknown> = Promise.resolve();
    const leave = () => {
      const values = [Reflect.get(client, 'processID')];
      calling = this.pools.pool.query('SELECT pg_cancel_backend($1)', values).catch(() => undefined);
    };
    signal.addEventListener('abort', leave);
    try {
      return await this.telling(() => client.query(this.query(statement)), signal);
    } finally {
      signal.removeEventListener('abort', leave);
      // It must not reach the next statement of this connection.
      await calling;
    }
  }

  private async telling(ask: () => Promise<pg.QueryArrayResult>, signal?: AbortSignal): Promise<Value[][]> {
    try {
      const result = await ask();
      // Of several statements the last says what was asked for.
      const last = Array.isArray(result) ? (result.at(-1) as pg.QueryArrayResult | undefined) : result;
      return (last?.rows ?? []) as Value[][];
    } catch (error) {
      if (codeOf(error) === calledOff) throw signal?.aborted ? gone() : tooLong(patience.statement);
      throw this.told(error);
    }
  }

  private query({ text, values = [] }: Statement): pg.QueryArrayConfig {
    // Without values it may be several statements, which cannot be prepared.
    const name = values.length === 0 ? undefined : this.nameOf(text);
    return {
      ...{ text, rowMode: 'array', types },
      values: values.map(sent),
      ...(name !== undefined && { name }),
    };
  }

  private nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= mostPrepared) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    this.names.set(text, name);
    return name;
  }
}

const none = () => undefined;

function unsure(error: unknown): StoreUnsureError {
  return new StoreUnsureError(
    'The database did not say whether it stored it.',
    codeOf(causeOf(error)),
    error,
  );
}

/** A list goes as an array of PostgreSQL's; the driver writes it. */
function sent(value: Given): unknown {
  if (typeof value === 'string') return withoutZero(value);
  if (Array.isArray(value))
    return value.map((one: Value) => (typeof one === 'string' ? withoutZero(one) : one));
  return value;
}

/** A text as it comes back. */
export function withoutZero(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
