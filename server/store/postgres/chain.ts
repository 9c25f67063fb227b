/**
 * The audit chain of one server: every server that writes has its own, so that none waits for another's. Its newest entry
 * stands in the server's row of `node`, whose lock makes it gap-free. Which chain a server writes is settled by a lock
 * that its session holds: with the session it is free for the next, and no chain is ever left lying. Called within the
 * transactions that write (writes.ts).
 */
import { dayNumber } from '../../../core/app/days.ts';
import { noSeal, type SealedRow, type SealKey } from '../audit-chain.ts';
import { sealedGroups, type ChainEnd, type NewAuditEntry } from '../audit-rows.ts';
import { StoreBusyError } from '../store-error.ts';
import { withoutZero, type Postgres, type Session } from './connection.ts';
import { listsOf } from './version-rows.ts';

/** Of the advisory locks, each with the number of a chain behind it. */
const chainLock = 0x63_6b_02;

/** The columns of an entry behind its chain, and how their lists are given. */
const columns = [
  ...(['seq bigint', 'time bigint', 'who text', 'action text', 'what text'] as const),
  ...(['version_before integer', 'version_after integer', 'status integer', 'request_id text'] as const),
  ...(['sha256 bytea', 'person text', 'reason_sha256 bytea', 'seal bytea'] as const),
].map((column) => column.split(' ') as [name: string, type: string]);

export const entryColumns = columns.map(([name]) => name).join(', ');

const add = `WITH n AS (UPDATE node SET seq = $2::bigint, seal = $3::bytea WHERE node = $1::integer RETURNING node)
  INSERT INTO audit (node, ${entryColumns})
  SELECT n.node, w.* FROM n, unnest(${columns.map(([, type], at) => `$${at + 4}::${type}[]`).join(', ')}) w`;

export class Chain {
  private readonly database: Postgres;
  private readonly program: string;
  private readonly key: SealKey | undefined;
  private holding: Promise<number> | undefined;
  private release: () => void = () => undefined;
  private sealedOn = 0;
  private sealing = 0;

  /** @param program - Of the derivations by which this server writes (coverage.ts). */
  constructor(database: Postgres, program: string, key?: SealKey) {
    this.database = database;
    this.program = program;
    this.key = key;
  }

  /** The number of the chain that this server writes. */
  node(): Promise<number> {
    this.holding ??= this.take().catch((error: unknown) => {
      this.holding = undefined;
      throw error;
    });
    return this.holding;
  }

  /**
   * Adds entries behind the last of the chain; belongs into a transaction of the caller's, at its end. Where what is
   * `derived` was written, it is refused once another program's derivations hold: whoever has them hold waits for the
   * lock of the chain.
   *
   * @throws StoreBusyError
   */
  async add(session: Session, entries: readonly NewAuditEntry[], derived: boolean): Promise<void> {
    const node = await this.node();
    const today = dayNumber(Date.now());
    const heads = today > this.sealedOn ? await headsEntry(session, node, today) : [];
    const all = [...entries, ...heads];
    if (all.length > 0) await this.write(session, node, all, derived);
    this.sealing = today;
  }

  /** What was added is committed. */
  committed(): void {
    this.sealedOn = this.sealing;
  }

  close(): void {
    this.release();
  }

  private async write(
    session: Session,
    node: number,
    entries: readonly NewAuditEntry[],
    derived: boolean,
  ): Promise<void> {
    const { program, ...end } = await endOf(session, node);
    if (derived && program !== this.program) throw otherProgram();
    const rows: SealedRow[] = [...sealedGroups(end, entries.map(asKept), this.key)].flat();
    const last = rows.at(-1);
    if (!last) return;
    const seal = last[12];
    await session.rows({ text: add, values: [node, last[0], seal, ...listsOf(rows, columns.length)] });
  }

  /** The first chain that nobody writes now. */
  private async take(): Promise<number> {
    const lost = () => {
      this.holding = undefined;
      this.release = () => undefined;
    };
    const { session, release } = await this.database.hold(lost);
    this.release = release;
    try {
      for (let node = 1; ; node += 1) {
        const text = `SELECT pg_try_advisory_lock(${chainLock}, $1::integer)`;
        const [[taken] = []] = await session.rows({ text, values: [node] });
        if (!taken) continue;
        // Under its lock: who has another program's derivations hold finds the row, or is seen here.
        const begin = `INSERT INTO node (node, seq, seal, program)
          SELECT $1::integer, 0, $2::bytea, d.program FROM deriving d FOR SHARE ON CONFLICT (node) DO NOTHING`;
        await session.rows({ text: begin, values: [node, noSeal] });
        return node;
      }
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** What is sealed is what comes back. */
function asKept({ who, what, person, requestId, ...entry }: NewAuditEntry): NewAuditEntry {
  return {
    ...entry,
    ...{ who: withoutZero(who), what: withoutZero(what), requestId: withoutZero(requestId) },
    ...(person !== undefined && { person: withoutZero(person) }),
  };
}

async function endOf(session: Session, node: number): Promise<ChainEnd & { readonly program: string }> {
  const text = 'SELECT seq, seal, program FROM node WHERE node = $1 FOR UPDATE';
  const [[seq = 0, seal = null, program = ''] = []] = await session.rows({ text, values: [node] });
  return { seq: Number(seq), seal: Buffer.isBuffer(seal) ? seal : noSeal, program: String(program) };
}

/** That this server's rows are not those that hold. */
export function otherProgram(): StoreBusyError {
  return new StoreBusyError('A server of another version of the program has begun to write.', '', undefined);
}

/** Bytes of a seal by which a day's entry names it. */
const named = 16;

/**
 * Once a day one of the servers writes where every chain ended: a chain that is cut, or taken away whole, is missed by the
 * others. `1:204:8f0a…` is the chain, its newest entry, and the beginning of that one's seal.
 */
async function headsEntry(session: Session, node: number, day: number): Promise<NewAuditEntry[]> {
  const claim =
    'INSERT INTO sealed_day (day, node) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING RETURNING day';
  const claimed = await session.rows({ text: claim, values: [day, node] });
  if (claimed.length === 0) return [];
  const heads = await session.rows({ text: 'SELECT node, seq, seal FROM node ORDER BY node', values: [] });
  const what = heads
    .filter(([, seq]) => Number(seq) > 0)
    .map(([of, seq, seal]) => `${Number(of)}:${Number(seq)}:${beginningOf(seal)}`)
    .join(' ');
  if (what === '') return [];
  return [{ time: Date.now(), who: '', action: 'seal', what, status: 0, requestId: '' }];
}

/** How a day's entry names a seal. */
export function beginningOf(seal: unknown): string {
  return Buffer.isBuffer(seal) ? seal.subarray(0, named).toString('hex') : '';
}
