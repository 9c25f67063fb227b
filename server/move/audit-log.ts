import { noSeal } from '../store/audit-chain.ts';
import { AuditLogWriter } from '../store/sqlite/audit-log-writer.ts';
import type { ChainedRow } from '../store/audit-chains.ts';
import { chainedRow } from '../store/postgres/audit.ts';
import { entryColumns, entryTypes } from '../store/postgres/chain.ts';
import type { Session } from '../store/postgres/connection.ts';
import { pieces } from '../store/chunks.ts';
import type { Kind } from './kind.ts';
import { insertRows, insertText, maxRows } from './plain-rows.ts';

const nextText = `SELECT node, place, ${entryColumns} FROM audit WHERE place > $1::bigint
  ORDER BY place LIMIT ${maxRows}`;
const addText = `${insertText('audit', [['place', 'bigint'], ['node', 'integer'], ...entryTypes])}
  ON CONFLICT DO NOTHING`;

/** Sets the current end of a chain: its latest entry and its latest seal. */
const endText = `INSERT INTO node AS n (node, seq, seal) VALUES ($1, $2, coalesce($3::bytea, $4))
  ON CONFLICT (node) DO UPDATE SET seq = excluded.seq, seal = coalesce($3, n.seal)`;

async function writeEntries(session: Session, rows: readonly ChainedRow[]): Promise<void> {
  for (const { place, row } of rows)
    if (row.some((cell) => typeof cell === 'string' && cell.includes('\0')))
      throw new Error(
        `Audit entry ${place} contains U+0000, which PostgreSQL can’t store. It can’t be moved.`,
      );
  await insertRows(
    session,
    addText,
    rows.map(({ place, chain, row }) => [place, chain, ...row]),
  );
  for (const chain of new Set(rows.map((row) => row.chain))) {
    const chainRows = rows.filter((row) => row.chain === chain).map(({ row }) => row);
    const seal = chainRows.findLast((row) => row[12] !== null)?.[12] ?? null;
    await session.rows({ text: endText, values: [chain, chainRows.at(-1)?.[0] ?? 0, seal, noSeal] });
  }
}

/** All audit entries with their positions, chain numbers and seals. */
export const trail: Kind<ChainedRow> = {
  name: 'audit entries',
  grows: true,
  placeOf: ({ place }) => [place],
  nameOf: ({ place }) => `audit entry ${place}`,
  listCells: ({ place, chain, row }) => [place, chain, ...row],
  folder: ({ records }) => {
    const entries = new AuditLogWriter(records);
    return {
      read: (after) =>
        pieces<ChainedRow>((lastRow) => entries.chained(lastRow?.place ?? Number(after?.[0] ?? 0), maxRows)),
      write: (rows) => entries.takeOver(rows),
    };
  },
  database: (session) => ({
    read: (after) =>
      pieces<ChainedRow>(async (lastRow) => {
        const rows = await session.rows({ text: nextText, values: [lastRow?.place ?? after?.[0] ?? 0] });
        return rows.map(([node, ...row]) => chainedRow(Number(node), row));
      }),
    write: (rows) => writeEntries(session, rows),
  }),
};
