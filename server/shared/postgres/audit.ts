import { parseAddress } from '../../../core/api/address.ts';
import type { AuditAction, AuditEntry, AuditVerification } from '../../../core/app/audit.ts';
import type { AuditReader } from '../../store/audit-log.ts';
import {
  auditPageOf,
  conditionsOf,
  entryIn,
  type SealedRow,
  type SealKey,
  type NewAuditEntry,
} from '../../store/audit-chain.ts';
import { ChainsReader, missingOf, type ChainedRow } from '../../store/audit-chains.ts';
import { EntryQueue } from '../../store/entry-queue.ts';
import { checksumOf } from '../../store/checksum.ts';
import { readInChunks } from '../../store/chunks.ts';
import { joinAnd, limited, line, sql, type Value } from '../../store/sql.ts';
import { entryColumns } from './chain.ts';
import { numbered, type Postgres, type Session, type Statement } from './connection.ts';
import { setBySet } from './dialect.ts';
import { toColumns } from './version-rows.ts';
import type { Writes } from './writes.ts';

/** Entries read with one query. */
const batchSize = 5000;

export interface PostgresAudit extends AuditReader {
  /** Appends entries. Resolves after their commit. */
  add(entries: readonly NewAuditEntry[]): Promise<void>;
}

/**
 * Audit log of all servers. Every server has a chain.
 *
 * `AuditEntry.seq` is the position among all entries. It grows and may have gaps. Each chain has its own
 * numbers without gaps, and these are sealed.
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
      const positionCondition = before === undefined ? [] : [sql('place < ?', before)];
      const conditions = joinAnd([...positionCondition, ...conditionsOf(filter, setBySet)]);
      const order = `ORDER BY place DESC ${limited(limit + 1)}`;
      const pageQuery = line(`SELECT place, ${entryColumns} FROM audit WHERE`, conditions, order);
      return auditPageOf(await entriesOf(database, numbered(pageQuery)), limit);
    },

    async actions(filter) {
      await flush();
      const conditions = joinAnd(conditionsOf(filter, setBySet));
      const rows = await database.rows(
        numbered(line('SELECT action, count(*) FROM audit WHERE', conditions, 'GROUP BY action')),
      );
      return {
        actions: rows.map(([action, entries]) => ({
          action: String(action) as AuditAction,
          entries: Number(entries),
        })),
      };
    },

    async *readEntries() {
      await flush();
      const text = `SELECT place, ${entryColumns} FROM audit WHERE place > $1::bigint ORDER BY place LIMIT ${batchSize}`;
      yield* readInChunks<AuditEntry>((lastEntry) =>
        entriesOf(database, { text, values: [lastEntry?.seq ?? 0] }),
      );
    },

    async verify() {
      await flush();
      return verifyAuditLog(database, key);
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

/** Returns reasons by position. They are read from versions, so an erasure removes them. */
async function reasonsOf(session: Session, rows: readonly Value[][]): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map();
  const versionRows = rows.map((row) => {
    const { type = '', id = '' } = parseAddress(String(row[5])) ?? {};
    return [row[0] ?? null, type, id, row[7] ?? null];
  });
  const text = `SELECT w.place, v.reason FROM
    unnest($1::bigint[], $2::text[], $3::text[], $4::integer[]) w(place, type, id, version)
    JOIN (SELECT pk, type, id FROM record UNION ALL SELECT record, type, id FROM removed) r
      ON r.type = w.type AND r.id = w.id
    JOIN version v ON v.record = r.pk AND v.version = w.version WHERE v.reason IS NOT NULL`;
  const reasonRows = await session.rows({ text, values: toColumns(versionRows, 4) });
  const sumsByPosition = new Map(rows.map((row) => [row[0], row[12]]));
  return new Map(
    reasonRows.flatMap(([place, reason]) => {
      const storedSum = sumsByPosition.get(place ?? null);
      const isIntact = Buffer.isBuffer(storedSum) && checksumOf(String(reason)).equals(storedSum);
      return isIntact ? [[Number(place), String(reason)] as const] : [];
    }),
  );
}

/** Verifies the chains of all servers, each up to the end that its row in `node` declares. */
export async function verifyAuditLog(session: Session, key?: SealKey): Promise<AuditVerification> {
  const chains = new ChainsReader(key);
  const nodes = await session.rows({ text: 'SELECT node, seq FROM node ORDER BY node' });
  for (const [node] of nodes) await readChain(session, chains, Number(node));
  const { entries, broken: firstBrokenEntry, doubts } = chains.verdict();
  const sealSql = 'SELECT seal FROM audit WHERE node = $1::integer AND seq = $2::bigint';
  const firstBreak =
    firstBrokenEntry ??
    doubts[0] ??
    findMissingEnd(chains, nodes) ??
    (await missingOf(
      chains.recordedEnds,
      async (...values) => (await session.rows({ text: sealSql, values }))[0]?.[0],
    ));
  return { entries, ...(firstBreak && { broken: firstBreak }) };
}

/** Reads by sequence number. A slow commit of another server may add a lower position later. */
async function readChain(session: Session, chains: ChainsReader, node: number): Promise<void> {
  const text = `SELECT place, ${entryColumns} FROM audit WHERE node = $1 AND seq > $2::bigint ORDER BY seq LIMIT ${batchSize}`;
  const chunks = readInChunks<Value[]>((lastRow) =>
    session.rows({ text, values: [node, Number(lastRow?.[1] ?? 0)] }),
  );
  for await (const rows of chunks) if (!chains.take(rows.map((row) => toChainedRow(node, row)))) return;
}

/** Converts `[position, ...entry columns]` to an entry of a chain. */
export function toChainedRow(chain: number, [place, ...row]: readonly Value[]): ChainedRow {
  return { place: Number(place), chain, row: row as unknown as SealedRow };
}

/** Returns the break if a chain ends before the end that its row `[node, seq]` declares. */
function findMissingEnd(chains: ChainsReader, nodes: readonly Value[][]): AuditVerification['broken'] {
  const [node, seq] =
    nodes.find(([chain, declaredEnd]) => Number(declaredEnd) > chains.getLastSeq(Number(chain))) ?? [];
  if (node === undefined || seq === undefined) return undefined;
  const reason = `in the chain of server ${Number(node)}, it is missing`;
  return { seq: chains.getLastSeq(Number(node)) + 1, reason };
}

/** Converts `[position, ...entry columns]`. The position replaces the number in the chain. */
function entryOf([place, , ...cells]: readonly Value[], reason: string | undefined): AuditEntry {
  return entryIn([Number(place), ...cells] as unknown as SealedRow, reason);
}
