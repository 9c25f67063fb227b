import { noSeal } from '../store/audit-chain.ts';
import { AuditTrail } from '../store/sqlite/audit-trail.ts';
import type { ChainedRow } from '../store/audit-chains.ts';
import { chainedRow } from '../store/postgres/audit.ts';
import { entryColumns, entryTypes } from '../store/postgres/chain.ts';
import type { Session } from '../store/postgres/connection.ts';
import { pieces } from '../store/pieces.ts';
import type { Kind } from './kind.ts';
import { insertRows, insertText, mostRows } from './plain-rows.ts';

const nextText = `SELECT node, place, ${entryColumns} FROM audit WHERE place > $1::bigint
  ORDER BY place LIMIT ${mostRows}`;
const addText = `${insertText('audit', [['place', 'bigint'], ['node', 'integer'], ...entryTypes])}
  ON CONFLICT DO NOTHING`;

/** Where a server's chain ends by now: its newest entry, and the newest seal. */
const endText = `INSERT INTO node AS n (node, seq, seal) VALUES ($1, $2, coalesce($3::bytea, $4))
  ON CONFLICT (node) DO UPDATE SET seq = excluded.seq, seal = coalesce($3, n.seal)`;

async function writeEntries(session: Session, rows: readonly ChainedRow[]): Promise<void> {
  for (const { place, row } of rows)
    if (row.some((cell) => typeof cell === 'string' && cell.includes('\0')))
      throw new Error(
        `Audit entry ${place} holds U+0000, which PostgreSQL keeps in no text: it cannot be moved.`,
      );
  await insertRows(
    session,
    addText,
    rows.map(({ place, chain, row }) => [place, chain, ...row]),
  );
  for (const chain of new Set(rows.map((row) => row.chain))) {
    const own = rows.filter((row) => row.chain === chain).map(({ row }) => row);
    const seal = own.findLast((row) => row[12] !== null)?.[12] ?? null;
    await session.rows({ text: endText, values: [chain, own.at(-1)?.[0] ?? 0, seal, noSeal] });
  }
}

/** Every entry of the audit trail in its place, with its number in its chain, and as it was sealed. */
export const trail: Kind<ChainedRow> = {
  name: 'audit entries',
  grows: true,
  placeOf: ({ place }) => [place],
  nameOf: ({ place }) => `audit entry ${place}`,
  told: ({ place, chain, row }) => [place, chain, ...row],
  folder: ({ records }) => {
    const entries = new AuditTrail(records);
    return {
      read: (after) =>
        pieces<ChainedRow>((last) => entries.chained(last?.place ?? Number(after?.[0] ?? 0), mostRows)),
      write: (rows) => entries.takeOver(rows),
    };
  },
  database: (session) => ({
    read: (after) =>
      pieces<ChainedRow>(async (last) => {
        const rows = await session.rows({ text: nextText, values: [last?.place ?? after?.[0] ?? 0] });
        return rows.map(([node, ...row]) => chainedRow(Number(node), row));
      }),
    write: (rows) => writeEntries(session, rows),
  }),
};
