import { parseAddress } from '../../../core/api/address.ts';
import type { AuditAction, AuditEntry, AuditVerdict } from '../../../core/app/audit.ts';
import type { AuditLog } from '../sqlite/audit.ts';
import type { SealedRow, SealKey } from '../audit-chain.ts';
import { ChainsReader, missingOf, type ChainedRow } from '../audit-chains.ts';
import { EntryQueue } from '../entry-queue.ts';
import { auditPageOf, conditionsOf, entryIn, type NewAuditEntry } from '../audit-rows.ts';
import { checksumOf } from '../checksum.ts';
import { pieces } from '../pieces.ts';
import { every, limited, line, sql, type Value } from '../sql.ts';
import { entryColumns } from './chain.ts';
import { numbered, type Postgres, type Session, type Statement } from './connection.ts';
import { setBySet } from './dialect.ts';
import { listsOf } from './version-rows.ts';
import type { Writes } from './writes.ts';

/** Entries that are read at once. */
const slice = 5000;

export interface PostgresAudit extends AuditLog {
  /** Adds entries; resolves once they are committed. */
  add(entries: readonly NewAuditEntry[]): Promise<void>;
}

/**
 * The audit trail of all servers. Each has a chain; an entry's `seq` here is its place among all, which rises and may leave
 * gaps: what is gap-free is each chain's own number, which is what is sealed.
 */
export function postgresAudit(database: Postgres, writes: Writes, key?: SealKey): PostgresAudit {
  const add: PostgresAudit['add'] = (entries) =>
    writes.add(async ({ note }) => {
      for (const entry of entries) note(entry);
    });
  const queue = new EntryQueue(add);
  const flush = () => queue.flush();
  return {
    add,
    note: (entry) => queue.note(entry),
    flush,

    async page(filter, before, limit) {
      await flush();
      const place = before === undefined ? [] : [sql('place < ?', before)];
      const conditions = every([...place, ...conditionsOf(filter, setBySet)]);
      const order = `ORDER BY place DESC ${limited(limit + 1)}`;
      const found = line(`SELECT place, ${entryColumns} FROM audit WHERE`, conditions, order);
      return auditPageOf(await entriesOf(database, numbered(found)), limit);
    },

    async actions(filter) {
      await flush();
      const conditions = every(conditionsOf(filter, setBySet));
      const rows = await database.rows(
        numbered(line('SELECT action, count(*) FROM audit WHERE', conditions, 'GROUP BY action')),
      );
      return {
        actions: rows.map(([action, entries]) => ({
          ...{ action: String(action) as AuditAction, entries: Number(entries) },
        })),
      };
    },

    async *all() {
      await flush();
      const text = `SELECT place, ${entryColumns} FROM audit WHERE place > $1::bigint ORDER BY place LIMIT ${slice}`;
      yield* pieces<AuditEntry>((last) => entriesOf(database, { text, values: [last?.seq ?? 0] }));
    },

    async verify() {
      await flush();
      return verifyTrail(database, key);
    },
  };
}

async function entriesOf(session: Session, statement: Statement): Promise<AuditEntry[]> {
  const rows = await session.rows(statement);
  const reasons = await reasonsOf(
    session,
    rows.filter((row) => row[12] !== null),
  );
  return rows.map((row) => entryOf(row, reasons.get(Number(row[0]))));
}

/** The reasons of entries by their places, as the versions have them: they leave with an erased record. */
async function reasonsOf(session: Session, rows: readonly Value[][]): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map();
  const named = rows.map((row) => {
    const { type = '', id = '' } = parseAddress(String(row[5])) ?? {};
    return [row[0] ?? null, type, id, row[7] ?? null];
  });
  const text = `SELECT w.place, v.reason FROM
    unnest($1::bigint[], $2::text[], $3::text[], $4::integer[]) w(place, type, id, version)
    JOIN record r ON r.type = w.type AND r.id = w.id
    JOIN version v ON v.record = r.pk AND v.version = w.version WHERE v.reason IS NOT NULL`;
  const found = await session.rows({ text, values: listsOf(named, 4) });
  const sums = new Map(rows.map((row) => [row[0], row[12]]));
  return new Map(
    found.flatMap(([place, reason]) => {
      const sum = sums.get(place ?? null);
      const same = Buffer.isBuffer(sum) && checksumOf(String(reason)).equals(sum);
      return same ? [[Number(place), String(reason)] as const] : [];
    }),
  );
}

/** Reads the chains of all servers, and whether each is as it was written, up to where its server's row says that it ends. */
export async function verifyTrail(session: Session, key?: SealKey): Promise<AuditVerdict> {
  const chains = new ChainsReader(key);
  const nodes = await session.rows({ text: 'SELECT node, seq FROM node ORDER BY node' });
  for (const [node] of nodes) await readChain(session, chains, Number(node));
  const { entries, broken, doubts } = chains.verdict();
  const seal = 'SELECT seal FROM audit WHERE node = $1::integer AND seq = $2::bigint';
  const first =
    broken ??
    doubts[0] ??
    lostOf(chains, nodes) ??
    (await missingOf(chains.ends, async (...values) => (await session.rows({ text: seal, values }))[0]?.[0]));
  return { entries, ...(first && { broken: first }) };
}

/** By its numbers: of places a lower one may come in behind, from a server whose commit takes longer. */
async function readChain(session: Session, chains: ChainsReader, node: number): Promise<void> {
  const text = `SELECT place, ${entryColumns} FROM audit WHERE node = $1 AND seq > $2::bigint ORDER BY seq LIMIT ${slice}`;
  const read = pieces<Value[]>((last) => session.rows({ text, values: [node, Number(last?.[1] ?? 0)] }));
  for await (const rows of read) if (!chains.take(rows.map((row) => chainedRow(node, row)))) return;
}

/** An entry with its chain, of `[place, ...columns of an entry]`. */
export function chainedRow(chain: number, [place, ...row]: readonly Value[]): ChainedRow {
  return { place: Number(place), chain, row: row as unknown as SealedRow };
}

/** Where a chain ends before its server's row `[node, seq]` says that it does. */
function lostOf(chains: ChainsReader, nodes: readonly Value[][]): AuditVerdict['broken'] {
  const [node, seq] = nodes.find(([chain, end]) => Number(end) > chains.lastOf(Number(chain))) ?? [];
  if (node === undefined || seq === undefined) return undefined;
  const reason = `in the chain of server ${Number(node)}, it is missing`;
  return { seq: chains.lastOf(Number(node)) + 1, reason };
}

/** A row `[place, ...columns of an entry]`: the place among all stands for the number in the chain. */
function entryOf([place, , ...cells]: readonly Value[], reason: string | undefined): AuditEntry {
  return entryIn([Number(place), ...cells] as unknown as SealedRow, reason);
}
