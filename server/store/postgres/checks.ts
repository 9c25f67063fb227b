import { noIndex } from '../../../core/fhir/index-rows.ts';
import { slotChanges, slotCounts, verdictOn, type RecordVerdict, type SlotChanges } from '../check-slots.ts';
import type { CheckRecord, CheckStore } from '../check-store.ts';
import { rulesAlone } from '../derive-scope.ts';
import { byType } from '../issue-rows.ts';
import { checkResultSql, flaggedBySql } from '../issue-sql.ts';
import {
  furthestBehind,
  hasNew,
  holdSlots,
  moveSlots,
  recordsBehind,
  slotsIn,
  type Place,
  type SliceEnd,
} from './check-slots.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
import { mendRecords, type Target } from './record-mender.ts';
import { soundText, textColumns } from './texts.ts';
import { listsOf } from './version-rows.ts';
import { locks } from './locks.ts';
import type { Writes } from './writes.ts';

const beginAnew = "seen = '1:1:', passing = NULL, at_xid = '1', at_pk = 0, reached = 0, halted = false";

const addText = `INSERT INTO check_slot (slot, id, type, stamp)
  SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[])`;

const setText = `UPDATE check_slot s SET type = w.type, stamp = w.stamp, ${beginAnew}
  FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[]) w(slot, id, type, stamp) WHERE s.slot = w.slot`;

const resultText = `INSERT INTO check_result AS c (record, applied, skipped)
  SELECT w.record, w.applied, w.skipped
  FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[]) w(record, current, applied, skipped)
  JOIN record r ON r.pk = w.record AND r.current = w.current LEFT JOIN check_result o ON o.record = w.record
  WHERE w.applied <> 0 OR w.skipped <> 0 OR o.record IS NOT NULL
  ON CONFLICT (record) DO UPDATE SET applied = (c.applied & ~$5::integer) | excluded.applied,
    skipped = (c.skipped & ~$5::integer) | excluded.skipped
  WHERE c.applied & $5::integer <> excluded.applied OR c.skipped & $5::integer <> excluded.skipped`;

const dropResultText =
  'DELETE FROM check_result WHERE record = ANY ($1::bigint[]) AND applied = 0 AND skipped = 0';

const progressText = `SELECT s.slot, s.id, s.halted, s.reached, s.passing IS NULL AND NOT ${hasNew},
  coalesce((SELECT max(pk) FROM version), 0) FROM check_slot s WHERE s.stamp <> '' ORDER BY s.slot`;

const skippedText = `SELECT r.id FROM check_slot s JOIN check_result c ON c.skipped & (1 << s.slot) <> 0
  JOIN record r ON r.pk = c.record WHERE s.id = $1 ORDER BY r.id LIMIT $2::integer`;

const sampleText = `SELECT r.id, ${textColumns} FROM record r JOIN version v ON v.pk = r.current
  WHERE r.type = $1 AND r.id > $2 ORDER BY r.id LIMIT $3::integer`;

/** What a slice's checks came to for one of its records. */
type Verdict = RecordVerdict & CheckRecord;

/** Which records a steward's own checks were asked of, by whichever server. */
export function postgresChecks(database: Postgres, writes: Writes): CheckStore {
  const store: CheckStore = {
    async settle(checks) {
      const isOther = ({ anew, added }: SlotChanges) => anew.length > 0 || added.length > 0;
      if (!isOther(slotChanges(await slotsIn(database), checks))) return;
      await writes.aside(async ({ session }) => {
        // Of two that give out slots, the second sees what the first gave.
        await session.rows({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [locks.slots] });
        const { anew, added } = slotChanges(await slotsIn(session), checks);
        for (const [text, slots] of [
          [setText, anew],
          [addText, added],
        ] as const) {
          const rows = slots.map(({ slot, id, type, stamp }) => [slot, id, type, stamp]);
          if (rows.length > 0) await session.rows({ text, values: listsOf(rows, 4) });
        }
      });
    },

    async renew() {
      await database.rows({ text: `UPDATE check_slot SET ${beginAnew}` });
    },

    async next() {
      for (;;) {
        const slots = await furthestBehind(database);
        const [first] = slots;
        if (!first) return undefined;
        const { place } = first;
        const { records, end } = await recordsBehind(database, place);
        const checks = slots.map(({ place: _, ...check }) => check);
        const slice = { checks, records, from: JSON.stringify(place), until: JSON.stringify(end) };
        if (records.length > 0) return slice;
        await store.write(slice, [], new Set(), 0);
      }
    },

    async write({ checks, records, from, until }, verdicts, halted, day) {
      const all = records.map((record, at): Verdict => ({
        ...record,
        ...verdictOn(checks, verdicts[at] ?? [], record.type),
      }));
      await writes.aside(async (mending) => {
        const { session } = mending;
        if (!(await holdSlots(session, checks, JSON.parse(from) as Place))) return;
        if (all.length > 0) await writeResults(session, all);
        for (const type of [...new Set(all.map((one) => one.type))].sort()) {
          const targets = all.flatMap((one) => (one.type === type ? targetOf(one) : []));
          await mendRecords(mending, { ...rulesAlone, type }, targets, day);
        }
        await moveSlots(session, checks, JSON.parse(until) as SliceEnd, halted);
      });
    },

    async progress() {
      const [rows, counted] = await Promise.all([
        database.rows({ text: progressText }),
        database.rows(numbered(checkResultSql)),
      ]);
      const counts = slotCounts(counted);
      return rows.map(([slot, id, halted, reached, settled, newest]) => {
        const total = Number(newest);
        const done = settled ? total : Math.max(0, Math.min(Number(reached), total - 1));
        return {
          ...{ id: String(id), done, total, halted: Boolean(halted) },
          ...(counts[Number(slot)] ?? { applied: 0, skipped: 0 }),
        };
      });
    },

    async flaggedBy(folder) {
      return byType(await database.rows(numbered(flaggedBySql(folder))));
    },

    async skipped(id, limit) {
      const rows = await database.rows({ text: skippedText, values: [id, limit] });
      return rows.map(([found]) => String(found));
    },

    async sample(type, after, limit) {
      const rows = await database.rows({ text: sampleText, values: [type, after, limit] });
      return rows.map(([id, ...text]) => ({ id: String(id), text: soundText(text) }));
    },
  };
  return store;
}

async function writeResults(session: Session, all: readonly Verdict[]): Promise<void> {
  const rows = all.map(({ record, version, applied, skipped }) => [record, version, applied, skipped]);
  const values = [...listsOf(rows, 4), all[0]?.asked ?? 0];
  await session.rows({ text: resultText, values });
  await session.rows({ text: dropResultText, values: [all.map(({ record }) => record)] });
}

function targetOf({ record, version, theirs, found }: Verdict): Target {
  return {
    ...{ record, current: version },
    wanted: (standing) => ({
      index: noIndex,
      issues: [...standing.filter((issue) => !theirs(issue)), ...found],
    }),
  };
}
