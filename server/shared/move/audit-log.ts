import { initialSeal } from '../../store/audit-chain.ts';
import { AuditLogWriter } from '../../store/sqlite/audit-log-writer.ts';
import type { ChainedRow } from '../../store/audit-chains.ts';
import { toChainedRow } from '../postgres/audit.ts';
import { entryColumns, entryTypes } from '../postgres/chain.ts';
import type { Session } from '../postgres/connection.ts';
import { readInChunks } from '../../store/chunks.ts';
import type { MovedTable } from './kind.ts';
import { insertRows, buildInsertSql, maxRows } from './plain-rows.ts';

/** Columns of a chained row (audit-chains.ts). */
const seqColumn = 0;
const sealColumn = 12;

const selectNextSql = `SELECT node, place, ${entryColumns} FROM audit WHERE place > $1::bigint
  ORDER BY place LIMIT ${maxRows}`;
const insertSql = `${buildInsertSql('audit', [['place', 'bigint'], ['node', 'integer'], ...entryTypes])}
  ON CONFLICT DO NOTHING`;

/** Stores the end of a chain: its latest entry and its latest seal. Each server (node) writes its own chain. */
const upsertChainEndSql = `INSERT INTO node AS n (node, seq, seal) VALUES ($1, $2, coalesce($3::bytea, $4))
  ON CONFLICT (node) DO UPDATE SET seq = excluded.seq, seal = coalesce($3, n.seal)`;

async function writeEntries(session: Session, rows: readonly ChainedRow[]): Promise<void> {
  for (const { place, row } of rows) {
    if (row.some((cell) => typeof cell === 'string' && cell.includes('\0')))
      throw new Error(
        `Audit entry ${place} contains U+0000, which PostgreSQL can’t store. It can’t be moved.`,
      );
  }
  await insertRows(
    session,
    insertSql,
    rows.map(({ place, chain, row }) => [place, chain, ...row]),
  );
  for (const chain of new Set(rows.map((row) => row.chain))) {
    const chainRows = rows.filter((row) => row.chain === chain).map(({ row }) => row);
    const seal = chainRows.findLast((row) => row[sealColumn] !== null)?.[sealColumn] ?? null;
    await session.rows({
      text: upsertChainEndSql,
      values: [chain, chainRows.at(-1)?.[seqColumn] ?? 0, seal, initialSeal],
    });
  }
}

/** All audit entries with their positions, chain numbers and seals. */
export const auditEntries: MovedTable<ChainedRow> = {
  name: 'audit entries',
  isAppendOnly: true,
  keyOf: ({ place }) => [place],
  nameOf: ({ place }) => `audit entry ${place}`,
  listCells: ({ place, chain, row }) => [place, chain, ...row],
  openInFolder: ({ records }) => {
    const auditLog = new AuditLogWriter(records);
    return {
      read: (after) =>
        readInChunks<ChainedRow>((lastRow) =>
          auditLog.readChained(lastRow?.place ?? Number(after?.[0] ?? 0), maxRows),
        ),
      write: (rows) => auditLog.insertMoved(rows),
    };
  },
  openInDatabase: (session) => ({
    read: (after) =>
      readInChunks<ChainedRow>(async (lastRow) => {
        const rows = await session.rows({ text: selectNextSql, values: [lastRow?.place ?? after?.[0] ?? 0] });
        return rows.map(([node, ...row]) => toChainedRow(Number(node), row));
      }),
    write: (rows) => writeEntries(session, rows),
  }),
};
