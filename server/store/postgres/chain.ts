/**
 * The audit chain of one server: every server that writes has its own, so that none waits for another's. Its newest entry
 * stands in the server's row of `node`, whose lock makes it gap-free. Which chain a server writes is settled by a lock
 * that its session holds: with the session it is free for the next, and no chain is ever left lying. Called within the
 * transactions that write (writes.ts).
 */
import { dayNumber } from '../../../core/app/days.ts';
import { noSeal, type SealedRow, type SealKey } from '../audit-chain.ts';
import { beginningOf, namesOf, type NamedEnd } from '../audit-chains.ts';
import { sealedGroups, type ChainEnd, type NewAuditEntry } from '../audit-rows.ts';
import type { DatabaseClock } from './clock.ts';
import type { Postgres, Session } from './connection.ts';
import { columnsIn, columnNames } from '../sql.ts';
import { StoreBusyError } from '../store-error.ts';
import { writeBesideMoves } from './moving.ts';
import { locks } from './locks.ts';
import { listsOf, placeholders } from './version-rows.ts';

/** The columns of an entry behind its chain, and how their lists are given. */
export const entryTypes = columnsIn(`seq bigint, time bigint, who text, action text, what text,
  version_before integer, version_after integer, status integer, request_id text, sha256 bytea, person text,
  reason_sha256 bytea, seal bytea`);

export const entryColumns = columnNames(entryTypes);

const add = `WITH n AS (UPDATE node SET seq = $2::bigint, seal = $3::bytea
    WHERE node = $1::integer AND seq = $4::bigint AND seal = $5::bytea AND program = $6 RETURNING node),
  a AS (INSERT INTO audit (node, ${entryColumns})
  SELECT n.node, w.* FROM n, unnest(${placeholders(entryTypes, 6)}) w)
  SELECT 1 FROM n`;

export class Chain {
  private readonly database: Postgres;
  private readonly clock: Pick<DatabaseClock, 'now'>;
  private readonly program: string;
  private readonly key: SealKey | undefined;
  private holding: Promise<number> | undefined;
  private release: () => void = () => undefined;
  private sealedOn = 0;
  private sealing = 0;
  /** Where the chain ended when this server committed last; nobody else adds to it while its session lives. */
  private end: NodeEnd | undefined;
  private ending: NodeEnd | undefined;

  /** @param program - Of the derivations by which this server writes (coverage.ts). */
  constructor(database: Postgres, clock: Pick<DatabaseClock, 'now'>, program: string, key?: SealKey) {
    this.database = database;
    this.clock = clock;
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
    const time = this.clock.now();
    const today = dayNumber(time);
    const heads = today > this.sealedOn ? await headsEntry(session, node, time) : [];
    const all = [...entries, ...heads];
    const mine = (end: NodeEnd) => !derived || end.program === this.program;
    const known =
      this.end && mine(this.end) ? await addBehind(session, node, this.end, all, this.key) : undefined;
    this.ending =
      known ??
      (await addTo(session, node, all, this.key, (end) => {
        if (!mine(end)) throw otherProgram();
      }));
    this.sealing = today;
  }

  /** What was added is committed. */
  committed(): void {
    this.sealedOn = this.sealing;
    this.end = this.ending;
  }

  close(): void {
    this.release();
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
      await writeBesideMoves(session, 'session');
      for (let node = 1; ; node += 1) {
        const text = `SELECT pg_try_advisory_lock(${locks.chain}, $1::integer)`;
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

/** Adds entries behind the last of a chain, and answers its new end; belongs into a transaction of the caller's. */
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

/** The same behind an end that is known; undefined, and nothing added, where the chain ends elsewhere by now. */
async function addBehind(
  session: Session,
  node: number,
  end: NodeEnd,
  entries: readonly NewAuditEntry[],
  key?: SealKey,
): Promise<NodeEnd | undefined> {
  if (entries.length === 0) return end;
  const rows: SealedRow[] = [...sealedGroups(end, entries, key)].flat();
  const last = rows.at(-1);
  const { program } = end;
  const [seq, seal] = [last?.[0] ?? end.seq, last?.[12] ?? end.seal];
  const lists = listsOf(rows, entryTypes.length);
  const values = [node, seq, seal, end.seq, end.seal, program, ...lists];
  const added = await session.rows({ text: add, values });
  return added.length > 0 ? { seq, seal: Buffer.from(seal), program } : undefined;
}

interface NodeEnd extends ChainEnd {
  /** Of the derivations by which its server writes. */
  readonly program: string;
}

async function endOf(session: Session, node: number): Promise<NodeEnd> {
  const text = 'SELECT seq, seal, program FROM node WHERE node = $1 FOR UPDATE';
  const [[seq = 0, seal = null, program = ''] = []] = await session.rows({ text, values: [node] });
  return { seq: Number(seq), seal: Buffer.isBuffer(seal) ? seal : noSeal, program: String(program) };
}

/** That this server's rows are not those that hold. */
export function otherProgram(): StoreBusyError {
  return new StoreBusyError('A server of another version of the program has begun to write.', '', undefined);
}

/**
 * Once a day one of the servers writes where every chain ended: a chain that is cut, or taken away whole, is missed by the
 * others. `1:204:8f0a…` is the chain, its newest entry, and the beginning of that one's seal.
 */
async function headsEntry(session: Session, node: number, time: number): Promise<NewAuditEntry[]> {
  const claim =
    'INSERT INTO sealed_day (day, node) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING RETURNING day';
  const claimed = await session.rows({ text: claim, values: [dayNumber(time), node] });
  if (claimed.length === 0) return [];
  const ends = await endsOf(session);
  if (ends.length === 0) return [];
  return [{ time, who: '', action: 'seal', what: namesOf(ends), status: 0, requestId: '' }];
}

/** Where every chain ends that has entries. */
export async function endsOf(session: Session): Promise<readonly NamedEnd[]> {
  const text = 'SELECT node, seq, seal FROM node WHERE seq > 0 ORDER BY node';
  const rows = await session.rows({ text });
  return rows.map(([node, seq, seal]) => ({
    ...{ chain: Number(node), number: Number(seq), seal: beginningOf(seal) },
  }));
}
