/**
 * Audit chain of one server. Every writing server has its own chain, so that none waits for another.
 *
 * The row in `node` has the latest entry; its lock prevents gaps. A session lock decides which server writes
 * a chain. It ends with the session, so the next server continues the chain. Called within the transactions
 * of writes.ts.
 */
import { dayNumber } from '../../../core/types/definition/dates.ts';
import {
  initialSeal,
  sealedGroups,
  type SealedRow,
  type SealKey,
  type ChainEnd,
  type NewAuditEntry,
} from '../../store/audit-chain.ts';
import { beginningOf, formatChainEnds, type NamedEnd } from '../../store/audit-chains.ts';
import type { DatabaseClock } from './clock.ts';
import type { Postgres, Session } from './connection.ts';
import { columnsIn, columnNames } from '../../store/sql.ts';
import { StoreBusyError } from '../../store/store-error.ts';
import { lockAgainstMoves } from './moving.ts';
import { locks } from './locks.ts';
import { toColumns, placeholders } from './version-rows.ts';

/** Columns of an entry after its chain, with their types for lists. */
export const entryTypes = columnsIn(`seq bigint, time bigint, who text, action text, what text,
  version_before integer, version_after integer, status integer, request_id text, sha256 bytea, person text,
  reason_sha256 bytea, seal bytea`);

export const entryColumns = columnNames(entryTypes);

const insertSql = `WITH n AS (UPDATE node SET seq = $2::bigint, seal = $3::bytea
    WHERE node = $1::integer AND seq = $4::bigint AND seal = $5::bytea AND program = $6 RETURNING node),
  a AS (INSERT INTO audit (node, ${entryColumns})
  SELECT n.node, w.* FROM n, unnest(${placeholders(entryTypes, 6)}) w)
  SELECT 1 FROM n`;

export class Chain {
  private readonly database: Postgres;
  private readonly clock: Pick<DatabaseClock, 'now'>;
  private readonly program: string;
  private readonly key: SealKey | undefined;
  private nodePromise: Promise<number> | undefined;
  private release: () => void = () => undefined;
  private sealedDay = 0;
  private pendingSealDay = 0;
  /** End of the chain at this server's last commit. No other server appends to it while the session lives. */
  private end: NodeEnd | undefined;
  private pendingEnd: NodeEnd | undefined;

  /** @param program - Fingerprint of the derivations of this server (coverage.ts). */
  constructor(database: Postgres, clock: Pick<DatabaseClock, 'now'>, program: string, key?: SealKey) {
    this.database = database;
    this.clock = clock;
    this.program = program;
    this.key = key;
  }

  /** Returns the number of the chain that this server writes. */
  node(): Promise<number> {
    this.nodePromise ??= this.take().catch((error: unknown) => {
      this.nodePromise = undefined;
      throw error;
    });
    return this.nodePromise;
  }

  /**
   * Appends entries to the chain. Call it last in the caller's transaction.
   *
   * If the transaction wrote `derived` rows, the call is rejected after another program has made its
   * derivations current. That program waits for the lock of the chain.
   *
   * @throws StoreBusyError
   */
  async add(session: Session, entries: readonly NewAuditEntry[], derived: boolean): Promise<void> {
    const node = await this.node();
    const time = this.clock.now();
    const today = dayNumber(time);
    const heads = today > this.sealedDay ? await headsEntry(session, node, time) : [];
    const newEntries = [...entries, ...heads];
    const isCurrent = (end: NodeEnd) => !derived || end.program === this.program;
    const appendedEnd =
      this.end && isCurrent(this.end)
        ? await addBehind(session, node, this.end, newEntries, this.key)
        : undefined;
    this.pendingEnd =
      appendedEnd ??
      (await addTo(session, node, newEntries, this.key, (end) => {
        if (!isCurrent(end)) throw createOtherInstanceError();
      }));
    this.pendingSealDay = today;
  }

  /** Call after the commit. */
  committed(): void {
    this.sealedDay = this.pendingSealDay;
    this.end = this.pendingEnd;
  }

  close(): void {
    this.release();
  }

  /** Acquires the first chain that no server writes. */
  private async take(): Promise<number> {
    const onLost = () => {
      this.nodePromise = undefined;
      this.release = () => undefined;
    };
    const { session, release } = await this.database.reserveConnection(onLost);
    this.release = release;
    try {
      await lockAgainstMoves(session, 'session');
      for (let node = 1; ; node += 1) {
        const text = `SELECT pg_try_advisory_lock(${locks.chain}, $1::integer)`;
        const [[isLocked] = []] = await session.rows({ text, values: [node] });
        if (!isLocked) continue;
        // Insert under the lock: a program that makes its derivations current finds the row, or is seen here.
        const insertNodeSql = `INSERT INTO node (node, seq, seal, program)
          SELECT $1::integer, 0, $2::bytea, d.program FROM deriving d FOR SHARE ON CONFLICT (node) DO NOTHING`;
        await session.rows({ text: insertNodeSql, values: [node, initialSeal] });
        return node;
      }
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** Appends entries in the caller's transaction. Returns the new end of the chain. */
export async function addTo(
  session: Session,
  node: number,
  entries: readonly NewAuditEntry[],
  key?: SealKey,
  check: (end: NodeEnd) => void = () => undefined,
): Promise<NodeEnd | undefined> {
  if (entries.length === 0) return undefined;
  const end = await endOf(session, node);
  check(end);
  return addBehind(session, node, end, entries, key);
}

/** Appends after a known end. Returns undefined and inserts nothing if the chain has another end by now. */
async function addBehind(
  session: Session,
  node: number,
  end: NodeEnd,
  entries: readonly NewAuditEntry[],
  key?: SealKey,
): Promise<NodeEnd | undefined> {
  if (entries.length === 0) return end;
  const rows: SealedRow[] = [...sealedGroups(end, entries, key)].flat();
  const lastRow = rows.at(-1);
  const { program } = end;
  const [seq, seal] = [lastRow?.[0] ?? end.seq, lastRow?.[12] ?? end.seal];
  const lists = toColumns(rows, entryTypes.length);
  const values = [node, seq, seal, end.seq, end.seal, program, ...lists];
  const insertedRows = await session.rows({ text: insertSql, values });
  return insertedRows.length > 0 ? { seq, seal: Buffer.from(seal), program } : undefined;
}

interface NodeEnd extends ChainEnd {
  /** Fingerprint of the derivations of the server that writes the chain. */
  readonly program: string;
}

async function endOf(session: Session, node: number): Promise<NodeEnd> {
  const text = 'SELECT seq, seal, program FROM node WHERE node = $1 FOR UPDATE';
  const [[seq = 0, seal = null, program = ''] = []] = await session.rows({ text, values: [node] });
  return { seq: Number(seq), seal: Buffer.isBuffer(seal) ? seal : initialSeal, program: String(program) };
}

/** Creates the error for derived rows that are outdated. */
export function createOtherInstanceError(): StoreBusyError {
  return new StoreBusyError(
    'A server with another version of Chartkeeper has started to write.',
    '',
    undefined,
  );
}

/**
 * Once a day, one server records the end of every chain. The other chains then show if a chain was truncated
 * or removed.
 *
 * `1:204:8f0a…` is the chain, its latest entry and the first digits of its seal.
 */
async function headsEntry(session: Session, node: number, time: number): Promise<NewAuditEntry[]> {
  const claimSql =
    'INSERT INTO sealed_day (day, node) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING RETURNING day';
  const claimedRows = await session.rows({ text: claimSql, values: [dayNumber(time), node] });
  if (claimedRows.length === 0) return [];
  const chainEnds = await listChainEnds(session);
  if (chainEnds.length === 0) return [];
  return [{ time, who: '', action: 'seal', what: formatChainEnds(chainEnds), status: 0, requestId: '' }];
}

/** Returns the ends of all chains that have entries. */
export async function listChainEnds(session: Session): Promise<readonly NamedEnd[]> {
  const text = 'SELECT node, seq, seal FROM node WHERE seq > 0 ORDER BY node';
  const rows = await session.rows({ text });
  return rows.map(([node, seq, seal]) => ({
    chain: Number(node),
    number: Number(seq),
    seal: beginningOf(seal),
  }));
}
