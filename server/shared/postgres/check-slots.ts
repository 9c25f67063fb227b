/**
 * Progress of checks through the versions. Version numbers and transaction ids do not grow in the order of
 * commits: a slow transaction appears behind others.
 *
 * A progress row therefore stores a snapshot of the versions it has seen. It processes the versions that a
 * newer snapshot adds, in the order of transactions. Versions of neither snapshot follow in the next round.
 */
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { disabledFingerprint, type CheckProgressRow } from '../../store/check-progress.ts';
import type { CheckRecord, BatchCheck } from '../../store/check-store.ts';
import type { Session } from './connection.ts';
import { readIntactText, textColumns } from './texts.ts';
import { toColumns } from './version-rows.ts';

/** Limits of a batch: versions, and bytes of their texts. */
const maxBatch = { versions: 200, bytes: 1_000_000 };

/** Position of a progress row between the snapshot it has seen and the snapshot in progress. */
export interface Place {
  readonly seenSnapshot: string;
  readonly passingSnapshot: string;
  readonly xid: string;
  readonly pk: number;
}

/** End of a batch. `ends` is true if no version of the snapshot in progress follows. */
export type SliceEnd = Pick<Place, 'xid' | 'pk'> & { readonly isLast: boolean };

interface PositionedCheck extends BatchCheck {
  readonly place: Place;
}

/** SQL condition: a progress row `s` has not seen all versions. */
export const hasNewSql = `EXISTS (SELECT 1 FROM version v
  WHERE v.xid >= pg_snapshot_xmin(s.seen) AND NOT pg_visible_in_snapshot(v.xid, s.seen))`;

export async function listProgressRows(session: Session): Promise<readonly CheckProgressRow[]> {
  const text = 'SELECT slot, id, type, stamp FROM check_slot ORDER BY slot';
  const rows = await session.rows({ text });
  return rows.map(([slot, id, type, stamp]) => ({
    slot: Number(slot),
    id: String(id),
    type: String(type) as ResourceType,
    stamp: String(stamp),
  }));
}

// Rows that start together share a snapshot and form one batch from the next time on.
const startPassSql = `UPDATE check_slot s SET passing = pg_current_snapshot(), at_xid = pg_snapshot_xmin(s.seen), at_pk = 0
  WHERE s.passing IS NULL AND (s.stamp = '${disabledFingerprint}' OR ${hasNewSql})`;

const passingSql = `SELECT slot, id, type, stamp, halted, seen::text, passing::text, at_xid, at_pk FROM check_slot
  WHERE passing IS NOT NULL ORDER BY at_xid, at_pk, slot`;

/** Returns the rows in progress that are furthest behind. Empty if all are finished. */
export async function listRowsFurthestBehind(session: Session): Promise<readonly PositionedCheck[]> {
  let rows = await session.rows({ text: passingSql });
  if (rows.length === 0) {
    await session.rows({ text: startPassSql });
    rows = await session.rows({ text: passingSql });
  }
  const slots = rows.map(
    ([slotNumber, id, type, stamp, isHalted, seenSnapshot, passingSnapshot, xid, pk]): PositionedCheck => ({
      slot: Number(slotNumber),
      id: String(id),
      type: String(type) as ResourceType,
      stamp: String(stamp),
      isRetired: stamp === disabledFingerprint,
      isHalted: Boolean(isHalted),
      place: {
        seenSnapshot: String(seenSnapshot),
        passingSnapshot: String(passingSnapshot),
        xid: String(xid),
        pk: Number(pk),
      },
    }),
  );
  const firstPlace = JSON.stringify(slots[0]?.place);
  return slots.filter(({ place }) => JSON.stringify(place) === firstPlace);
}

const windowSql = `SELECT t.xid, t.pk, t.rows, t.record, t.type, ${textColumns}
  FROM (SELECT w.*, r.pk AS current_of, r.type, count(*) OVER () AS rows, row_number() OVER o AS at,
      sum(CASE WHEN r.pk IS NULL THEN 0 ELSE octet_length(b.body) END) OVER o AS through
    FROM (SELECT v.xid, v.pk, v.record FROM version v WHERE (v.xid, v.pk) > ($1::xid8, $2::bigint)
        AND NOT pg_visible_in_snapshot(v.xid, $3::pg_snapshot) AND pg_visible_in_snapshot(v.xid, $4::pg_snapshot)
      ORDER BY v.xid, v.pk LIMIT ${maxBatch.versions}) w
    JOIN version b ON b.pk = w.pk LEFT JOIN record r ON r.pk = w.record AND r.current = w.pk
    WINDOW o AS (ORDER BY w.xid, w.pk)) t
  LEFT JOIN version v ON v.pk = t.pk AND t.current_of IS NOT NULL
  WHERE t.at = 1 OR t.through <= ${maxBatch.bytes} ORDER BY t.at`;

/** Returns the versions after a position. Only current versions have their text. */
export async function readRecordsAfter(
  session: Session,
  place: Place,
): Promise<{ readonly records: readonly CheckRecord[]; readonly end: SliceEnd }> {
  const { xid, pk, seenSnapshot, passingSnapshot } = place;
  const rows = await session.rows({ text: windowSql, values: [xid, pk, seenSnapshot, passingSnapshot] });
  const records = rows.flatMap(([, version, , record, type, ...text]): CheckRecord[] =>
    type === null
      ? []
      : [
          {
            record: Number(record),
            version: Number(version),
            type: String(type) as ResourceType,
            text: readIntactText(text),
          },
        ],
  );
  const remainingCount = Number(rows[0]?.[2] ?? 0);
  const [lastXid = xid, lastPk = pk] = rows.at(-1) ?? [];
  const isLast = rows.length === remainingCount && remainingCount < maxBatch.versions;
  return { records, end: { xid: String(lastXid), pk: Number(lastPk), isLast } };
}

const lockSql = `SELECT s.slot FROM unnest($1::integer[], $2::text[]) w(slot, stamp)
  JOIN check_slot s ON s.slot = w.slot AND s.stamp = w.stamp
  WHERE s.seen::text = $3 AND s.passing::text = $4 AND s.at_xid = $5::xid8 AND s.at_pk = $6::bigint
  ORDER BY s.slot FOR UPDATE OF s`;

/** Locks progress rows until the transaction ends. Returns true if checks and position are unchanged. */
export async function lockProgressRows(
  session: Session,
  checks: readonly BatchCheck[],
  { seenSnapshot, passingSnapshot, xid, pk }: Place,
): Promise<boolean> {
  const pairs = checks.map(({ slot, stamp }) => [slot, stamp]);
  const lockedRows = await session.rows({
    text: lockSql,
    values: [...toColumns(pairs, 2), seenSnapshot, passingSnapshot, xid, pk],
  });
  return lockedRows.length === checks.length;
}

const advanceSql = `UPDATE check_slot SET at_xid = $2::xid8, at_pk = $3::bigint, reached = greatest(reached, $3::bigint),
  seen = CASE WHEN $4::boolean THEN passing ELSE seen END, passing = CASE WHEN $4::boolean THEN NULL ELSE passing END,
  halted = halted OR id = ANY ($5::text[]) WHERE slot = ANY ($1::integer[])`;

const dropSql = `DELETE FROM check_slot s WHERE s.slot = ANY ($1::integer[]) AND s.stamp = '${disabledFingerprint}'
  AND s.passing IS NULL AND NOT ${hasNewSql}`;

/** Moves progress rows on. Deletes finished rows of disabled checks. */
export async function advanceProgressRows(
  session: Session,
  checks: readonly BatchCheck[],
  { xid, pk, isLast }: SliceEnd,
  haltedIds: ReadonlySet<string>,
): Promise<void> {
  const slots = checks.map(({ slot }) => slot);
  await session.rows({ text: advanceSql, values: [slots, xid, pk, isLast, [...haltedIds]] });
  if (isLast) await session.rows({ text: dropSql, values: [slots] });
}
