/**
 * How far checks have come. A place in the order of versions is nothing that rises: a number, and the transaction that is
 * noted with a version, are given out before it is committed, and one that is slow comes in behind others. So a slot knows
 * by a snapshot what it has passed, and passes what another snapshot sees beyond it, in the order of transactions; what
 * neither saw comes with the next.
 */
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { retired, type Slot } from '../check-slots.ts';
import type { CheckRecord, SliceCheck } from '../check-store.ts';
import type { Session } from './connection.ts';
import { soundText, textColumns } from './texts.ts';
import { listsOf } from './version-rows.ts';

/** Versions of a slice, and bytes of their texts, at most. */
const most = { versions: 200, bytes: 1_000_000 };

/** Where a slot is, between what it has seen and what it is passing. */
export interface Place {
  readonly seen: string;
  readonly passing: string;
  readonly xid: string;
  readonly pk: number;
}

/** Where a slice ends, and whether nothing of what is being passed is behind it. */
export type SliceEnd = Pick<Place, 'xid' | 'pk'> & { readonly ends: boolean };

interface PlacedSlot extends SliceCheck {
  readonly place: Place;
}

/** That there is a version which a slot `s` has not seen. */
export const hasNew = `EXISTS (SELECT 1 FROM version v
  WHERE v.xid >= pg_snapshot_xmin(s.seen) AND NOT pg_visible_in_snapshot(v.xid, s.seen))`;

export async function slotsIn(session: Session): Promise<readonly Slot[]> {
  const text = 'SELECT slot, id, type, stamp FROM check_slot ORDER BY slot';
  const rows = await session.rows({ text });
  return rows.map(([slot, id, type, stamp]) => ({
    ...{ slot: Number(slot), id: String(id), type: String(type) as ResourceType, stamp: String(stamp) },
  }));
}

// All that begin together have the same to pass, and are asked together from the next time on.
const beginText = `UPDATE check_slot s SET passing = pg_current_snapshot(), at_xid = pg_snapshot_xmin(s.seen), at_pk = 0
  WHERE s.passing IS NULL AND (s.stamp = '${retired}' OR ${hasNew})`;

const passingText = `SELECT slot, id, type, stamp, halted, seen::text, passing::text, at_xid, at_pk FROM check_slot
  WHERE passing IS NOT NULL ORDER BY at_xid, at_pk, slot`;

/** The slots that are furthest behind, of those that are passing something; none where all have come to the end. */
export async function furthestBehind(session: Session): Promise<readonly PlacedSlot[]> {
  let rows = await session.rows({ text: passingText });
  if (rows.length === 0) {
    await session.rows({ text: beginText });
    rows = await session.rows({ text: passingText });
  }
  const slots = rows.map(([slot, id, type, stamp, halted, seen, passing, xid, pk]): PlacedSlot => ({
    ...{ slot: Number(slot), id: String(id), type: String(type) as ResourceType, stamp: String(stamp) },
    ...{ retired: stamp === retired, halted: Boolean(halted) },
    place: { seen: String(seen), passing: String(passing), xid: String(xid), pk: Number(pk) },
  }));
  const first = JSON.stringify(slots[0]?.place);
  return slots.filter(({ place }) => JSON.stringify(place) === first);
}

const windowText = `SELECT t.xid, t.pk, t.rows, t.record, t.type, ${textColumns}
  FROM (SELECT w.*, r.pk AS current_of, r.type, count(*) OVER () AS rows, row_number() OVER o AS at,
      sum(CASE WHEN r.pk IS NULL THEN 0 ELSE octet_length(b.body) END) OVER o AS through
    FROM (SELECT v.xid, v.pk, v.record FROM version v WHERE (v.xid, v.pk) > ($1::xid8, $2::bigint)
        AND NOT pg_visible_in_snapshot(v.xid, $3::pg_snapshot) AND pg_visible_in_snapshot(v.xid, $4::pg_snapshot)
      ORDER BY v.xid, v.pk LIMIT ${most.versions}) w
    JOIN version b ON b.pk = w.pk LEFT JOIN record r ON r.pk = w.record AND r.current = w.pk
    WINDOW o AS (ORDER BY w.xid, w.pk)) t
  LEFT JOIN version v ON v.pk = t.pk AND t.current_of IS NOT NULL
  WHERE t.at = 1 OR t.through <= ${most.bytes} ORDER BY t.at`;

/** The versions behind a place: those that are current with their texts. */
export async function recordsBehind(
  session: Session,
  place: Place,
): Promise<{ readonly records: readonly CheckRecord[]; readonly end: SliceEnd }> {
  const { xid, pk, seen, passing } = place;
  const rows = await session.rows({ text: windowText, values: [xid, pk, seen, passing] });
  const records = rows.flatMap(([, version, , record, type, ...text]): CheckRecord[] =>
    type === null
      ? []
      : [
          {
            ...{ record: Number(record), version: Number(version), type: String(type) as ResourceType },
            text: soundText(text),
          },
        ],
  );
  const there = Number(rows[0]?.[2] ?? 0);
  const [lastXid = xid, lastPk = pk] = rows.at(-1) ?? [];
  const ends = rows.length === there && there < most.versions;
  return { records, end: { xid: String(lastXid), pk: Number(lastPk), ends } };
}

const lockText = `SELECT s.slot FROM unnest($1::integer[], $2::text[]) w(slot, stamp)
  JOIN check_slot s ON s.slot = w.slot AND s.stamp = w.stamp
  WHERE s.seen::text = $3 AND s.passing::text = $4 AND s.at_xid = $5::xid8 AND s.at_pk = $6::bigint
  ORDER BY s.slot FOR UPDATE OF s`;

/** Whether all of the slots ask the same as they did, and are where they were; they stay so until the transaction ends. */
export async function holdSlots(
  session: Session,
  checks: readonly SliceCheck[],
  { seen, passing, xid, pk }: Place,
): Promise<boolean> {
  const pairs = checks.map(({ slot, stamp }) => [slot, stamp]);
  const held = await session.rows({ text: lockText, values: [...listsOf(pairs, 2), seen, passing, xid, pk] });
  return held.length === checks.length;
}

const advanceText = `UPDATE check_slot SET at_xid = $2::xid8, at_pk = $3::bigint, reached = greatest(reached, $3::bigint),
  seen = CASE WHEN $4::boolean THEN passing ELSE seen END, passing = CASE WHEN $4::boolean THEN NULL ELSE passing END,
  halted = halted OR id = ANY ($5::text[]) WHERE slot = ANY ($1::integer[])`;

const dropText = `DELETE FROM check_slot s WHERE s.slot = ANY ($1::integer[]) AND s.stamp = '${retired}'
  AND s.passing IS NULL AND NOT ${hasNew}`;

/** Notes where slots are; of those that are switched off, whichever have come to the end are free again. */
export async function moveSlots(
  session: Session,
  checks: readonly SliceCheck[],
  { xid, pk, ends }: SliceEnd,
  halted: ReadonlySet<string>,
): Promise<void> {
  const slots = checks.map(({ slot }) => slot);
  await session.rows({ text: advanceText, values: [slots, xid, pk, ends, [...halted]] });
  if (ends) await session.rows({ text: dropText, values: [slots] });
}
